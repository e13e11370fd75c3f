package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What frames, deadlines and ends do to a connection: each goes where its state lets it. One per connection; O(1) per
 * frame, no allocation once the streams are open.
 *
 * <p>It moves the {@link Lifecycle}, tells the application by its {@link Connection}, and asks {@link
 * ConnectionOutput} for what is to leave.
 */
final class ConnectionInput {
    /**
     * After so long without an answer somebody should look whether the peer is still where frames go. Half of what is
     * left of a second goes to asking the network.
     */
    private static final long SILENCE_NANOS = 250_000_000;

    private final Connection connection;
    private final HostStack host;
    private final Lifecycle life;
    private final PeerWatch watch;
    private final ConnectionOutput output;
    private final FrameArrivals arrivals = new FrameArrivals();
    private final FlowPauses pauses;
    /** The initiator's side of the handshake, or null at the responder; set once, by {@link #open}. */
    private Opening opening;
    /** The responder's side of the handshake, or null at the initiator; set once, when it accepts. */
    private Acceptance acceptance;
    /** Null where buffers only count, and until the streams are open. */
    private BufferCare care;

    ConnectionInput(Connection connection, HostStack host, Lifecycle life, PeerWatch watch, ConnectionOutput output) {
        this.connection = connection;
        this.host = host;
        this.life = life;
        this.watch = watch;
        this.output = output;
        this.pauses = new FlowPauses(host.pauses());
    }

    // ---- the handshake

    /** Asks the peer to accept a connection. */
    void open(Opening newOpening) {
        opening = newOpening;
        output.open(newOpening);
    }

    /**
     * Accepts a peer's opening, which is to be confirmed within a user time-out.
     *
     * @param listenerId the number of who decides about the connection once it is confirmed
     * @param dataConfirms whether what the peer asked credits for is to confirm the connection
     */
    void accept(PeerOffer offer, int listenerId, boolean dataConfirms, long nowNanos) {
        connection.establish(offer);
        life.endBy(nowNanos + host.config().timers().userTimeoutNanos());
        setAcceptance(new Acceptance(host, pauses, offer, listenerId, dataConfirms));
        output.want(ConnectionOutput.ACCEPT);
    }

    /** A peer's opening was accepted before there was a connection, and is confirmed by the frame that follows. */
    void acceptedBefore(HalfOpen halfOpen, long nowNanos) {
        PeerOffer offer = halfOpen.offer();
        connection.establish(offer);
        Acceptance earlier = new Acceptance(host, pauses, offer, halfOpen.listenerId, false);
        earlier.startFrom(halfOpen.acceptCount(), halfOpen.acceptedNanos);
        setAcceptance(earlier);
        connection.numbers().skip(halfOpen.acceptCount());
        output.receiver().protocol().onEstablished(offer.backlogBytes(), nowNanos);
    }

    private void setAcceptance(Acceptance newAcceptance) {
        acceptance = newAcceptance;
        output.accept(newAcceptance);
    }

    /** The peer has repeated its opening. One that this end opened is none that it could accept. */
    void acceptAgain() {
        if (acceptance != null) {
            output.want(ConnectionOutput.ACCEPT);
        }
    }

    /** {@return the reason for which a frame is ignored that comes before the connection is accepted, or null} */
    private CounterId onFrameWhileOpening(FrameType type, UnsafeBuffer buffer, int at, long nowNanos) {
        if (type == FrameType.CHALLENGE) {
            if (opening.onChallenge(buffer, at, nowNanos)) {
                output.want(ConnectionOutput.OPEN);
            }
            return null;
        }
        if (type == FrameType.CREDIT) {
            boolean isKept =
                    opening.holdCredit(CreditHeader.sequence(buffer, at), WeirHeader.flags(buffer, at), nowNanos);
            return isKept ? null : CounterId.DROP_STATE;
        }
        ProtocolId protocol =
                type == FrameType.ACCEPT ? host.protocols().spoken(AcceptHeader.protocol(buffer, at)) : null;
        int mtuBytesMin = HostConfig.mtuBytesMin(connection.path().local().isV6());
        if (protocol == null || AcceptHeader.mtuBytes(buffer, at) < mtuBytesMin) {
            return CounterId.DROP_STATE;
        }
        int flags = WeirHeader.flags(buffer, at);
        boolean asks = (flags & AcceptHeader.FLAG_CREDIT_REQUEST) != 0;
        PeerOffer offer = new PeerOffer(
                AcceptHeader.responderTag(buffer, at),
                protocol,
                AcceptHeader.mtuBytes(buffer, at),
                AcceptHeader.receiveWindowBytes(buffer, at),
                PauseCode.nanos(AcceptHeader.pauseCode(buffer, at)),
                AcceptHeader.creditFrames(buffer, at),
                (flags & AcceptHeader.FLAG_TAKES_RIDERS) != 0,
                asks ? AcceptHeader.backlogBytes(buffer, at) : 0);
        opening.onAccept(buffer, at, nowNanos);
        connection.establish(offer);
        output.receiver().protocol().onEstablished(offer.backlogBytes(), nowNanos);
        // First: what the application writes once it is connected can spend the credit.
        CounterId grantReason =
                (flags & AcceptHeader.FLAG_GRANT) == 0 ? null : onGrant(AcceptHeader.GRANTED_SEQUENCE, nowNanos);
        boolean peerSparesConfirmation = (flags & AcceptHeader.FLAG_DATA_CONFIRMS) != 0;
        onAccepted(peerSparesConfirmation, PauseCode.nanos(AcceptHeader.waitCode(buffer, at)), nowNanos);
        return grantReason;
    }

    private CounterId onGrant(int sequence, long nowNanos) {
        StreamSender sender = output.sender();
        return sender.protocol().onCredit(sequence, CreditHeader.FLAG_STANDING, sender.hasData(), nowNanos);
    }

    /**
     * The initiator has been accepted. An acknowledgement confirms that, unless a frame does so that leaves anyway.
     *
     * @param peerSparesConfirmation whether the responder lets the data confirm that gets them
     * @param waitNanos how long the first may wait for its turn at the responder
     */
    private void onAccepted(boolean peerSparesConfirmation, long waitNanos, long nowNanos) {
        output.onAccepted();
        life.move(Lifecycle.Event.ACCEPTED);
        StreamSender sender = output.sender();
        boolean hasRequested = opening.hasRequested();
        if (hasRequested) {
            sender.protocol().onOpeningRequested(waitNanos, nowNanos);
        }
        connection.onConnected();
        if (life.isClosed()) {
            return;
        }
        spendEarlyCredits();
        output.settle(nowNanos);
        boolean isDataComing = hasRequested && peerSparesConfirmation && sender.hasBacklog();
        if (!isDataComing && !output.isStreamFrameComing(nowNanos)) {
            output.receiver().requireAck();
        }
    }

    /** Takes the credits that have overtaken the acceptance, each as of when it came. */
    private void spendEarlyCredits() {
        EarlyCredits early = opening.takeCredits();
        for (int i = 0; early != null && i < early.count(); i++) {
            CounterId reason = onCredit(early.sequenceLow32(i), early.flags(i), early.arrivedNanos(i));
            if (reason != null) {
                host.counters().increment(reason);
            }
        }
    }

    /** {@return whether the connection stands: the first frame with its tag confirms it, and the listener takes it} */
    private boolean confirm(long nowNanos) {
        life.onConfirmed();
        host.handshake().onHalfOpenEnded(connection);
        watch.setKeepAlive(host.config().liveness().keepAliveNanos());
        long rttNanos = acceptance.roundTripNanos(nowNanos);
        if (rttNanos > 0) {
            output.receiver().onHandshake(rttNanos);
        }
        ConnectionHandler handler = host.handshake().handlerFor(connection, acceptance.listenerId());
        if (life.isClosed()) {
            return false;
        }
        if (handler == null) {
            host.resets().send(connection, ResetHeader.REFUSED);
            close(CloseReason.REFUSED);
            return false;
        }
        connection.onConnected(handler);
        return !life.isClosed();
    }

    /** The peer's offer is known: both streams begin. */
    void openStreams(PeerOffer peer) {
        pauses.onPeer(peer.pauseNanos());
        StreamMaker maker = host.streams();
        FlowContext context = maker.newContext(connection, peer, arrivals, pauses);
        output.open(maker.newSender(connection, peer, context), maker.newReceiver(connection, peer, context));
        host.registry().onStreamsOpened(connection);
        if (host.bufferBudget() != null) {
            care = new BufferCare(output.sender(), connection.receiveBuffer(), host.bufferBudget());
        }
    }

    // ---- frames

    /** {@return the reason for which a frame with this connection's tag is ignored, or null} */
    CounterId onFrame(FrameType type, Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        watch.onFrame(type, nowNanos);
        if (type == FrameType.RESET) {
            return onReset(ResetHeader.reason(buffer, at), nowNanos);
        }
        if (life.state() == Lifecycle.State.OPENING) {
            return onFrameWhileOpening(type, buffer, at, nowNanos);
        }
        if (life.state() == Lifecycle.State.HALF_OPEN && !confirm(nowNanos)) {
            return CounterId.DROP_STATE;
        }
        if (life.state() == Lifecycle.State.LINGERING && type == FrameType.DATA) {
            linger(nowNanos);
        }
        if (type != FrameType.CREDIT) {
            arrivals.onFrame(WeirHeader.packetNumber(buffer, at));
        }
        StreamReceiver receiver = output.receiver();
        return switch (type) {
            case CREDIT -> onCredit(buffer, at, nowNanos);
            case DATA -> onData(datagram, nowNanos);
            case ACK -> onAck(buffer, at, nowNanos);
            case REQUEST -> onRequest(buffer, at, nowNanos);
            case STOP -> {
                receiver.protocol()
                        .onStop(StopHeader.creditSequence(buffer, at), WeirHeader.packetNumber(buffer, at), nowNanos);
                yield null;
            }
            case ACCEPT -> {
                receiver.requireAck();
                yield null;
            }
            default -> CounterId.DROP_STATE;
        };
    }

    private CounterId onData(Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        CounterId grantReason = null;
        if ((WeirHeader.flags(buffer, at) & DataHeader.FLAG_GRANT) != 0) {
            // First: the application may answer the data at once, and its answer can spend the credit.
            grantReason = onGrant(DataHeader.grantedSequence(buffer, at), nowNanos);
        }
        if (DataHeader.carriesCredit(buffer, at)) {
            CounterId reason = onRidingCredit(buffer, at, nowNanos);
            grantReason = reason != null ? reason : grantReason;
        }
        CounterId ackReason = DataHeader.carriesAck(buffer, at) ? onRidingAck(buffer, at, nowNanos) : null;
        if (life.isClosed()) {
            // The application was told of room, and ended the connection.
            return CounterId.DROP_STATE;
        }
        StreamReceiver receiver = output.receiver();
        if ((WeirHeader.flags(buffer, at) & DataHeader.FLAG_CREDITED_SINGLY) != 0) {
            receiver.protocol().onCreditFramesMax(1);
        }
        boolean isMarked = datagram.isMarked() || (!datagram.isMarkable() && receiver.distrustsUnmarkable());
        CounterId reason = receiver.onData(buffer, at, isMarked, nowNanos);
        hurryStanding(DataHeader.backlogBytes(buffer, at));
        int owedBytes = receiver.protocol().takeOwedBytes();
        if (owedBytes > 0) {
            connection.egress().owe(owedBytes, nowNanos);
        }
        if (reason != null) {
            return reason;
        }
        return ackReason != null ? ackReason : grantReason;
    }

    /** A standing credit that is held is one of those that this backlog needs: nobody waits for it any longer. */
    private void hurryStanding(long backlogBytes) {
        if (backlogBytes > 0 && !life.isClosed() && output.receiver().hurryHeldCredit()) {
            connection.egress().hurryStanding(connection);
        }
    }

    /**
     * Before the data: its answer may need the room that the acknowledgement makes. What is wrong with one does not
     * touch the other.
     */
    private CounterId onRidingAck(UnsafeBuffer buffer, int dataAt, long nowNanos) {
        // Where switches hold acknowledgements, one that rides has escaped them.
        boolean mayRide = output.receiver().protocol().acksRideOnData();
        return mayRide ? onAck(buffer, AckHeader.ridingAt(dataAt), nowNanos) : CounterId.DROP_ACK_INVALID;
    }

    private CounterId onRidingCredit(UnsafeBuffer buffer, int at, long nowNanos) {
        int frames = DataHeader.riddenFrames(buffer, at);
        if (frames == 1 || frames > CreditHeader.FRAMES_MAX) {
            // One for a single frame may have a meter on its way, which it would escape.
            return CounterId.DROP_CREDIT_FRAMES;
        }
        return onCredit(DataHeader.riddenSequence(buffer, at), CreditHeader.withFrames(0, frames), nowNanos);
    }

    private CounterId onCredit(UnsafeBuffer buffer, int at, long nowNanos) {
        StreamSender sender = output.sender();
        CounterId reason = sender.onHint(CreditHeader.ackLow32(buffer, at), nowNanos);
        if (reason != null) {
            return reason;
        }
        return onCredit(CreditHeader.sequence(buffer, at), WeirHeader.flags(buffer, at), nowNanos);
    }

    private CounterId onCredit(int sequence, int flags, long nowNanos) {
        StreamSender sender = output.sender();
        SenderProtocol protocol = sender.protocol();
        return host.arrivals().isAfterPause(nowNanos)
                ? protocol.onStaleCredit(sequence, flags, sender.hasData(), nowNanos)
                : protocol.onCredit(sequence, flags, sender.hasData(), nowNanos);
    }

    private CounterId onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        long slackNanos = connection.egress().slackNanos(AckHeader.t1(buffer, at));
        CounterId reason = output.sender()
                .onAck(buffer, at, connection.numbers().next(), host.arrivals().latestNanos(), slackNanos, nowNanos);
        // An observer of acknowledgements may have ended the connection.
        if (reason == null && !life.isClosed()) {
            output.receiver().protocol().onCreditFramesMax(AckHeader.creditFrames(buffer, at));
            connection.onRoom();
        }
        return reason;
    }

    private CounterId onRequest(UnsafeBuffer buffer, int at, long nowNanos) {
        StreamReceiver receiver = output.receiver();
        long backlogBytes = RequestHeader.backlogBytes(buffer, at);
        int creditSequence = RequestHeader.creditSequence(buffer, at);
        int flags = WeirHeader.flags(buffer, at);
        boolean isNews = receiver.protocol()
                .onRequest(backlogBytes, creditSequence, WeirHeader.packetNumber(buffer, at), nowNanos);
        hurryStanding(backlogBytes);
        if (isNews && (flags & RequestHeader.FLAG_REPEATED) != 0) {
            host.counters().increment(CounterId.BACKLOGS_UNHEARD);
        }
        boolean creditsAnswer = (flags & RequestHeader.FLAG_CREDITS_ANSWER) != 0;
        if (!creditsAnswer || !receiver.isCreditComing()) {
            // A sender that asks may have missed the acknowledgement of all that it has sent.
            receiver.requireAck();
        }
        return null;
    }

    /**
     * An initiator whose application aborts knows the tag from the acceptance, so its connection stood. What confirmed
     * that is lost or late, and the application here is told of both, the connection and its end.
     */
    private CounterId onReset(int reason, long nowNanos) {
        if (life.state() == Lifecycle.State.HALF_OPEN && ResetHeader.confirms(reason) && !confirm(nowNanos)) {
            return CounterId.DROP_STATE;
        }
        closeAfterReading(
                switch (reason) {
                    case ResetHeader.REFUSED -> CloseReason.REFUSED;
                    case ResetHeader.BUSY -> CloseReason.BUSY;
                    case ResetHeader.NO_PROTOCOL -> CloseReason.NO_PROTOCOL;
                    case ResetHeader.TIMED_OUT -> CloseReason.TIMED_OUT;
                    default -> CloseReason.RESET;
                });
        return null;
    }

    /**
     * The peer has ended in order, and forgotten the connection.
     *
     * @return whether that can be: all that it would have waited for has been sent, and its own end has come
     */
    boolean onPeerEnded(long nowNanos) {
        StreamSender sender = output.sender();
        return sender != null
                && output.receiver().isFinished()
                && sender.onPeerEnded(connection.numbers().next(), nowNanos);
    }

    /**
     * After anything has happened to a connection whose streams are open.
     *
     * @return whether both have ended in order now and the application knows: then the connection lingers
     */
    boolean settle(long nowNanos) {
        StreamSender sender = output.sender();
        StreamReceiver receiver = output.receiver();
        if (care != null) {
            care.settle(isLackingMemory(), nowNanos);
        }
        watch.settle(sender, receiver, nowNanos);
        boolean isFinished =
                life.state() == Lifecycle.State.ESTABLISHED && sender.isFinished() && receiver.isEndDelivered();
        if (isFinished) {
            finish(nowNanos);
        }
        return isFinished;
    }

    // ---- deadlines

    /** Does what is due. */
    void onTimeout(long nowNanos) {
        if (life.deadlineNanos() <= nowNanos) {
            onDeadline(nowNanos);
        } else if (life.isEndPending()) {
            // The peer has gone: nothing else is due.
            endIfRead();
        } else {
            switch (life.state()) {
                case OPENING -> onOpeningTimeout(nowNanos);
                case HALF_OPEN -> onAcceptTimeout(nowNanos);
                case LINGERING -> onStreamTimeout(nowNanos);
                default -> onEstablishedTimeout(nowNanos);
            }
        }
        if (isSilent(nowNanos)) {
            host.onSilence(connection);
        }
        connection.settle(nowNanos);
    }

    /** Does what the deadline of the state is for, which has passed. */
    private void onDeadline(long nowNanos) {
        if (life.state() == Lifecycle.State.LINGERING) {
            life.move(Lifecycle.Event.LINGERED);
            host.onEnded(connection);
            host.forget(connection);
        } else if (life.pendingReason() != null) {
            close(life.pendingReason());
        } else if (life.isLeaving()) {
            connection.abort(CloseReason.HOST_CLOSED, null);
        } else if (life.state() != Lifecycle.State.ESTABLISHED) {
            close(CloseReason.OPEN_TIMED_OUT);
        } else if (!life.extend(connection.acknowledgedBytes(), nowNanos)) {
            // Otherwise what was written is still being delivered, however slowly.
            timeOut(CloseReason.TIMED_OUT);
        }
    }

    private void onOpeningTimeout(long nowNanos) {
        if (opening.isOver(nowNanos)) {
            close(CloseReason.OPEN_TIMED_OUT);
        } else if (opening.isRetryDue(nowNanos)) {
            output.want(ConnectionOutput.OPEN);
        }
    }

    private void onAcceptTimeout(long nowNanos) {
        if (acceptance.isRetryDue(nowNanos)) {
            output.want(ConnectionOutput.ACCEPT);
        }
    }

    private void onEstablishedTimeout(long nowNanos) {
        CloseReason reason = watch.onTimeout(output.sender(), output, nowNanos);
        if (reason == null) {
            onStreamTimeout(nowNanos);
        } else if (reason == CloseReason.FORGOTTEN) {
            closeAfterReading(reason);
        } else {
            timeOut(reason);
        }
    }

    private void onStreamTimeout(long nowNanos) {
        StreamSender sender = output.sender();
        if (sender.onTimeout(nowNanos)) {
            host.tell(connection, ConnectionEvent.RETRANSMITS);
            if (!sender.hasData()) {
                // All that is in flight has been acknowledged by credits, which frees nothing: a request is answered
                // with an ack.
                output.sendRequest();
            }
        }
        sender.protocol().onTimeout(output, sender.hasBacklog(), nowNanos);
        if (care != null && care.onTimeout(isLackingMemory(), nowNanos)) {
            tryForMemory(nowNanos);
        }
    }

    private boolean isLackingMemory() {
        return connection.awaitsMemory() || output.receiver().isWindowClosed();
    }

    private void tryForMemory(long nowNanos) {
        connection.onRoom();
        if (life.closeReason() == null) {
            output.receiver().onRead(nowNanos);
            output.receiver().protocol().onRoom(nowNanos);
        }
    }

    /** {@return whether something waits for the peer, and has for so long that the way there may be another now} */
    private boolean isSilent(long nowNanos) {
        return switch (life.state()) {
            case OPENING -> watch.isSilent(true, SILENCE_NANOS, nowNanos);
            case ESTABLISHED -> watch.isSilent(false, SILENCE_NANOS, nowNanos);
            default -> false;
        };
    }

    /** {@return when {@link #onTimeout} has something to do} */
    long nextTimeoutNanos() {
        if (life.isEndPending()) {
            return life.deadlineNanos();
        }
        return switch (life.state()) {
            case OPENING -> opening.nextTimeoutNanos();
            case HALF_OPEN -> Math.min(life.deadlineNanos(), acceptance.nextTimeoutNanos());
            case ESTABLISHED ->
                Math.min(life.deadlineNanos(), Math.min(streamsTimeoutNanos(), watch.nextTimeoutNanos()));
            default -> Math.min(life.deadlineNanos(), streamsTimeoutNanos());
        };
    }

    private long streamsTimeoutNanos() {
        StreamSender sender = output.sender();
        long sending = Math.min(sender.nextTimeoutNanos(), sender.protocol().nextTimeoutNanos());
        long caring = care == null ? NO_DEADLINE : care.nextTimeoutNanos();
        return Math.min(Math.min(sending, output.receiver().nextTimeoutNanos()), caring);
    }

    /**
     * The peer's host says that nobody has the peer's port. The peer is asked whether it is there.
     *
     * @return whether that is news of a connection that stands
     */
    boolean onPortRefused() {
        if (life.state() != Lifecycle.State.ESTABLISHED || !watch.onPortRefused(host.nowNanos())) {
            return false;
        }
        output.sendRequest();
        connection.settle(host.nowNanos());
        return true;
    }

    // ---- ends

    /** Both streams have ended in order, and the application knows. */
    private void finish(long nowNanos) {
        life.move(Lifecycle.Event.FINISHED);
        linger(nowNanos);
        connection.onClosed(CloseReason.FINISHED);
    }

    /** Waits for repetitions of the peer's end: its acknowledgement has not arrived, and repeats ever more slowly. */
    private void linger(long nowNanos) {
        ConnectionTimers timers = host.config().timers();
        long knownNanos =
                Math.max(timers.retransmitNanosInitial(), output.sender().rtt().timeoutNanos());
        life.linger(timers.lingerNanos(), knownNanos, nowNanos);
        if (life.isLeaving()) {
            life.endBy(nowNanos + timers.lingerNanos());
        }
    }

    /** Gives the peer up, and tells it so. */
    void timeOut(CloseReason reason) {
        host.resets().send(connection, ResetHeader.TIMED_OUT);
        close(reason);
    }

    /**
     * The peer has ended the connection. A handler takes what came before that first; if it leaves some of it for
     * longer than a user time-out, the end comes first after all.
     */
    void closeAfterReading(CloseReason reason) {
        boolean hasUntaken = connection.hasUntaken();
        if (life.state() != Lifecycle.State.ESTABLISHED || !hasUntaken) {
            close(reason);
        } else if (!life.isEndPending()) {
            life.endAfterReading(
                    reason, host.nowNanos() + host.config().timers().userTimeoutNanos());
            // It may have waited for room to write: what it writes from now on goes nowhere, and never fills up.
            connection.resumeReading();
        }
    }

    /** Ends a connection that the peer has ended, if the handler has taken everything. */
    void endIfRead() {
        if (!connection.hasUntaken()) {
            close(life.pendingReason());
        }
    }

    /** Ends the connection without telling the peer. */
    void close(CloseReason reason) {
        if (life.isClosed()) {
            return;
        }
        if (life.state() == Lifecycle.State.HALF_OPEN) {
            host.handshake().onHalfOpenEnded(connection);
        }
        life.move(Lifecycle.Event.ABORTED);
        if (output.receiver() != null) {
            output.receiver().protocol().onFinished(host.nowNanos());
        }
        host.forget(connection);
        connection.onClosed(reason);
    }
}
