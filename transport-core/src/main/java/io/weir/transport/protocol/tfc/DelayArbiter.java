package io.weir.transport.protocol.tfc;

import io.weir.pacer.RateMath;

/**
 * How many bytes may be granted to flows now: a counter that rises with the link's expected utilization and falls with
 * every window that is let pass. One instance per port; O(1).
 *
 * <p>Source: TFC section 4.6. The paper's counter has no bounds; this one is at most what the link passes in a round
 * trip, so that a time without flows is not saved up, and at least the negative of that, so that windows which pass at
 * once delay others for a round trip at most.
 *
 * <p>Deviation: it waits while more than that is in the port's queue. What fills the queue then has been granted by
 * nobody (handshakes, other protocols), and the counter knows nothing of it.
 */
final class DelayArbiter {
    private final long linkRateBps;
    private final long fillRateBps;
    private final int frameWireBytes;
    private long capBytes;
    private long counterNanobits;
    private long filledNanos;
    private long queuedNanos;

    DelayArbiter(long linkRateBps, int rho0Ppm, int frameWireBytes, long linkBytes) {
        this.linkRateBps = linkRateBps;
        this.fillRateBps = Math.max(1, RateMath.scalePpmFloor(linkRateBps, rho0Ppm));
        this.frameWireBytes = frameWireBytes;
        setCap(linkBytes);
        counterNanobits = RateMath.nanobits(capBytes);
    }

    /** The link passes {@code linkBytes} in a round trip. */
    void setCap(long linkBytes) {
        capBytes = Math.max(2L * frameWireBytes, Math.min(linkBytes, RateMath.BYTES_MAX / 2));
    }

    /** So much is in the port's queue. */
    void onQueue(long queueBytes, long nowNanos) {
        if (queueBytes > capBytes) {
            queuedNanos = nowNanos + RateMath.serializationNanosFloor(queueBytes - capBytes, linkRateBps);
        }
    }

    /** {@return whether the counter has a frame, and the queue is no obstacle} */
    boolean hasFrame(long nowNanos) {
        fill(nowNanos);
        return queuedNanos <= nowNanos && counterNanobits >= RateMath.nanobits(frameWireBytes);
    }

    /** {@return when that is so if nothing is taken from it} */
    long frameNanos() {
        long missing = RateMath.nanobits(frameWireBytes) - counterNanobits;
        long waitNanos = missing <= 0 ? 0 : (missing + fillRateBps - 1) / fillRateBps;
        return Math.max(queuedNanos, filledNanos + waitNanos);
    }

    /** A window has been let pass. */
    void take(long windowBytes, long nowNanos) {
        fill(nowNanos);
        long least = -RateMath.nanobits(capBytes);
        counterNanobits = Math.max(least, counterNanobits - RateMath.nanobits(Math.min(windowBytes, 2 * capBytes)));
    }

    private void fill(long nowNanos) {
        long elapsedNanos = nowNanos - filledNanos;
        filledNanos = nowNanos;
        long missing = RateMath.nanobits(capBytes) - counterNanobits;
        if (missing <= 0 || elapsedNanos > missing / fillRateBps) {
            counterNanobits = RateMath.nanobits(capBytes);
        } else {
            counterNanobits += elapsedNanos * fillRateBps;
        }
    }

    /** {@return the counter in whole bytes} */
    long counterBytes() {
        return counterNanobits / RateMath.NANOBITS_PER_BYTE;
    }
}
