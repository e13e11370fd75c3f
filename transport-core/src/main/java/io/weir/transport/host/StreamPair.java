package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

/**
 * Both streams of a connection, from when the peer's offer is known: asks for what is to leave for them, and says when
 * they are to be looked at again.
 */
final class StreamPair {
    private final Connection connection;
    private final HostStack host;
    /** Null where buffers only count. */
    private BufferCare care;

    // Both null until open(), which sets them once, on the owner's thread.
    private StreamSender sender;
    private StreamReceiver receiver;
    /** Since when something of this end waits for the peer; in time that this host ran. */
    private long busySinceNanos = NO_DEADLINE;

    /** Whether {@link HostEgress} has the connection in its queue for data; set here, cleared by its turn. */
    private boolean isDataScheduled;
    /** Since when data could leave, or NO_DEADLINE; kept over turns, so that a late poll catches up. */
    private long dataReadyNanos = NO_DEADLINE;
    /**
     * Whether the connection waits in {@link HostEgress} for room in the host's meter; then no deadline is set for its
     * credit.
     */
    private boolean isCreditWaiting;
    /** Since when the credit that waits is due. */
    private long creditDueNanos;

    StreamPair(Connection connection, HostStack host) {
        this.connection = connection;
        this.host = host;
    }

    void open(PeerOffer peer) {
        sender = host.streams().newSender(connection, peer);
        receiver = host.streams().newReceiver(connection, peer);
        sender.openWindow(peer.receiveWindowBytes());
        care = host.bufferBudget() == null ? null : new BufferCare(connection, host.bufferBudget());
    }

    /** {@return the sending half, or null before the streams are open} */
    StreamSender sender() {
        return sender;
    }

    /** {@return the receiving half, or null before the streams are open} */
    StreamReceiver receiver() {
        return receiver;
    }

    /** After anything has happened: asks for what must leave. */
    void settle(long nowNanos) {
        ControlFrames control = connection.control();
        if (sender.hasBacklog()) {
            // Even without a window: the requests that go on until credits come are answered with the window.
            sender.protocol().onBacklog(control, nowNanos);
        } else if (sender.hasEndOnly()) {
            control.want(ControlFrames.END);
        }
        scheduleData(nowNanos);
        if (receiver.isAckDue(nowNanos)) {
            control.want(ControlFrames.ACK);
        }
        if (receiver.isFinished()) {
            receiver.protocol().onFinished(nowNanos);
        }
        scheduleCredit();
        if (care != null) {
            care.settle(nowNanos);
        }
        if (!sender.hasUnfinishedBusiness()) {
            busySinceNanos = NO_DEADLINE;
        } else if (busySinceNanos == NO_DEADLINE) {
            busySinceNanos = nowNanos - host.pauses().totalNanos();
        }
    }

    private void scheduleCredit() {
        if (isCreditWaiting && receiver.protocol().waitsForMeter()) {
            return;
        }
        host.deadlines().scheduleCredit(connection.id(), receiver.protocol().nextCreditNanos());
    }

    private void scheduleData(long nowNanos) {
        if (isDataScheduled) {
            return;
        }
        if (!sender.hasData() || !sender.maySend(nowNanos)) {
            dataReadyNanos = NO_DEADLINE;
            return;
        }
        // After its turn a flow that may send again has been ready since before: a driver that polls late catches up.
        if (dataReadyNanos == NO_DEADLINE) {
            dataReadyNanos = nowNanos;
        }
        isDataScheduled = true;
        host.egress().scheduleData(connection);
    }

    /** {@return whether a data frame can leave now; the connection is no longer scheduled} */
    boolean takeDataTurn(long nowNanos) {
        isDataScheduled = false;
        return canSendData(nowNanos);
    }

    /** {@return whether a data frame can leave now} */
    boolean canSendData(long nowNanos) {
        return connection.state() != Lifecycle.State.CLOSED && sender.hasData() && sender.maySend(nowNanos);
    }

    /** {@return since when data could have left} */
    long dataReadyNanos() {
        return dataReadyNanos;
    }

    /** {@return whether both have ended in order and the application knows} */
    boolean isFinished() {
        return sender.isFinished() && receiver.isEndDelivered();
    }

    /**
     * The peer has ended in order, and forgotten the connection.
     *
     * @return whether that can be: all that it would have waited for has been sent, and its own end has come
     */
    boolean onPeerEnded(long nowNanos) {
        return sender != null
                && receiver.isFinished()
                && sender.onPeerEnded(connection.numbers().next(), nowNanos);
    }

    /**
     * {@return since when, in time that this host ran, something of this end waits for the peer, or NO_DEADLINE when
     * nothing does}
     */
    long busySinceNanos() {
        return busySinceNanos;
    }

    /** Does what is due. */
    void onTimeout(long nowNanos) {
        if (sender.onTimeout(nowNanos) && (!sender.hasData() || sender.isStuck())) {
            // All that is in flight has been acknowledged by credits, which frees nothing, or is too long for the path:
            // a request is short, and is answered with an ack.
            connection.control().sendRequest();
        }
        sender.protocol().onTimeout(connection.control(), sender.hasBacklog(), nowNanos);
        if (care != null) {
            care.onTimeout(nowNanos);
        }
    }

    /** {@return when {@link #onTimeout} has something to do} */
    long nextTimeoutNanos() {
        long sending = Math.min(sender.nextTimeoutNanos(), sender.protocol().nextTimeoutNanos());
        long caring = care == null ? NO_DEADLINE : care.nextTimeoutNanos();
        return Math.min(Math.min(sending, receiver.nextTimeoutNanos()), caring);
    }

    /** Makes the credit that is due, if one is, or lets it wait for the host's meter. */
    void onCreditTimeout(long nowNanos) {
        if (receiver == null || connection.state() == Lifecycle.State.CLOSED) {
            return;
        }
        long dueNanos = Math.min(receiver.protocol().nextCreditNanos(), nowNanos);
        if (receiver.protocol().waitsForMeter()) {
            if (!isCreditWaiting && receiver.protocol().nextCreditNanos() <= nowNanos) {
                awaitMeter(nowNanos);
            }
            scheduleCredit();
            return;
        }
        int wireBytes = receiver.protocol().pollCredit(receiver.roomBytes(), nowNanos);
        if (wireBytes > 0) {
            host.egress().addCredit(connection, wireBytes, dueNanos);
        }
        scheduleCredit();
    }

    private void awaitMeter(long nowNanos) {
        creditDueNanos = Math.min(receiver.protocol().nextCreditNanos(), nowNanos);
        isCreditWaiting = true;
        host.egress().scheduleCredit(connection);
    }

    /** {@return since when the credit is due that waits for the meter} */
    long creditDueNanos() {
        return creditDueNanos;
    }

    /**
     * The meter has room for the credit that waits; {@link #endCreditTurn} is to follow.
     *
     * @return its size on the wire, or 0 if none is due any more
     */
    int takeCreditTurn(long nowNanos) {
        isCreditWaiting = false;
        return connection.state() == Lifecycle.State.CLOSED
                        || !receiver.protocol().waitsForMeter()
                ? 0
                : receiver.protocol().pollCredit(receiver.roomBytes(), nowNanos);
    }

    /** The credit of this turn is written. The next one waits for its turn if it is due. */
    void endCreditTurn(long nowNanos) {
        onCreditTimeout(nowNanos);
    }
}
