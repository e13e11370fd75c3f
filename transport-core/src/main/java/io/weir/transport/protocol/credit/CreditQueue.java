package io.weir.transport.protocol.credit;

import io.weir.pacer.SeededRandom;
import io.weir.pacer.TokenBucket;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.time.Deadline;

/**
 * The credits that wait at a port, a host's or a switch's: a carved queue behind the credit meter.
 *
 * <p>Source: ExpressPass section 3.1, "Credit rate-limiting (switch and host NIC)": a leaky bucket of 2 credits and a
 * buffer of four to eight.
 */
public final class CreditQueue {
    private final FrameQueue queue = new FrameQueue();
    private final CreditPortConfig config;
    private final TokenBucket meter;
    private final SeededRandom random;
    private int frameCountMax;

    /** Creates an empty queue; which credits are dropped follows from {@code random}. */
    public CreditQueue(CreditPortConfig config, SeededRandom random) {
        this.config = config;
        this.meter = new TokenBucket(config.rateBps(), config.burstBytes());
        this.random = random;
    }

    /**
     * The port was not polled for a while: credits for {@code dataBytes} of frames may pass beyond the rate, and as many may wait.
     *
     * @param dataBytesMax what is allowed at most and not used yet
     */
    public void makeUp(long dataBytes, long dataBytesMax, long nowNanos) {
        meter.makeUp(meteredBytes(dataBytes), meteredBytes(dataBytesMax), nowNanos);
    }

    private long meteredBytes(long dataBytes) {
        int chargedBytes = config.creditShape().wireBytesMean() + config.surchargeBytes();
        return dataBytes / config.creditShape().dataWireBytesMax() * chargedBytes;
    }

    /** {@return what may wait now: the queue's capacity, and what the meter lets pass at once to make up for a pause} */
    private long queueBytesMax() {
        long surplusBytes = meter.surplusBytes();
        if (surplusBytes == 0) {
            return config.queueBytesMax();
        }
        int creditBytes = config.creditShape().wireBytesMax();
        return config.queueBytesMax() + surplusBytes / (creditBytes + config.surchargeBytes()) * creditBytes;
    }

    /** {@return null when the credit was taken and all is well, or the credit that must go: this one or another} */
    public Frame offer(Frame credit) {
        if (!canPass(credit.wireBytes())) {
            return credit;
        }
        Frame victim = null;
        if (queue.wireBytes() + credit.wireBytes() > queueBytesMax()) {
            victim = victimFor(credit);
            if (victim == credit) {
                return credit;
            }
        }
        queue.add(credit);
        frameCountMax = Math.max(frameCountMax, queue.frameCount());
        return victim;
    }

    @SuppressWarnings("ReferenceEquality")
    private Frame victimFor(Frame credit) {
        if (config.drop() == CreditPortConfig.Drop.TAIL) {
            return credit;
        }
        int choice = random.nextInt(queue.frameCount() + 1);
        if (choice == queue.frameCount()) {
            return credit;
        }
        Frame chosen = queue.remove(choice);
        if (queue.wireBytes() + credit.wireBytes() <= queueBytesMax()) {
            return chosen;
        }
        // The chosen one was shorter than the newcomer: it stays, at the end, and the newcomer goes.
        queue.add(chosen);
        return credit;
    }

    /** {@return the next credit that the meter lets through now, or null} */
    public Frame poll(long nowNanos) {
        Frame head = queue.peek();
        return head != null && tryPass(head.wireBytes(), nowNanos) ? queue.poll() : null;
    }

    /**
     * Charges the meter for a credit that does not wait here.
     *
     * @param wireBytes what the credit itself occupies on the link; 0 for one that rides on data
     * @return whether the meter lets it through now
     */
    public boolean tryPass(int wireBytes, long nowNanos) {
        return meter.tryTake(wireBytes + config.surchargeBytes(), nowNanos);
    }

    /** {@return whether a credit of this size ever leaves: one that costs more than the bucket holds would wait for ever} */
    public boolean canPass(int wireBytes) {
        return wireBytes + config.surchargeBytes() <= config.burstBytes();
    }

    /** {@return when {@link #tryPass} succeeds, if no other credit goes before} */
    public long passNanos(int wireBytes, long nowNanos) {
        return meter.availableNanos(wireBytes + config.surchargeBytes(), nowNanos);
    }

    /** {@return when the meter lets the next credit through, or NO_DEADLINE when none waits} */
    public long nextNanos(long nowNanos) {
        Frame head = queue.peek();
        return head == null ? Deadline.NO_DEADLINE : passNanos(head.wireBytes(), nowNanos);
    }

    /** {@return credits that wait} */
    public int frameCount() {
        return queue.frameCount();
    }

    /** {@return the most credits that have waited at once} */
    public int frameCountMax() {
        return frameCountMax;
    }

    /** Forgets the most: it counts from now on. */
    public void restartMax() {
        frameCountMax = queue.frameCount();
    }

    /** Returns every waiting credit to its pool. */
    public void releaseAll() {
        queue.releaseAll();
    }
}
