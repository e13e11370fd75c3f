package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.TransitionTable;

/**
 * How far a connection has come, until when it may stay there, and how it ended. It knows no other part of the
 * connection: {@link Connection} and {@link ConnectionInput} move it, and do what follows. O(1), no allocation.
 */
final class Lifecycle {
    /** How far a connection has come. What its two streams have come to, they know themselves. */
    enum State {
        /** An opening frame has been sent. */
        OPENING,
        /** An opening has been accepted, and the initiator has not shown yet that it knows. */
        HALF_OPEN,
        /** Both ends know of each other. */
        ESTABLISHED,
        /** Both streams have ended; repetitions are still answered. */
        LINGERING,
        /** Over. */
        CLOSED
    }

    /** What moves a connection from state to state. */
    enum Event {
        /** The peer has accepted the opening. */
        ACCEPTED,
        /** The initiator has sent a frame with the right tag. */
        CONFIRMED,
        /** Both streams have ended in order. */
        FINISHED,
        /** The time to linger is over. */
        LINGERED,
        /** Reset, abort, refusal or time-out. */
        ABORTED
    }

    static final TransitionTable<State, Event> TABLE = TransitionTable.of(State.class, Event.class)
            .on(Event.ACCEPTED, State.ESTABLISHED, State.OPENING)
            .on(Event.CONFIRMED, State.ESTABLISHED, State.HALF_OPEN)
            .on(Event.FINISHED, State.LINGERING, State.ESTABLISHED)
            .on(Event.LINGERED, State.CLOSED, State.LINGERING)
            .on(Event.ABORTED, State.CLOSED, State.OPENING, State.HALF_OPEN, State.ESTABLISHED, State.LINGERING)
            .build();

    /**
     * For how many of the peer's time-outs a connection lingers: the time between two repetitions of its end doubles.
     */
    private static final int LINGER_TIMEOUTS = 4;

    /** Changed by {@link #TABLE} alone, in {@link #move}. */
    private State state;
    /**
     * Until when it may stay as it is, or NO_DEADLINE; what passes then follows from {@link #state}: {@link
     * ConnectionInput#onTimeout}.
     */
    private long deadlineNanos = NO_DEADLINE;
    /** When it began to linger, or answered a repetition last; the gap tells how slowly the peer repeats. */
    private long lingerStartNanos = NO_DEADLINE;
    /** How long an ending connection may go without progress; written by {@link #endWithin}. */
    private long endingNanos;
    /** Bytes that the peer had acknowledged when {@link #deadlineNanos} was set for that; never falls. */
    private long endingBytes;

    /** Whether the host is about to go; set once, by {@link #leaveBy}. */
    private boolean isLeaving;

    /** How it ended, or null; written once by {@link #end}, before the handler is told. Any thread reads it. */
    private volatile CloseReason closeReason;
    /** How it ends once the handler has taken what came before the end, or null; written once by endAfterReading. */
    private CloseReason pendingReason;

    Lifecycle(State state) {
        this.state = state;
    }

    State state() {
        return state;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** An event that the table does not allow in this state is a mistake of this host. */
    void move(Event event) {
        state = TABLE.require(state, event);
    }

    /** {@return until when it may stay as it is, or NO_DEADLINE} */
    long deadlineNanos() {
        return deadlineNanos;
    }

    /** {@return how it ended, or null while it has not; any thread may ask} */
    CloseReason closeReason() {
        return closeReason;
    }

    /** Ends the connection at the latest at {@code latestNanos}, unless a later event sets another deadline. */
    void endBy(long latestNanos) {
        deadlineNanos = Math.min(deadlineNanos, latestNanos);
    }

    /** The host is about to go: the connection ends once the peer has acknowledged all, or then. */
    void leaveBy(long latestNanos) {
        isLeaving = true;
        endBy(latestNanos);
    }

    /** {@return whether the host is about to go, and waits for the peer's acknowledgement alone} */
    boolean isLeaving() {
        return isLeaving;
    }

    /** The initiator has shown that it knows of the connection, which may last for any time now. */
    void onConfirmed() {
        move(Event.CONFIRMED);
        deadlineNanos = NO_DEADLINE;
    }

    /** Ends the connection once the peer has acknowledged no more than {@code acknowledgedBytes} for {@code nanos}. */
    void endWithin(long nanos, long acknowledgedBytes, long nowNanos) {
        endingNanos = nanos;
        endingBytes = acknowledgedBytes;
        deadlineNanos = nowNanos + nanos;
    }

    /** {@return whether the deadline of {@link #endWithin} moves: the peer has acknowledged more since it was set} */
    boolean extend(long acknowledgedBytes, long nowNanos) {
        if (acknowledgedBytes <= endingBytes) {
            return false;
        }
        endWithin(endingNanos, acknowledgedBytes, nowNanos);
        return true;
    }

    /**
     * Waits for repetitions of the peer's end: its acknowledgement has not arrived, and repeats ever more slowly.
     *
     * @param lingerNanos the least time to wait
     * @param timeoutNanos the time-out that is known of the path
     */
    void linger(long lingerNanos, long timeoutNanos, long nowNanos) {
        long repeatNanos = lingerStartNanos == NO_DEADLINE ? 0 : nowNanos - lingerStartNanos;
        lingerStartNanos = nowNanos;
        deadlineNanos = nowNanos + Math.max(lingerNanos, LINGER_TIMEOUTS * Math.max(timeoutNanos, repeatNanos));
    }

    /**
     * The peer has ended the connection, and the handler has bytes to take first.
     *
     * @param latestNanos when the end comes even if the handler has not taken them
     */
    void endAfterReading(CloseReason reason, long latestNanos) {
        pendingReason = reason;
        endBy(latestNanos);
    }

    /** {@return whether the peer has ended the connection, and the handler has not taken yet what came before} */
    boolean isEndPending() {
        return pendingReason != null && state == State.ESTABLISHED;
    }

    /** {@return how the connection ends when the handler has taken what came before, or null} */
    CloseReason pendingReason() {
        return pendingReason;
    }

    /** {@return whether it had not ended before: the first reason holds} */
    boolean end(CloseReason reason) {
        if (closeReason != null) {
            return false;
        }
        closeReason = reason;
        return true;
    }
}
