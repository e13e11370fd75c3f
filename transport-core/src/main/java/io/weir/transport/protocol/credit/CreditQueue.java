package io.weir.transport.protocol.credit;

import io.weir.pacer.TokenBucket;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.time.Deadline;

/**
 * The credits that wait at a port, a host's or a switch's: a carved tail-drop queue behind the credit meter.
 *
 * <p>Source: ExpressPass section 3.1, "Credit rate-limiting (switch and host NIC)": a leaky bucket of 2 credits and a
 * buffer of four to eight.
 */
public final class CreditQueue {
    private final FrameQueue queue = new FrameQueue();
    private final TokenBucket meter;
    private final int surchargeBytes;
    private final int capacityBytes;
    private int frameCountMax;

    /** Creates an empty queue of {@code capacityBytes} on the wire (8 x 84 = 672 by default). */
    public CreditQueue(CreditMeterConfig config, int capacityBytes) {
        this.meter = new TokenBucket(config.rateBps(), config.burstBytes());
        this.surchargeBytes = config.surchargeBytes();
        this.capacityBytes = capacityBytes;
    }

    /** {@return whether a credit of this size would find room} */
    public boolean hasRoom(int wireBytes) {
        return queue.wireBytes() + wireBytes <= capacityBytes;
    }

    /** {@return whether the credit was taken; if not, it is still the caller's, who drops it} */
    public boolean offer(Frame credit) {
        if (!hasRoom(credit.wireBytes())) {
            return false;
        }
        queue.add(credit);
        frameCountMax = Math.max(frameCountMax, queue.frameCount());
        return true;
    }

    /** {@return the next credit that the meter lets through now, or null} */
    public Frame poll(long nowNanos) {
        Frame head = queue.peek();
        if (head == null || !meter.tryTake(head.wireBytes() + surchargeBytes, nowNanos)) {
            return null;
        }
        return queue.poll();
    }

    /** {@return when the meter lets the next credit through, or NO_DEADLINE when none waits} */
    public long nextNanos(long nowNanos) {
        Frame head = queue.peek();
        return head == null ? Deadline.NO_DEADLINE : meter.availableNanos(head.wireBytes() + surchargeBytes, nowNanos);
    }

    /** {@return credits that wait} */
    public int frameCount() {
        return queue.frameCount();
    }

    /** {@return the most credits that have waited at once} */
    public int frameCountMax() {
        return frameCountMax;
    }

    /** Returns every waiting credit to its pool. */
    public void releaseAll() {
        queue.releaseAll();
    }
}
