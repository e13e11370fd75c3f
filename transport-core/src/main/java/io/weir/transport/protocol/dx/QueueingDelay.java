package io.weir.transport.protocol.dx;

import io.weir.transport.protocol.reactive.ExpiringMinimum;

/**
 * How long frames of one flow waited in queues on their way to the receiver, from two clocks that nobody has set. One
 * instance per flow; O(1); no allocation.
 *
 * <p>Source: DX, section III, "One-way queuing delay" and "Handling clock drift". The difference of the two clocks and
 * the empty path are one unknown number, the base: the one-way difference t2 - t1 of a frame that met no queue. Such a
 * frame is known by its round trip, which no clock distorts: it is the shortest.
 *
 * <p>The paper sets the base whenever a round trip is as short as the shortest. Between those moments more is known,
 * and is used here: a frame cannot have waited for less than nothing, nor for longer than its whole round trip exceeds
 * the shortest. Each sample thus leaves an interval for the base, into which it is moved. That makes the estimate right
 * again with the first sample after either clock was set, and holds it while clocks drift and the queue stays.
 *
 * <p>Short frames pass links faster than full ones. Once a full frame has come, the base is that of full frames, and a
 * short one only tells of delay beyond it.
 *
 * <p>Invariant: {@code 0 <= result <= round trip - shortest round trip}.
 */
final class QueueingDelay {
    private final ExpiringMinimum shortestRtt;
    private int baseNanos;
    private boolean isOfFullFrames;

    /** Creates an estimate that forgets a shortest round trip which was not seen again for {@code spanNanos}. */
    QueueingDelay(long spanNanos) {
        shortestRtt = new ExpiringMinimum(spanNanos);
    }

    /**
     * {@return how long a frame waited}
     *
     * @param t1 when it left, by this host's clock
     * @param t2 when it came, by the receiver's
     * @param rttNanos its round trip without the receiver's turnaround, above 0 and below 2 s
     * @param isFull whether it had as much payload as a frame may have
     */
    long onSample(int t1, int t2, long rttNanos, boolean isFull, long nowNanos) {
        // Both clocks wrap every 4.3 s, and so does their difference.
        int oneWayNanos = t2 - t1;
        if (isFull && !isOfFullFrames) {
            isOfFullFrames = true;
            shortestRtt.forget();
        }
        if (isFull == isOfFullFrames) {
            return onComparable(oneWayNanos, rttNanos, nowNanos);
        }
        long excessNanos = Math.max(0, rttNanos - shortestRtt.value());
        return Math.min(Math.max(0, oneWayNanos - baseNanos), excessNanos);
    }

    private long onComparable(int oneWayNanos, long rttNanos, long nowNanos) {
        boolean isFirst = shortestRtt.value() == ExpiringMinimum.NONE;
        shortestRtt.observe(rttNanos, nowNanos);
        int excessNanos = (int) (rttNanos - shortestRtt.value());
        int waitNanos = oneWayNanos - baseNanos;
        // = dx section III: "when the RTT measurement hits the new minimum or re-observe the current minimum": no
        // excess
        if (isFirst || waitNanos < 0 || waitNanos > excessNanos) {
            waitNanos = isFirst || waitNanos < 0 ? 0 : excessNanos;
            baseNanos = oneWayNanos - waitNanos;
        }
        return waitNanos;
    }

    /** {@return the round trip of an empty path, or {@link ExpiringMinimum#NONE} while there is none} */
    long baseRttNanos() {
        return shortestRtt.value();
    }
}
