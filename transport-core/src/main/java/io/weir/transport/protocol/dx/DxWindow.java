package io.weir.transport.protocol.dx;

import io.weir.pacer.RateMath;

/**
 * The window law of DX in bytes of payload, whole numbers throughout. One instance per flow; O(1); no allocation.
 *
 * <p>Source: DX, section IV.B, equations 1 and 8. With V = R W / (W - 1) and W in segments, W (1 - Q / V) is W - (W -
 * 1) Q / R: a flow gives up what it has of the queue, where (W - 1) / R is its share of the link.
 *
 * <p>Gaps, decided here (docs/protocols/dx.md): at W = 1 V is infinite, and nothing is given up; below it is negative,
 * and the formula leads back to one segment. That holds while Q is below R. With a Q of R or more even a segment of
 * each flow is too much: a window of one segment or less is halved, and a larger one comes down to one, as the formula
 * has it at Q = R.
 *
 * <p>Invariant: {@code windowBytesMin <= windowBytes <= WINDOW_BYTES_MAX}. Whole segments are counted where the window
 * is used, not where it is kept: cut off at each step, the fraction would always be the smaller flow's loss.
 */
final class DxWindow {
    /** No window is larger: a round trip of 5 ms at 400 Gbit/s. */
    static final long WINDOW_BYTES_MAX = 1 << 28;

    private static final int FRACTION_MIN = 64;

    private final int segmentBytes;
    private final boolean isWhole;
    private final long windowBytesMin;
    private long windowBytes;

    /** Creates a window of so many segments; {@code isWhole}: only whole segments count, and one at least. */
    DxWindow(int segmentBytes, long initialSegments, boolean isWhole) {
        this.segmentBytes = segmentBytes;
        this.isWhole = isWhole;
        this.windowBytesMin = isWhole ? segmentBytes : Math.max(1, segmentBytes / FRACTION_MIN);
        set(segmentBytes * initialSegments);
    }

    /** Bytes have arrived, in slow start. */
    void growBy(long arrivedBytes) {
        set(windowBytes + arrivedBytes);
    }

    /** No more than {@code bytes} has been in flight. */
    void limitTo(long bytes) {
        set(Math.min(windowBytes, bytes));
    }

    // = dx equation 1: "CWND + 1, if Q = 0"
    void grow() {
        set(windowBytes + segmentBytes);
    }

    // = dx equation 1: "CWND x (1 - Q / V), if Q > 0"
    void shrink(long delayNanos, long baseRttNanos) {
        long gapBytes = Math.abs(windowBytes - segmentBytes);
        if (windowBytes > segmentBytes) {
            set(windowBytes - share(gapBytes, Math.min(delayNanos, baseRttNanos), baseRttNanos));
        } else if (delayNanos < baseRttNanos) {
            set(windowBytes + share(gapBytes, delayNanos, baseRttNanos));
        } else {
            halve();
        }
    }

    private static long share(long bytes, long delayNanos, long baseRttNanos) {
        return RateMath.mulDivFloor(bytes, delayNanos, baseRttNanos);
    }

    /** Nothing is known of the path: half of it. */
    void halve() {
        set(windowBytes / 2);
    }

    private void set(long bytes) {
        windowBytes = Math.max(windowBytesMin, Math.min(bytes, WINDOW_BYTES_MAX));
    }

    /**
     * {@return what may be in flight: the window, or its whole segments. The law works with the fraction all the same}
     */
    long windowBytes() {
        return isWhole ? windowBytes - windowBytes % segmentBytes : windowBytes;
    }
}
