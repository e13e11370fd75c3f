package io.weir.transport.protocol.peers;

/**
 * Where the window of a CUBIC flow should be at a time: a cubic of the time since the latest reduction, whose flat part
 * is where the loss was, or Reno's line where that is above it. One instance per flow; O(1); bytes, integers but for
 * one cube root a reduction; no allocation.
 *
 * <p>Source: RFC 9438 section 4.1 to 4.5, 4.7. Time is in microseconds, the RFC's in seconds.
 */
final class CubicCurve {
    private static final long MICROSECOND = 1_000;
    private static final long SECOND = 1_000_000;
    private static final long PPM = 1_000_000;
    /** Beyond that the cubic is larger than any window. */
    private static final long SPAN_MICROS_MAX = 100 * SECOND;

    private final int segmentBytes;
    private final long scalePpm;
    private final long betaPpm;
    private final boolean convergesFast;
    private final long friendlyPpm;

    /** Whether an epoch of growth runs: begun by the first growth, ended by a loss or a time-out. */
    private boolean isRunning;
    /** W_max: where the latest reduction began, or less with fast convergence; 0 if unknown. */
    private long lossBytes;
    /** cwnd_prior, the window at the latest reduction; Reno's growth is faster from there on. */
    private long priorBytes;
    // When the epoch began, moved past idle times, and when the curve was asked last: epochNanos <= latestNanos.
    private long epochNanos;
    private long latestNanos;
    /** K, how long after the epoch's begin the curve is flat at W_max; written by begin. */
    private long flatMicros;
    // W_est, the window that Reno would have, and the bytes towards its next segment; begun again with each epoch.
    private long friendlyBytes;
    private long friendlyCredit;
    /** What is left of the division by the window, in bytes squared; less than the window. */
    private long growthRemainder;

    /**
     * Creates the curve of a flow that has lost nothing.
     *
     * @param scalePpm C, in segments per cubed second
     * @param betaPpm what a reduction leaves of the window
     * @param convergesFast whether a flow that lost below its last W_max leaves room for others (section 4.7)
     */
    CubicCurve(int segmentBytes, long scalePpm, long betaPpm, boolean convergesFast) {
        this.segmentBytes = segmentBytes;
        this.scalePpm = scalePpm;
        this.betaPpm = betaPpm;
        this.convergesFast = convergesFast;
        // = rfc9438 section 4.3: alpha_cubic = 3 * (1 - beta_cubic) / (1 + beta_cubic)
        this.friendlyPpm = 3 * (PPM - betaPpm) * PPM / (PPM + betaPpm);
    }

    /** Frames were lost with a window of {@code windowBytes}. */
    void onLoss(long windowBytes) {
        // = rfc9438 section 4.7: "W_max = cwnd * (1 + beta_cubic) / 2" if "cwnd < W_max and fast convergence enabled"
        boolean gaveUpRoom = convergesFast && windowBytes < lossBytes;
        lossBytes = gaveUpRoom ? windowBytes * (PPM + betaPpm) / (2 * PPM) : windowBytes;
        priorBytes = windowBytes;
        isRunning = false;
    }

    /** After a time-out nothing is known of where the next loss will be (section 4.8). */
    void forget() {
        lossBytes = 0;
        isRunning = false;
    }

    /** The flow had nothing to send, or not enough: that time does not count (section 5.8). */
    void pause(long nowNanos) {
        if (isRunning) {
            epochNanos += nowNanos - latestNanos;
            latestNanos = nowNanos;
        }
    }

    /**
     * {@return the window after {@code arrivedBytes} more have arrived in congestion avoidance}
     *
     * @param windowBytes the window until now
     * @param rttNanos the smoothed round-trip time
     */
    long advance(long windowBytes, long arrivedBytes, long rttNanos, long nowNanos) {
        if (!isRunning) {
            begin(windowBytes, nowNanos);
        }
        latestNanos = nowNanos;
        growFriendly(windowBytes, arrivedBytes);
        long micros = (nowNanos - epochNanos) / MICROSECOND;
        if (cubicBytes(micros) < friendlyBytes) {
            return Math.max(windowBytes, friendlyBytes);
        }
        // = rfc9438 section 4.2: target is W_cubic(t + RTT), at least cwnd, at most 1.5 * cwnd
        long targetBytes = cubicBytes(micros + rttNanos / MICROSECOND);
        long gapBytes = Math.max(0, Math.min(targetBytes - windowBytes, windowBytes / 2));
        // = rfc9438 section 4.4: cwnd grows by (target - cwnd) / cwnd for each acknowledged segment
        long growth = gapBytes * arrivedBytes + growthRemainder;
        growthRemainder = growth % windowBytes;
        return windowBytes + growth / windowBytes;
    }

    private void begin(long windowBytes, long nowNanos) {
        isRunning = true;
        epochNanos = nowNanos;
        growthRemainder = 0;
        friendlyCredit = 0;
        friendlyBytes = windowBytes;
        if (lossBytes <= windowBytes) {
            // = rfc9438 section 4.8 and 4.10: without a loss to return to, K is 0 and W_max the window
            lossBytes = windowBytes;
            flatMicros = 0;
        } else {
            double segments = (double) (lossBytes - windowBytes) / segmentBytes;
            // = rfc9438 section 4.2 figure 2: K = cubic_root((W_max - cwnd_epoch) / C)
            flatMicros = (long) (StrictMath.cbrt(segments * PPM / scalePpm) * SECOND);
        }
    }

    // = rfc9438 section 4.3 figure 4: W_est grows by alpha_cubic * segments_acked / cwnd, as Reno once it is back at
    // cwnd_prior
    private void growFriendly(long windowBytes, long arrivedBytes) {
        friendlyCredit += arrivedBytes * (friendlyBytes < priorBytes ? friendlyPpm : PPM) / PPM;
        if (friendlyCredit >= windowBytes) {
            friendlyCredit -= windowBytes;
            friendlyBytes += segmentBytes;
        }
    }

    // = rfc9438 section 4.2 figure 1: W_cubic(t) = C * (t - K)^3 + W_max
    private long cubicBytes(long micros) {
        long span = Math.max(-SPAN_MICROS_MAX, Math.min(SPAN_MICROS_MAX, micros - flatMicros));
        long cube = span * span / SECOND * span / SECOND;
        return lossBytes + cube * segmentBytes / SECOND * scalePpm / PPM;
    }
}
