package io.weir.transport.protocol.credit;

import io.weir.pacer.TokenBucket;
import io.weir.transport.frame.Frame;
import io.weir.transport.wire.CreditHeader;

/**
 * Limits the credits that come in by a port of a switch which does not always run, to the data that the port's link can
 * send.
 *
 * <p>A credit brings data that leaves by the port by which the credit came. The host that sends the credits meters them
 * by time, but the link sends nothing while the switch does not run. So the same meter stands here, by the time in
 * which the switch ran and what the link makes up for. Without it the credits that a pause has gathered would bring
 * their data together, and those of every further pause as well.
 *
 * <p>Over any time it admits what the link sends, two buckets' bursts and a queue of credits for jitter, and the pause
 * budget: that is all that the port's own pauses add to its data queue. Owned by the switch's thread; O(1), no
 * allocation.
 */
public final class CreditInflow {
    private final CreditPortConfig config;
    private final TokenBucket meter;
    /** All pauses together, in nanoseconds: the meter's time is the driver's less this. */
    private long pausedNanos;

    /** Creates a full meter. */
    public CreditInflow(CreditPortConfig config) {
        int queueCredits = config.queueBytesMax() / config.creditShape().wireBytesMin();
        int creditBytes = config.chargeBytes(config.creditShape().wireBytesMax(), 1);
        this.config = config;
        this.meter = new TokenBucket(config.rateBps(), 2 * config.burstBytes() + (long) queueCredits * creditBytes);
    }

    /**
     * The switch did not run for {@code pauseNanos}.
     *
     * @param dataBytes what the link makes up for
     * @param dataBytesMax what is made up for at most and not used yet
     */
    public void onPause(long pauseNanos, long dataBytes, long dataBytesMax, long nowNanos) {
        pausedNanos += pauseNanos;
        meter.makeUp(config.meteredBytes(dataBytes), config.meteredBytes(dataBytesMax), nowNanos - pausedNanos);
    }

    /** {@return whether the link can send what this credit brings} */
    public boolean admits(Frame credit, long nowNanos) {
        return meter.tryTake(
                config.chargeBytes(credit.wireBytes(), CreditHeader.frames(credit)), nowNanos - pausedNanos);
    }
}
