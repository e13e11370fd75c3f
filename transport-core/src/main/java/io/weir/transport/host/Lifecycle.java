package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.ResetHeader;

/** How far a connection has come, until when it may stay there, and how it ended. */
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

    private final Connection connection;
    private final HostStack host;
    /** Changed by {@link #TABLE} alone. */
    private State state;
    /** Until when it may stay as it is, or NO_DEADLINE; what that means follows from {@link #state}: see onDeadline. */
    private long deadlineNanos = NO_DEADLINE;
    /** When it began to linger, or answered a repetition last; the gap tells how slowly the peer repeats. */
    private long lingerStartNanos = NO_DEADLINE;
    /** How long an ending connection may go without progress. */
    private long endingNanos;
    /** Bytes that the peer had acknowledged when {@link #deadlineNanos} was set for that. */
    private long endingBytes;

    /** How it ended, or null; written once by end(), before the handler is told. Any thread reads it. */
    private volatile CloseReason closeReason;
    /** How it ends once the handler has taken what came before the end, or null. */
    private CloseReason pendingReason;

    Lifecycle(Connection connection, HostStack host, State state) {
        this.connection = connection;
        this.host = host;
        this.state = state;
    }

    State state() {
        return state;
    }

    /** {@return until when it may stay as it is, or NO_DEADLINE} */
    long deadlineNanos() {
        return deadlineNanos;
    }

    /** {@return how it ended, or null while it has not; any thread may ask} */
    CloseReason closeReason() {
        return closeReason;
    }

    void onAccepted() {
        state = TABLE.require(state, Event.ACCEPTED);
    }

    void awaitConfirmation(long nowNanos) {
        deadlineNanos = nowNanos + host.config().timers().userTimeoutNanos();
    }

    void onConfirmed() {
        state = TABLE.require(state, Event.CONFIRMED);
        deadlineNanos = NO_DEADLINE;
        host.handshake().onHalfOpenEnded(connection);
    }

    void endBy(long newDeadlineNanos) {
        deadlineNanos = newDeadlineNanos;
    }

    /** Ends the connection once the peer has acknowledged nothing for {@code nanos}. */
    void endWithin(long nanos) {
        endingNanos = nanos;
        endingBytes = connection.acknowledgedBytes();
        deadlineNanos = host.nowNanos() + nanos;
    }

    void finish(long nowNanos) {
        state = TABLE.require(state, Event.FINISHED);
        linger(nowNanos);
        end(CloseReason.FINISHED);
        connection.releaseBuffers();
    }

    /** Waits for repetitions of the peer's end: it has not heard its acknowledgement, and repeats ever more slowly. */
    void linger(long nowNanos) {
        HostConfig.Timers timers = host.config().timers();
        long knownNanos = Math.max(
                timers.retransmitNanosInitial(), connection.sender().rtt().timeoutNanos());
        long repeatNanos = lingerStartNanos == NO_DEADLINE ? 0 : nowNanos - lingerStartNanos;
        lingerStartNanos = nowNanos;
        deadlineNanos = nowNanos + Math.max(timers.lingerNanos(), LINGER_TIMEOUTS * Math.max(knownNanos, repeatNanos));
    }

    /** Does what the deadline is for, which has passed. */
    void onDeadline() {
        if (state == State.LINGERING) {
            state = TABLE.require(state, Event.LINGERED);
            host.onEnded(connection);
            host.forget(connection);
        } else if (pendingReason != null) {
            close(pendingReason);
        } else if (connection.isLeaving()) {
            connection.abort(CloseReason.HOST_CLOSED, null);
        } else if (state == State.ESTABLISHED) {
            if (connection.acknowledgedBytes() > endingBytes) {
                // What was written is still being delivered, however slowly.
                endWithin(endingNanos);
            } else {
                timeOut(CloseReason.TIMED_OUT);
            }
        } else {
            close(CloseReason.OPEN_TIMED_OUT);
        }
    }

    /** Gives the peer up, and tells it so. */
    void timeOut(CloseReason reason) {
        host.sendReset(connection, ResetHeader.TIMED_OUT);
        close(reason);
    }

    /**
     * The peer has ended the connection. A handler takes what came before that first; if it leaves some of it for
     * longer than a user time-out, the end comes first after all.
     */
    void closeAfterReading(CloseReason reason, boolean hasUntaken) {
        if (state != State.ESTABLISHED || !hasUntaken) {
            close(reason);
        } else if (pendingReason == null) {
            pendingReason = reason;
            endBy(Math.min(
                    deadlineNanos, host.nowNanos() + host.config().timers().userTimeoutNanos()));
            // It may have waited for room to write: what it writes from now on goes nowhere, and never fills up.
            connection.resumeReading();
        }
    }

    /** {@return whether the peer has ended the connection, and the handler has not taken yet what came before} */
    boolean isEndPending() {
        return pendingReason != null && state == State.ESTABLISHED;
    }

    /** Ends a connection that the peer has ended, if the handler has taken everything. */
    void endIfRead() {
        if (!connection.hasUntaken()) {
            close(pendingReason);
        }
    }

    /** Ends the connection without a word to the peer. */
    void close(CloseReason reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state == State.HALF_OPEN) {
            host.handshake().onHalfOpenEnded(connection);
        }
        state = TABLE.require(state, Event.ABORTED);
        if (connection.receiver() != null) {
            connection.receiver().protocol().onFinished(host.nowNanos());
        }
        host.forget(connection);
        end(reason);
        connection.releaseBuffers();
    }

    private void end(CloseReason reason) {
        if (closeReason == null) {
            closeReason = reason;
            boolean isOrderly = reason == CloseReason.FINISHED;
            host.counters().increment(isOrderly ? CounterId.CONNECTIONS_CLOSED : CounterId.CONNECTIONS_ABORTED);
            if (connection.handler() != null) {
                host.callbacks().onClosed(connection, reason);
            }
        }
    }
}
