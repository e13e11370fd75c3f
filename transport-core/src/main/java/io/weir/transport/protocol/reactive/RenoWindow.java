package io.weir.transport.protocol.reactive;

import io.weir.transport.node.ConfigException;

/**
 * The congestion window of RFC 5681: slow start below a threshold, one segment a round trip above it. What happens on a
 * loss is its owner's affair. Bytes of payload; integer arithmetic; no allocation.
 */
public final class RenoWindow {
    private static final long WINDOW_BYTES_MAX = 1L << 40;

    private static final int SEGMENTS_MIN = 2;

    private final int segmentBytes;
    private final long reducedBytesMin;
    private long windowBytes;
    private long thresholdBytes = WINDOW_BYTES_MAX;
    private long arrivedBytes;

    /** Creates a window of {@code initialSegments}, in slow start. */
    public RenoWindow(int segmentBytes, long initialSegments) {
        this(segmentBytes, initialSegments, SEGMENTS_MIN);
    }

    /**
     * Creates a window of {@code initialSegments}, in slow start, that no reduction makes smaller than {@code
     * segmentsMin}.
     */
    public RenoWindow(int segmentBytes, long initialSegments, long segmentsMin) {
        if (segmentBytes < 1 || initialSegments < 1 || segmentsMin < 1) {
            throw new ConfigException("segmentBytes=" + segmentBytes + ", initialSegments=" + initialSegments
                    + " and segmentsMin=" + segmentsMin + " must be at least 1");
        }
        this.segmentBytes = segmentBytes;
        this.reducedBytesMin = segmentsMin * segmentBytes;
        this.windowBytes = segmentBytes * initialSegments;
    }

    /** Bytes have arrived, of a flow that its window held back. */
    public void grow(long bytes) {
        if (isInSlowStart()) {
            // = rfc5681 section 3.1 equation 2: "cwnd += min (N, SMSS)", with each frame acknowledged
            windowBytes = Math.min(windowBytes + bytes, WINDOW_BYTES_MAX);
            return;
        }
        // = rfc5681 section 3.1: "increments cwnd by one SMSS, if the amount of data acknowledged reaches cwnd"
        arrivedBytes += bytes;
        if (arrivedBytes >= windowBytes) {
            arrivedBytes -= windowBytes;
            windowBytes += segmentBytes;
        }
    }

    /** Sets window and threshold to {@code bytes}, or the least that a reduction leaves: slow start is over. */
    public void reduceTo(long bytes) {
        thresholdBytes = Math.max(bytes, reducedBytesMin);
        windowBytes = thresholdBytes;
        arrivedBytes = 0;
    }

    /** Begins again with one segment and a threshold of {@code bytes}, or the least that a reduction leaves. */
    public void restart(long bytes) {
        reduceTo(bytes);
        windowBytes = segmentBytes;
    }

    /** Sets the window alone. */
    public void set(long bytes) {
        windowBytes = Math.max(segmentBytes, Math.min(bytes, WINDOW_BYTES_MAX));
    }

    /** {@return whether the window is below the threshold} */
    public boolean isInSlowStart() {
        return windowBytes < thresholdBytes;
    }

    /** {@return the window} */
    public long windowBytes() {
        return windowBytes;
    }

    /** {@return the slow-start threshold} */
    public long thresholdBytes() {
        return thresholdBytes;
    }

    /** {@return the payload of a segment} */
    public int segmentBytes() {
        return segmentBytes;
    }
}
