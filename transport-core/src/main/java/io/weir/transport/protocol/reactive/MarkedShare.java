package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.AckSample;

/**
 * How large a share of a flow's bytes switches mark, as an exponentially weighted mean over windows of data. One
 * instance per flow; O(1); integer arithmetic; no allocation.
 *
 * <p>Source: RFC 8257 section 3.3 (DCTCP.Alpha). Deviation: acknowledgements count marked frames exactly, so that the
 * share needs no guess at which of the frames that one covers were marked (section 3.2's two states of the receiver).
 */
public final class MarkedShare {
    private static final int SCALE_BITS = 30;
    private static final int HALF_BITS = SCALE_BITS / 2;
    private static final long ONE = 1L << SCALE_BITS;

    private final long gain;
    private final int segmentBytes;
    private long alpha;
    private long arrivedBytes;
    private long markedBytes;
    private long windowEndPacketNumber;

    /**
     * Creates the estimate of a flow that has sent nothing: {@code firstAlpha}, moved by {@code gainFraction} of each
     * window.
     */
    public MarkedShare(double firstAlpha, double gainFraction, int segmentBytes) {
        this.alpha = Math.round(firstAlpha * ONE);
        this.gain = Math.round(gainFraction * ONE);
        this.segmentBytes = segmentBytes;
    }

    /** Counts what an acknowledgement told; at the end of a window of data the estimate moves. */
    public void onAck(AckSample ack) {
        arrivedBytes += ack.arrivedBytes();
        markedBytes += markedBytes(ack);
        if (ack.ackedPacketNumber() <= windowEndPacketNumber || arrivedBytes == 0) {
            return;
        }
        long share = ONE * Math.min(markedBytes, arrivedBytes) / arrivedBytes;
        // = rfc8257 section 3.3 step 6: "DCTCP.Alpha = DCTCP.Alpha * (1 - g) + g * M"
        alpha += (gain * (share - alpha)) >> SCALE_BITS;
        windowEndPacketNumber = ack.sentPacketNumber();
        arrivedBytes = 0;
        markedBytes = 0;
    }

    private long markedBytes(AckSample ack) {
        long frames = ack.arrivedFrames();
        return ack.markedFrames() < frames
                ? ack.arrivedBytes() * ack.markedFrames() / frames
                : Math.max(ack.arrivedBytes(), ack.markedFrames() * segmentBytes);
    }

    /** {@return this share of {@code bytes}} */
    public long of(long bytes) {
        return (bytes * (alpha >> HALF_BITS)) >> HALF_BITS;
    }

    /** {@return the estimate, for reports and tests} */
    public double fraction() {
        return (double) alpha / ONE;
    }
}
