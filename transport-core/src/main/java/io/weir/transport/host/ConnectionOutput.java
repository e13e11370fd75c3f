package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What of a connection leaves: it writes the connection's frames, and takes its turns at the host's link for data and
 * at the host's meter for credits. {@link HostEgress} chooses which connection is next, and changes nothing else of it.
 *
 * <p>A wish for a frame without a credit is a bit. The frame is written when it can leave, so that it says what is true
 * then and repeated wishes cost one frame. O(1) per frame, no allocation.
 */
final class ConnectionOutput implements ControlSink {
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

    private final Connection connection;
    private final HostStack host;
    private final Lifecycle life;

    // Both null until open(), which sets them once, on the owner's thread.
    private StreamSender sender;
    private StreamReceiver receiver;
    /** What opening frames say; null at the responder. Set once, by {@link #open(Opening)}. */
    private Opening opening;
    /** What accepting frames say; null at the initiator. Set once, by {@link #accept}. */
    private Acceptance acceptance;

    /**
     * The wanted frames, as bits; {@link #want} sets them, {@link #write} clears them, {@link #isWanted} those that are
     * not needed any more.
     */
    private int wanted;
    /** When the connection joined the egress's queue for them; written by {@link #want}. */
    private long wantedNanos;
    /** Whether {@link HostEgress} has the connection in its queue for them; set by want, cleared by endTurn. */
    private boolean isQueued;
    /** Where the stream was when credits were last asked for; a request from the same place is a repetition. */
    private long askedOffset = -1;
    /** Whether the request that is wanted repeats an earlier one; written when it is wanted. */
    private boolean isRequestRepeated;

    /** Whether {@link HostEgress} has the connection in its queue for data; set here, cleared by its turn. */
    private boolean isDataScheduled;
    /** Since when data could leave, or NO_DEADLINE; kept over turns, so that a late poll catches up. */
    private long dataReadyNanos = NO_DEADLINE;
    /**
     * Whether the connection waits in {@link HostEgress} for room in the host's meter; then no deadline is set for its
     * credit.
     */
    private boolean isCreditWaiting;
    /** Since when the credit that waits is due; written with {@link #isCreditWaiting}. */
    private long creditDueNanos;

    ConnectionOutput(Connection connection, HostStack host, Lifecycle life) {
        this.connection = connection;
        this.host = host;
        this.life = life;
    }

    /** The initiator's side: asks for the opening frame. */
    void open(Opening newOpening) {
        opening = newOpening;
        want(OPEN);
    }

    /** The responder's side: {@link #ACCEPT} is what this says. */
    void accept(Acceptance newAcceptance) {
        acceptance = newAcceptance;
    }

    /** The initiator has been accepted: its opening frame is not needed any more. */
    void onAccepted() {
        wanted &= ~OPEN;
    }

    /** Both halves are known: the peer's offer is. */
    void open(StreamSender newSender, StreamReceiver newReceiver) {
        sender = newSender;
        receiver = newReceiver;
    }

    /** {@return the sending half, or null before the streams are open} */
    StreamSender sender() {
        return sender;
    }

    /** {@return the receiving half, or null before the streams are open} */
    StreamReceiver receiver() {
        return receiver;
    }

    /** After anything has happened to open streams: asks for what must leave. */
    void settle(long nowNanos) {
        if (sender.hasBacklog()) {
            // Even without a window: the requests that go on until credits come are answered with the window.
            sender.protocol().onBacklog(this, nowNanos);
        } else if (sender.hasEndOnly()) {
            want(END);
        }
        scheduleData(nowNanos);
        if (receiver.isAckDue(nowNanos)) {
            want(ACK);
        }
        if (receiver.isFinished()) {
            receiver.protocol().onFinished(nowNanos);
        }
        if (!isAwaitingMeter()) {
            host.deadlines().scheduleCredit(connection.id(), receiver.protocol().nextCreditNanos());
        }
    }

    // ---- frames that need no credit

    /**
     * Nothing is asked while data waits for its turn at this host's link: that data tells the backlog, and is answered.
     * Where thousands of flows wait, their requests and the answers would take the turns that they wait for.
     */
    @Override
    public void sendRequest() {
        if (!isDataWaiting(host.nowNanos())) {
            request(false);
        }
    }

    /** Of a request and a stop, the later wish holds: they must not reach the receiver in another order. */
    private void request(boolean isRepeated) {
        isRequestRepeated = isRepeated;
        wanted &= ~STOP;
        want(REQUEST);
    }

    @Override
    public void requestBeyond() {
        if (sender.backlogBytes() > bytesInHand()) {
            request(false);
        }
    }

    private long bytesInHand() {
        return (long) sender.protocol().framesInHand() * sender.segmentBytes();
    }

    @Override
    public void repeatRequest() {
        if (!isDataWaiting(host.nowNanos())) {
            request(true);
            host.counters().increment(CounterId.REQUESTS_REPEATED);
        }
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
            connection.egress().scheduleControl(connection);
        }
    }

    /** {@return whether a frame leaves that confirms a connection as well as an acknowledgement does} */
    boolean isStreamFrameComing(long nowNanos) {
        return (wanted & (REQUEST | END | STOP | PROBE)) != 0 || canSendData(nowNanos);
    }

    /** {@return whether more frames are wanted after this turn; the connection is no longer queued if not} */
    boolean endTurn() {
        isQueued = wanted != 0;
        return isQueued;
    }

    /** {@return whether any frame is wanted still that has to leave by itself} */
    boolean isWanted(long nowNanos) {
        // Since the end was wanted it may have been acknowledged, or data before it have been found lost.
        if ((wanted & END) != 0 && !sender.hasEndOnly()) {
            wanted &= ~END;
        }
        // Since the acknowledgement was wanted it may have left on data, and it need not leave ahead of data that
        // waits.
        if ((wanted & ACK) != 0 && (!receiver.isAckRequired() || ridesOnData(nowNanos))) {
            wanted &= ~ACK;
        }
        return wanted != 0;
    }

    /**
     * {@return whether data waits for its turn that brings the acknowledgement along} Then no frame is needed for it:
     * where many flows wait, one ahead of each flow's data would double the frames. {@link #settle} asks for it again
     * if that data leaves without it.
     */
    private boolean ridesOnData(long nowNanos) {
        return wanted == ACK
                && isDataWaiting(nowNanos)
                && receiver.isRiderDue(nowNanos)
                && sender.hasRoomForRider(riderBytes(null, nowNanos));
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
        if (kind == ACK && (wanted & END) != 0 && receiver.maySendRiders()) {
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
                    case ACCEPT -> acceptance.write(buffer, at, connection, nowNanos);
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
        long departureNanos = connection.egress().departureNanos(nowNanos);
        return receiver.writeAck(buffer, at, connection.remoteTag(), departureNanos, nowNanos);
    }

    private int writeEnd(UnsafeBuffer buffer, int at, long number, long nowNanos) {
        long departureNanos = connection.egress().departureNanos(nowNanos);
        boolean carriesAck = receiver.isRiderDue(nowNanos);
        int ackBytes = carriesAck ? receiver.writeRider(buffer, at, departureNanos, nowNanos) : 0;
        int flags = 0;
        if (carriesAck) {
            flags = DataHeader.FLAG_ACK;
            wanted &= ~ACK;
        }
        int bytes = sender.writeSegment(buffer, at, number, flags, ackBytes, nowNanos);
        sender.stamp(buffer, at, number, departureNanos);
        DataHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        return bytes;
    }

    private int writeProbe(UnsafeBuffer buffer, int at, long number, long nowNanos) {
        int bytes = sender.writeProbe(buffer, at, nowNanos);
        sender.stamp(buffer, at, number, connection.egress().departureNanos(nowNanos));
        DataHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        return bytes;
    }

    private int writeRequest(UnsafeBuffer buffer, int at) {
        long highestCredit = sender.protocol().highestCredit();
        long backlogBytes = Math.max(0, sender.backlogBytes() - bytesInHand());
        boolean isFirst = sender.sentOffset() != askedOffset;
        askedOffset = sender.sentOffset();
        boolean creditsAnswer = isFirst && sender.ackedOffset() == sender.sentOffset() && sender.hasData();
        int flags = (creditsAnswer ? RequestHeader.FLAG_CREDITS_ANSWER : 0)
                | (isRequestRepeated ? RequestHeader.FLAG_REPEATED : 0);
        RequestHeader.write(buffer, at, flags, connection.remoteTag(), backlogBytes, highestCredit);
        return RequestHeader.BYTES;
    }

    private int writeStop(UnsafeBuffer buffer, int at) {
        long highestCredit = sender.protocol().highestCredit();
        StopHeader.write(buffer, at, connection.remoteTag(), highestCredit);
        return StopHeader.BYTES;
    }

    // ---- data

    private void scheduleData(long nowNanos) {
        if (isDataScheduled) {
            return;
        }
        if (!sender.hasData() || !sender.maySend(nowNanos)) {
            dataReadyNanos = NO_DEADLINE;
            return;
        }
        // After its turn a flow that may still send has been ready since before: a driver that polls late catches up.
        if (dataReadyNanos == NO_DEADLINE) {
            dataReadyNanos = nowNanos;
        }
        isDataScheduled = true;
        connection.egress().scheduleData(connection);
    }

    /** {@return whether a data frame can leave now; the connection is no longer scheduled} */
    boolean takeDataTurn(long nowNanos) {
        isDataScheduled = false;
        return canSendData(nowNanos);
    }

    /** {@return whether data could leave now, and waits for its turn} */
    private boolean isDataWaiting(long nowNanos) {
        return isDataScheduled && canSendData(nowNanos);
    }

    /** {@return whether a data frame can leave now} */
    boolean canSendData(long nowNanos) {
        return !life.isClosed() && sender.hasData() && sender.maySend(nowNanos);
    }

    /** {@return whether data can leave now with this credit on it, which is the same connection's} */
    boolean canCarry(Frame credit, long nowNanos) {
        return connection.peerTakesRiders()
                && isOwn(credit)
                && canSendData(nowNanos)
                && sender.hasRoomForRider(riderBytes(credit, nowNanos));
    }

    private boolean isOwn(Frame credit) {
        HeaderTemplate template = connection.template();
        return template.hasPathOf(credit)
                && WeirHeader.tag(credit.buffer(), credit.offset() + template.bytes()) == connection.remoteTag();
    }

    private int riderBytes(Frame credit, long nowNanos) {
        return (credit == null ? 0 : DataHeader.CREDIT_BYTES)
                + (receiver.isRiderDue(nowNanos) ? receiver.riderBytes() : 0);
    }

    /**
     * Writes the data whose turn {@link #takeDataTurn} has taken, with the acknowledgement and the standing credit that
     * are due.
     *
     * @param credit a credit that rides on it and stays the caller's, or null
     */
    void writeData(Frame frame, Frame credit, long nowNanos) {
        HeaderTemplate template = connection.template();
        int at = template.begin(frame, host.config().headroomBytes());
        UnsafeBuffer buffer = frame.buffer();
        long number = connection.numbers().take();
        long departureNanos = connection.egress().departureNanos(nowNanos);
        int flags = connection.isCreditedSingly() ? DataHeader.FLAG_CREDITED_SINGLY : 0;
        int riderBytes = 0;
        if (receiver.isRiderDue(nowNanos) && sender.hasRoomForRider(riderBytes(credit, nowNanos))) {
            flags |= DataHeader.FLAG_ACK;
            riderBytes = receiver.writeRider(buffer, at, departureNanos, nowNanos);
        }
        if (credit != null) {
            int creditAt = credit.offset() + template.bytes();
            flags |= DataHeader.FLAG_CREDIT;
            int sequence = CreditHeader.sequence(credit.buffer(), creditAt);
            DataHeader.writeCredit(buffer, at + DataHeader.BYTES + riderBytes, sequence, CreditHeader.frames(credit));
            riderBytes += DataHeader.CREDIT_BYTES;
        }
        int bytes = sender.writeSegment(buffer, at, number, flags, riderBytes, nowNanos);
        sender.stamp(buffer, at, number, departureNanos);
        DataHeader.pauseCode(buffer, at, host.pauses().code(nowNanos));
        frame.setTicket(ticket(number));
        grantOn(buffer, at, nowNanos);
        if (host.config().payload() == Payload.CARRIED) {
            DataHeader.seal(buffer, at, host.crc());
        } else {
            frame.setElidedBytes(bytes - riderBytes - DataHeader.BYTES);
        }
        boolean isMarkable = sender.protocol().understandsMarks();
        template.finishData(frame, bytes, isMarkable ? Dscp.ECN_ECT0 : Dscp.ECN_NOT_ECT);
        frame.setReadyNanos(dataReadyNanos);
    }

    /** Never 0: packet numbers begin at 1. */
    private long ticket(long packetNumber) {
        return ((long) connection.id() << Integer.SIZE) | (packetNumber & 0xFFFF_FFFFL);
    }

    private void grantOn(UnsafeBuffer buffer, int at, long nowNanos) {
        long sequence = takeGrant(nowNanos);
        if (sequence != DataHeader.NO_CREDIT) {
            DataHeader.grant(buffer, at, sequence);
        }
    }

    /**
     * {@return the number of the standing credit that the frame which is written may grant, or {@link
     * DataHeader#NO_CREDIT}}
     */
    long takeGrant(long nowNanos) {
        if (receiver.protocol().nextCreditNanos() <= nowNanos) {
            // Due together with what is answered here, and the driver asks for frames before it lets time-outs fire.
            onCreditTimeout(nowNanos);
        }
        return receiver.heldCreditWireBytes() > 0 && !connection.egress().isTurnOverdue(nowNanos)
                ? receiver.takeHeldCredit()
                : DataHeader.NO_CREDIT;
    }

    /**
     * {@return whether data is to leave on which a standing credit may ride: it waits, or the end that opened the
     * connection has not spoken yet}
     */
    boolean hasDataToCome() {
        return sender.hasData() || (opening != null && sender.sentOffset() == 0);
    }

    // ---- credits

    /** {@return whether the next credit needs no deadline} */
    private boolean isAwaitingMeter() {
        return isCreditWaiting && receiver.protocol().waitsForMeter();
    }

    /** Makes the credit that is due, if one is, or lets it wait for the host's meter. */
    void onCreditTimeout(long nowNanos) {
        if (receiver == null || life.isClosed()) {
            return;
        }
        ReceiverProtocol protocol = receiver.protocol();
        long dueNanos = protocol.nextCreditNanos();
        if (!protocol.waitsForMeter()) {
            int wireBytes = protocol.pollCredit(receiver.roomBytes(), nowNanos);
            if (wireBytes > 0) {
                connection.egress().addCredit(connection, wireBytes, Math.min(dueNanos, nowNanos));
            }
            dueNanos = protocol.nextCreditNanos();
        } else if (!isCreditWaiting && dueNanos <= nowNanos) {
            awaitMeter(dueNanos);
        }
        if (!isAwaitingMeter()) {
            host.deadlines().scheduleCredit(connection.id(), dueNanos);
        }
    }

    private void awaitMeter(long dueNanos) {
        creditDueNanos = dueNanos;
        isCreditWaiting = true;
        connection.egress().scheduleCredit(connection);
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
        return life.isClosed() || !receiver.protocol().waitsForMeter()
                ? 0
                : receiver.protocol().pollCredit(receiver.roomBytes(), nowNanos);
    }

    /** Sizes are drawn for IPv4, over which the shortest credit is a minimum frame; over IPv6 all are 20 B longer. */
    private static int paddingBytes(int wireBytes) {
        return wireBytes - Frame.wireBytes(Frame.LENGTH_BYTES_MIN);
    }

    /** {@return bytes on the link of a credit that was drawn with this size} */
    int creditBytesOnLink(int wireBytes) {
        return Frame.wireBytes(connection.template().bytes() + CreditHeader.BYTES + paddingBytes(wireBytes));
    }

    void writeCredit(Frame frame, long sequence, int wireBytes, int flags) {
        HeaderTemplate template = connection.template();
        int at = template.begin(frame, 0);
        CreditHeader.write(frame.buffer(), at, connection.remoteTag(), flags, sequence, receiver.ackOffset());
        int paddingBytes = paddingBytes(wireBytes);
        CreditHeader.pad(frame.buffer(), at, paddingBytes);
        template.finish(frame, CreditHeader.BYTES + paddingBytes, Dscp.CREDIT, Dscp.ECN_NOT_ECT);
    }

    /** The credit of this turn is written. The next one waits for its turn if it is due. */
    void endCreditTurn(long nowNanos) {
        onCreditTimeout(nowNanos);
    }
}
