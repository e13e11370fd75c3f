package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

/**
 * The standing credit of one flow: whether an idle sender is to get one, and the one that it has. While it is out it
 * holds its place in the host's {@link StandingBudget}. O(1); no allocation.
 */
final class StandingCredit {
    /** How long an idle sender may keep it; its receiver counts it for twice as long. */
    static final long KEPT_NANOS = 100_000_000L;

    private final StandingBudget.Account account;
    /** Whether the sender is to get one; cleared by the attempt to make it. */
    private boolean isWanted;
    /** The number of the one that is out, 0 for none; written by {@link #tryMake} and {@link #end}. */
    private long sequence;
    /** When it is given up; meaningless while none is out. Written by {@link #tryMake}. */
    private long expiryNanos;
    /** Whether the host's meter has been charged for its frame. */
    private boolean isMetered;

    StandingCredit(StandingBudget.Account account) {
        this.account = account;
    }

    void setWanted(boolean value) {
        isWanted = value;
    }

    /** {@return whether one is to be made, and none is out} */
    boolean isDue() {
        return isWanted && sequence == 0;
    }

    /**
     * Makes one, or gives up making it.
     *
     * @param hasRoom whether the receive buffer has room for its frame
     * @param nextSequence the number that it gets
     * @return whether it is to be sent
     */
    boolean tryMake(boolean hasRoom, long nextSequence, long nowNanos) {
        boolean isMade = isWanted && hasRoom && account.tryTake();
        isWanted = false;
        if (isMade) {
            sequence = nextSequence;
            isMetered = false;
            expiryNanos = nowNanos + 2 * KEPT_NANOS;
        }
        return isMade;
    }

    /** The host's meter has charged the frame of the one that is out. */
    void setMetered() {
        isMetered = true;
    }

    boolean isMetered() {
        return isMetered;
    }

    /** The one that is out, if any, is no more. */
    void end() {
        if (sequence != 0) {
            sequence = 0;
            account.giveBack();
        }
    }

    /** The flow ends: it gets none any more. */
    void close() {
        isWanted = false;
        end();
        account.close();
    }

    /** {@return the number of the one that is out, 0 for none} */
    long sequence() {
        return sequence;
    }

    /** {@return when the one that is out is given up} */
    long expiryNanos() {
        return sequence == 0 ? NO_DEADLINE : expiryNanos;
    }
}
