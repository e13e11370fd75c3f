package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.flow.BufferBudget;
import io.weir.transport.flow.ReceiveBuffer;
import io.weir.transport.flow.SendBuffer;

/**
 * Takes memory away from a connection that has not needed it for a second, and tries again for one that was refused
 * some.
 *
 * <p>Costs two comparisons per call while nothing is due, and a timer per second for a connection that holds memory.
 */
final class BufferCare {
    /**
     * How long a connection must carry no byte before its memory goes: between one and two of these, as it is looked at
     * once in each.
     */
    static final long IDLE_NANOS = 1_000_000_000L;

    private static final long RETRY_NANOS_MIN = 1_000_000L;
    private static final long RETRY_NANOS_MAX = 64 * RETRY_NANOS_MIN;

    private final StreamSender sender;
    private final SendBuffer sending;
    private final ReceiveBuffer receiving;
    private final BufferBudget budget;
    /** When {@link #onTimeout} has something to do. */
    private long dueNanos = NO_DEADLINE;
    /** How long to wait before the next try for memory; doubles with each that fails. */
    private long retryNanos = RETRY_NANOS_MIN;
    /** The sum of both streams' lengths when the time without a byte started. */
    private long markedBytes;

    BufferCare(StreamSender sender, ReceiveBuffer receiving, BufferBudget budget) {
        this.sender = sender;
        this.sending = sender.buffer();
        this.receiving = receiving;
        this.budget = budget;
    }

    /**
     * After anything has happened: sees to it that the connection is looked at again if it holds or lacks memory.
     *
     * @param isLacking whether the connection waits for memory
     */
    void settle(boolean isLacking, long nowNanos) {
        if (isLacking) {
            dueNanos = Math.min(dueNanos, nowNanos + retryNanos);
        } else if (dueNanos == NO_DEADLINE && (sending.holdsMemory() || receiving.holdsMemory())) {
            markedBytes = carriedBytes();
            dueNanos = nowNanos + IDLE_NANOS;
        }
    }

    private long carriedBytes() {
        return sending.endOffset() + sending.baseOffset() + receiving.extentOffset() + receiving.readOffset();
    }

    long nextTimeoutNanos() {
        return dueNanos;
    }

    /**
     * Does what is due.
     *
     * @param isLacking whether the connection waits for memory
     * @return whether the connection is to try for memory again
     */
    boolean onTimeout(boolean isLacking, long nowNanos) {
        if (nowNanos < dueNanos) {
            return false;
        }
        dueNanos = NO_DEADLINE;
        if (isLacking) {
            retryNanos = Math.min(2 * retryNanos, RETRY_NANOS_MAX);
            return true;
        }
        retryNanos = RETRY_NANOS_MIN;
        if (carriedBytes() == markedBytes) {
            sending.trim();
            receiving.trim();
            sender.trim();
            budget.trim();
        }
        return false;
    }
}
