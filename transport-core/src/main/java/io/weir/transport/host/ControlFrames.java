package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.PauseCode;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames of a connection that need no credit: which are wanted, and how each is written. A wish is a bit, and its
 * frame is written when it can leave, so that it says what is true then and repeated wishes cost one frame.
 */
final class ControlFrames implements ControlSink {
    /** An opening frame. */
    static final int OPEN = 1;
    /** An accepting frame. */
    static final int ACCEPT = 2;
    /** A request for credits. */
    static final int REQUEST = 4;
    /** An acknowledgement. */
    static final int ACK = 8;
    /** The end of the stream, without payload. */
    static final int END = 16;
    /** A request for no more credits. */
    static final int STOP = 32;
    /** A data frame without payload. */
    static final int PROBE = 64;

    private static final int BACK_OFF_MAX = 6;
    /**
     * An initiator whose data confirms asks for credits until it has some, and one that has heard no acceptance opens
     * again: another acceptance is for those that have taken their data back.
     */
    private static final int DOUBLINGS_FOR_DATA = 3;

    private final Connection connection;
    private final HostStack host;
    private Opening opening;
    private PeerOffer offerToAccept;
    /** Whether the acceptance says that data confirms it; written by {@link #accept}. */
    private boolean dataConfirms;

    private int acceptCount;
    private long acceptNanos = NO_DEADLINE;
    private long acceptedNanos;
    private int wanted;
    private long wantedNanos;
    private boolean isQueued;
    /** Where the stream was when credits were last asked for; a request from the same place is a repetition. */
    private long askedOffset = -1;

    ControlFrames(Connection connection, HostStack host) {
        this.connection = connection;
        this.host = host;
    }

    void open(Opening newOpening) {
        opening = newOpening;
        want(OPEN);
    }

    /**
     * Accepts an opening.
     *
     * @param sparesConfirmation whether what the peer asked credits for is to confirm the connection
     */
    void accept(PeerOffer offer, boolean sparesConfirmation) {
        offerToAccept = offer;
        dataConfirms = sparesConfirmation;
        want(ACCEPT);
    }

    /**
     * The peer's opening was accepted before there was a connection, {@code count} times, the first at {@code
     * firstNanos}.
     */
    void acceptedBefore(PeerOffer offer, int count, long firstNanos) {
        offerToAccept = offer;
        acceptCount = count;
        acceptedNanos = firstNanos;
        connection.numbers().skip(count);
    }

    /** The peer has repeated its opening. One that this end opened is none that it could accept. */
    void acceptAgain() {
        if (offerToAccept != null) {
            want(ACCEPT);
        }
    }

    /** Of a request and a stop, the later wish holds: the receiver must not hear them in another order. */
    @Override
    public void sendRequest() {
        wanted &= ~STOP;
        want(REQUEST);
    }

    @Override
    public void sendStop() {
        wanted &= ~REQUEST;
        want(STOP);
    }

    @Override
    public void sendProbe() {
        want(PROBE);
    }

    void want(int frame) {
        wanted |= frame;
        if (!isQueued) {
            isQueued = true;
            wantedNanos = host.nowNanos();
            host.egress().scheduleControl(connection);
        }
    }

    /** {@return whether a frame of the stream is wanted that confirms a connection as well as an acknowledgement} */
    boolean isStreamFrameWanted() {
        return (wanted & (REQUEST | END | STOP | PROBE)) != 0;
    }

    /** {@return whether an acknowledgement is all that is wanted} */
    boolean isOnlyAckWanted() {
        return wanted == ACK;
    }

    /** An acknowledgement has left on data. */
    void onAckRidden() {
        wanted &= ~ACK;
    }

    /** {@return whether more frames are wanted after this turn; the connection is no longer queued if not} */
    boolean endTurn() {
        isQueued = wanted != 0;
        return isQueued;
    }

    /** {@return whether any frame is wanted still} */
    boolean isWanted() {
        // Since the end was wanted it may have been acknowledged, or data before it have been found lost.
        if ((wanted & END) != 0 && !connection.sender().hasEndOnly()) {
            wanted &= ~END;
        }
        return wanted != 0;
    }

    /** {@return since when frames have been wanted} */
    long wantedNanos() {
        return wantedNanos;
    }

    /** Writes one of the wanted frames, of which there must be one. */
    void write(Frame frame, long nowNanos) {
        HeaderTemplate template = connection.template();
        int at = template.begin(frame, 0);
        int kind = Integer.lowestOneBit(wanted);
        if (kind == ACK && (wanted & END) != 0 && connection.receiver().maySendRiders()) {
            kind = END;
        }
        wanted &= ~kind;
        int bytes = writeBody(kind, frame.buffer(), at, nowNanos);
        if (host.config().payload() == Payload.CARRIED) {
            seal(kind, frame.buffer(), at);
        }
        template.finish(frame, bytes, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
    }

    /** The CRC comes last: it covers the packet number. */
    private void seal(int kind, UnsafeBuffer buffer, int at) {
        if (kind == ACK) {
            AckHeader.seal(buffer, at, host.crc());
        } else if (kind == END || kind == PROBE) {
            DataHeader.seal(buffer, at, host.crc());
        }
    }

    private int writeBody(int kind, UnsafeBuffer buffer, int at, long nowNanos) {
        if (kind == OPEN) {
            return opening.write(buffer, at, connection, nowNanos);
        }
        long number = connection.numbers().take();
        int bytes =
                switch (kind) {
                    case ACCEPT -> writeAccept(buffer, at, nowNanos);
                    case ACK -> writeAck(buffer, at, nowNanos);
                    case REQUEST -> writeRequest(buffer, at);
                    case END -> writeEnd(buffer, at, number, nowNanos);
                    case PROBE -> writeProbe(buffer, at, number, nowNanos);
                    default -> writeStop(buffer, at);
                };
        WeirHeader.packetNumber(buffer, at, number);
        return bytes;
    }

    private int writeAck(UnsafeBuffer buffer, int at, long nowNanos) {
        long departureNanos = host.egress().departureNanos(nowNanos);
        return connection.receiver().writeAck(buffer, at, connection.remoteTag(), departureNanos, nowNanos);
    }

    private int writeEnd(UnsafeBuffer buffer, int at, long number, long nowNanos) {
        long departureNanos = host.egress().departureNanos(nowNanos);
        boolean carriesAck = connection.receiver().isRiderDue(nowNanos);
        int ackBytes = carriesAck ? connection.receiver().writeRider(buffer, at, departureNanos, nowNanos) : 0;
        int flags = carriesAck ? DataHeader.FLAG_ACK : 0;
        int bytes = connection.sender().writeSegment(buffer, at, number, flags, ackBytes, nowNanos);
        connection.sender().stamp(buffer, at, number, departureNanos);
        DataHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        return bytes;
    }

    private int writeProbe(UnsafeBuffer buffer, int at, long number, long nowNanos) {
        int bytes = connection.sender().writeProbe(buffer, at, nowNanos);
        connection.sender().stamp(buffer, at, number, host.egress().departureNanos(nowNanos));
        DataHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        return bytes;
    }

    private int writeRequest(UnsafeBuffer buffer, int at) {
        StreamSender sender = connection.sender();
        long highestCredit = sender.protocol().highestCredit();
        boolean isFirst = sender.sentOffset() != askedOffset;
        askedOffset = sender.sentOffset();
        boolean creditsAnswer = isFirst && sender.ackedOffset() == sender.sentOffset() && sender.hasData();
        int flags = creditsAnswer ? RequestHeader.FLAG_CREDITS_ANSWER : 0;
        RequestHeader.write(buffer, at, flags, connection.remoteTag(), sender.backlogBytes(), highestCredit);
        return RequestHeader.BYTES;
    }

    private int writeStop(UnsafeBuffer buffer, int at) {
        long highestCredit = connection.sender().protocol().highestCredit();
        StopHeader.write(buffer, at, connection.remoteTag(), highestCredit);
        return StopHeader.BYTES;
    }

    private int writeAccept(UnsafeBuffer buffer, int at, long nowNanos) {
        long backlogBytes = connection.sendBuffer().endOffset();
        int request = backlogBytes > 0 ? AcceptHeader.FLAG_CREDIT_REQUEST : 0;
        int confirmation = dataConfirms ? AcceptHeader.FLAG_DATA_CONFIRMS : 0;
        int flags = request | confirmation | AcceptHeader.FLAG_TAKES_RIDERS;
        AcceptHeader.write(buffer, at, flags, connection.remoteTag(), connection.localTag());
        AcceptHeader.choice(buffer, at, offerToAccept.protocol().code(), host.mtuBytes());
        AcceptHeader.amounts(buffer, at, connection.receiveBuffer().windowBytes(), backlogBytes);
        AcceptHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        AcceptHeader.creditFrames(buffer, at, connection.creditFramesMax());
        AcceptHeader.waitCode(buffer, at, PauseCode.of(host.egress().turnWaitNanos()));
        host.handshake().bakeToken(connection.path().remote(), buffer, AcceptHeader.tokenAt(at), nowNanos);
        if (acceptCount == 0) {
            acceptedNanos = nowNanos;
            // Credits begin once the initiator can know the tag that its data must carry.
            connection.receiver().protocol().onEstablished(offerToAccept.backlogBytes(), nowNanos);
        }
        long timeoutNanos = host.config().timers().retransmitNanosInitial();
        int doublings = Math.min(acceptCount + (dataConfirms ? DOUBLINGS_FOR_DATA : 0), BACK_OFF_MAX);
        acceptNanos =
                nowNanos + (timeoutNanos << doublings) + connection.pauses().peerNanos();
        acceptCount++;
        return AcceptHeader.BYTES;
    }

    /**
     * {@return the time since the acceptance left, which now is confirmed, or 0 if that is no round trip: it was
     * repeated and nobody knows which was heard, or its confirmation waited for a credit}
     */
    long confirmationNanos(long nowNanos) {
        return acceptCount == 1 && !dataConfirms ? nowNanos - acceptedNanos : 0;
    }

    /** {@return when an acceptance that nothing has confirmed is to be repeated} */
    long acceptTimeoutNanos() {
        return acceptNanos;
    }

    /** The acceptance, or what confirms it, may be lost: an initiator with nothing to send would never notice. */
    void onAcceptTimeout(long nowNanos) {
        if (acceptNanos <= nowNanos) {
            acceptNanos = NO_DEADLINE;
            want(ACCEPT);
        }
    }

    /** {@return the reason for which a frame is ignored that comes before the connection is accepted, or null} */
    CounterId onFrameWhileOpening(FrameType type, UnsafeBuffer buffer, int at, long nowNanos) {
        if (type == FrameType.CHALLENGE) {
            if (opening.onChallenge(buffer, at, nowNanos)) {
                want(OPEN);
            }
            return null;
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
        wanted &= ~OPEN;
        connection.establish(offer);
        host.rememberRemote(connection);
        connection.receiver().protocol().onEstablished(offer.backlogBytes(), nowNanos);
        boolean peerSparesConfirmation = (flags & AcceptHeader.FLAG_DATA_CONFIRMS) != 0;
        long waitNanos = PauseCode.nanos(AcceptHeader.waitCode(buffer, at));
        connection.onAccepted(opening.hasRequested(), peerSparesConfirmation, waitNanos, nowNanos);
        return null;
    }

    void onOpeningTimeout(long nowNanos) {
        if (opening.isOver(nowNanos)) {
            connection.life().close(CloseReason.OPEN_TIMED_OUT);
        } else if (opening.isRetryDue(nowNanos)) {
            want(OPEN);
        }
    }

    long openingTimeoutNanos() {
        return opening.nextTimeoutNanos();
    }
}
