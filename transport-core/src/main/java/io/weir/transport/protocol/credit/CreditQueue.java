package io.weir.transport.protocol.credit;

import io.weir.pacer.RateMath;
import io.weir.pacer.SeededRandom;
import io.weir.pacer.TokenBucket;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.CreditHeader;

/**
 * The credits that wait at a port, a host's or a switch's: a carved queue behind the credit meter.
 *
 * <p>Source: ExpressPass section 3.1, "Credit rate-limiting (switch and host NIC)": a leaky bucket of 2 credits and a
 * buffer of four to eight.
 *
 * <p>A credit for k frames is charged for all of them and counts as k where credits wait. A queue that is made for such
 * credits lets one wait where a credit for one frame would have found room, and pass when the bucket is full: what it
 * takes beyond that is paid for before anything else passes. So k frames in place of the bucket's burst may be granted
 * at once.
 */
public final class CreditQueue {
    private final FrameQueue queue = new FrameQueue();
    private final CreditPortConfig config;
    private final TokenBucket meter;
    /** The most that the meter ever charges for one credit. */
    private final long canPassBytesMax;

    private final SeededRandom random;
    /** Wire bytes of what waits, each credit as often as it grants frames. */
    private long weightBytes;

    private int frameCountMax;

    /** Creates an empty queue; which credits are dropped follows from {@code random}. */
    public CreditQueue(CreditPortConfig config, SeededRandom random) {
        this(config, 1, random);
    }

    /** Creates an empty queue for credits that grant up to {@code creditFramesMax} frames. */
    public CreditQueue(CreditPortConfig config, int creditFramesMax, SeededRandom random) {
        this.config = config;
        int largestBytes = config.chargeBytes(config.creditShape().wireBytesMax(), creditFramesMax);
        long debtBytesMax = Math.max(0, largestBytes - config.burstBytes());
        this.meter = new TokenBucket(config.rateBps(), config.burstBytes(), debtBytesMax);
        this.canPassBytesMax = config.burstBytes() + debtBytesMax;
        this.random = random;
    }

    /**
     * The port was not polled for a while: credits for {@code dataBytes} of frames may pass beyond the rate, and as
     * many may wait.
     *
     * @param dataBytesMax what is allowed at most and not used yet
     */
    public void makeUp(long dataBytes, long dataBytesMax, long nowNanos) {
        meter.makeUp(config.meteredBytes(dataBytes), config.meteredBytes(dataBytesMax), nowNanos);
    }

    /** Lets credits pass at another rate than the configuration's from now on. */
    public void setRateBps(long rateBps, long nowNanos) {
        meter.setRateBps(rateBps, nowNanos);
    }

    /**
     * {@return what may wait now: the queue's capacity, and what the meter lets pass at once to make up for a pause}
     */
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
        if (!canPass(credit)) {
            return credit;
        }
        Frame victim = null;
        if (weightBytes + credit.wireBytes() > queueBytesMax()) {
            victim = victimFor(credit);
            if (victim == credit) {
                return credit;
            }
        }
        add(credit);
        frameCountMax = Math.max(frameCountMax, queue.frameCount());
        return victim;
    }

    /** {@return whether the credit would wait without another one having to go} */
    public boolean hasRoomFor(Frame credit) {
        return weightBytes + credit.wireBytes() <= queueBytesMax();
    }

    private void add(Frame credit) {
        queue.add(credit);
        weightBytes += weightBytes(credit);
    }

    private static long weightBytes(Frame credit) {
        return (long) CreditHeader.frames(credit) * credit.wireBytes();
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
        weightBytes -= weightBytes(chosen);
        if (weightBytes + credit.wireBytes() <= queueBytesMax()) {
            return chosen;
        }
        // The chosen one was shorter than the newcomer: it stays, at the end, and the newcomer goes.
        add(chosen);
        return credit;
    }

    /** {@return the next credit that the meter lets through now, or null} */
    public Frame poll(long nowNanos) {
        Frame head = queue.peek();
        if (head == null || !meter.tryTake(chargeBytes(head), nowNanos)) {
            return null;
        }
        weightBytes -= weightBytes(head);
        return queue.poll();
    }

    private int chargeBytes(Frame credit) {
        return config.chargeBytes(credit.wireBytes(), CreditHeader.frames(credit));
    }

    /** Charges the meter for so many bytes of data and credits that the link carries without its consent. */
    public void owe(int wireBytes, long nowNanos) {
        meter.owe(config.owedBytes(wireBytes), nowNanos);
    }

    /** {@return whether the meter lets a credit through now that does not wait here; then it is charged for it} */
    public boolean tryPass(Frame credit, long nowNanos) {
        return meter.tryTake(chargeBytes(credit), nowNanos);
    }

    /** {@return when {@link #tryPass(Frame, long)} succeeds, if no other credit goes before} */
    public long passNanos(Frame credit, long nowNanos) {
        return meter.availableNanos(chargeBytes(credit), nowNanos);
    }

    /** {@return whether this credit ever leaves} */
    public boolean canPass(Frame credit) {
        return chargeBytes(credit) <= canPassBytesMax;
    }

    /**
     * {@return whether a credit of this size for one frame ever leaves: one that costs more than the bucket holds would
     * wait without end}
     */
    public boolean canPass(int wireBytes) {
        return config.chargeBytes(wireBytes, 1) <= canPassBytesMax;
    }

    /** {@return when a credit of this size for one frame passes, if no other credit goes before} */
    public long passNanos(int wireBytes, long nowNanos) {
        return meter.availableNanos(config.chargeBytes(wireBytes, 1), nowNanos);
    }

    /** {@return how long the meter takes for a credit of this size for one frame, in nanoseconds} */
    public long turnNanos(int wireBytes) {
        return RateMath.serializationNanosCeil(config.chargeBytes(wireBytes, 1), meter.rateBps());
    }

    /** {@return when the meter lets the next credit through, or NO_DEADLINE when none waits} */
    public long nextNanos(long nowNanos) {
        Frame head = queue.peek();
        return head == null ? Deadline.NO_DEADLINE : meter.availableNanos(chargeBytes(head), nowNanos);
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
        weightBytes = 0;
    }
}
