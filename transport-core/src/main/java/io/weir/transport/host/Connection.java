package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.flow.ReceiveBuffer;
import io.weir.transport.flow.SendBuffer;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.RequestHeader;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.Serial;
import io.weir.transport.wire.StopHeader;
import io.weir.transport.wire.WeirHeader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A reliable byte stream in each direction between two hosts. It belongs to the thread that owns its host; of its two
 * buffers, another thread may be the application's side.
 */
public final class Connection {
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

    /** For how many of the peer's time-outs a connection lingers: the time between two repetitions of its end doubles. */
    private static final int LINGER_TIMEOUTS = 4;

    static final TransitionTable<State, Event> TABLE = TransitionTable.of(State.class, Event.class)
            .on(Event.ACCEPTED, State.ESTABLISHED, State.OPENING)
            .on(Event.CONFIRMED, State.ESTABLISHED, State.HALF_OPEN)
            .on(Event.FINISHED, State.LINGERING, State.ESTABLISHED)
            .on(Event.LINGERED, State.CLOSED, State.LINGERING)
            .on(Event.ABORTED, State.CLOSED, State.OPENING, State.HALF_OPEN, State.ESTABLISHED, State.LINGERING)
            .build();

    private final HostStack host;
    private final int id;
    private final long localTag;
    private final Path path;
    private final HeaderTemplate template;
    private final SendBuffer sendBuffer;
    private final ReceiveBuffer receiveBuffer;
    private final ControlFrames control;

    private State state;
    private long remoteTag;
    private volatile ProtocolId protocol;
    private ConnectionHandler handler;
    private Object attachment;
    private StreamSender sender;
    private StreamReceiver receiver;
    private long packetNumber;
    private long receivedPacketNumber;
    private long heardNanos;
    private long busySinceNanos = NO_DEADLINE;
    private long stateDeadlineNanos = NO_DEADLINE;
    private long lingerStartNanos = NO_DEADLINE;
    private boolean isDataScheduled;
    private long dataReadyNanos = NO_DEADLINE;
    private boolean isEndPending;
    private volatile boolean wantsWritable;
    private volatile CloseReason closeReason;

    Connection(HostStack host, int id, long localTag, Path path, State state) {
        this.host = host;
        this.id = id;
        this.localTag = localTag;
        this.path = path;
        this.state = state;
        this.template = new HeaderTemplate(path, host.config().payload());
        HostConfig.Streams streams = host.config().streams();
        boolean isKept = host.config().payload() == Payload.CARRIED;
        this.sendBuffer = new SendBuffer(streams.sendBufferBytes(), isKept);
        this.receiveBuffer = new ReceiveBuffer(streams.receiveBufferBytes(), streams.gapsMax(), isKept);
        this.control = new ControlFrames(this, host);
        this.heardNanos = host.nowNanos();
    }

    // ---- the application's side

    /**
     * Writes to the stream; what is written leaves when the protocol lets it.
     *
     * @return how many bytes there was room for; when that is less than {@code length},
     *     {@link ConnectionHandler#onWritable} follows
     */
    public int write(DirectBuffer buffer, int index, int length) {
        if (state == State.CLOSED || isEndPending) {
            return 0;
        }
        int written = sendBuffer.write(buffer, index, length);
        if (written < length) {
            wantsWritable = true;
        }
        settle(host.nowNanos());
        return written;
    }

    /**
     * Takes back what was written and has not been sent once. For applications on the thread that owns the host; not after
     * {@link #shutdownOutput}.
     *
     * @param keptBytes how many of those bytes stay, at most
     * @return how many are taken back
     */
    public long takeBackUnsent(int keptBytes) {
        long from = (sender == null ? 0 : sender.sentOffset()) + keptBytes;
        long bytes = sendBuffer.endOffset() - from;
        if (isEndPending || bytes <= 0) {
            return 0;
        }
        sendBuffer.truncate(from);
        return bytes;
    }

    /** Ends this direction of the connection: what was written is still delivered, then the peer sees the end. */
    public void shutdownOutput() {
        isEndPending = true;
        if (sender != null) {
            sender.end();
        }
        settle(host.nowNanos());
    }

    /** Ends the connection at once if it has not ended in order within {@code nanos} from now. */
    public void closeWithin(long nanos) {
        if (state == State.ESTABLISHED) {
            stateDeadlineNanos = host.nowNanos() + nanos;
            settle(host.nowNanos());
        }
    }

    /** Ends the connection at once, both ways; the peer is told. One that has ended in order is left alone. */
    public void abort() {
        if (state != State.CLOSED && state != State.LINGERING) {
            if (remoteTag != 0) {
                host.sendReset(this, ResetHeader.ABORTED);
            }
            close(CloseReason.ABORTED);
        }
    }

    /** Says that {@link ConnectionHandler#onData} would take bytes again, or that another thread has read some. */
    public void resumeReading() {
        if (receiver != null && state != State.CLOSED) {
            receiver.onRead();
            receiver.protocol().onRoom(host.nowNanos());
            settle(host.nowNanos());
        }
    }

    /** Says that another thread has written to the {@link #sendBuffer}. */
    public void onWritten() {
        settle(host.nowNanos());
    }

    /** Asks for {@link ConnectionHandler#onWritable} when the send buffer has room; any thread may. */
    public void requestWritable() {
        wantsWritable = true;
    }

    /** {@return what the application writes to} */
    public SendBuffer sendBuffer() {
        return sendBuffer;
    }

    /** {@return what the application reads from} */
    public ReceiveBuffer receiveBuffer() {
        return receiveBuffer;
    }

    /** {@return whether the peer has ended its stream and all its bytes have been read; any thread may ask} */
    public boolean isInputAtEnd() {
        StreamReceiver half = receiver;
        return half != null && receiveBuffer.readOffset() == half.endOffset();
    }

    /** {@return how the connection ended, or null while it has not; any thread may ask} */
    public CloseReason closeReason() {
        return closeReason;
    }

    /** {@return where its frames go} */
    public Path path() {
        return path;
    }

    /** {@return what schedules it, as both ends agreed, or null before they have; any thread may ask} */
    public ProtocolId protocol() {
        return protocol;
    }

    /** {@return the host that it belongs to} */
    public HostStack host() {
        return host;
    }

    /** {@return what became of the credits that this end sent, or null before the connection is established} */
    public CreditLedger creditLedger() {
        return receiver == null ? null : receiver.protocol().ledger();
    }

    /** {@return what became of the credits that came to this end, or null before the connection is established} */
    public CreditUse creditUse() {
        return sender == null ? null : sender.protocol().creditUse();
    }

    /** {@return bytes that this end has sent again} */
    public long retransmittedBytes() {
        return sender == null ? 0 : sender.retransmittedBytes();
    }

    /** {@return the smoothed round-trip time, 0 before the first sample} */
    public long smoothedRttNanos() {
        return sender == null ? 0 : sender.rtt().smoothedNanos();
    }

    /** {@return payload bytes that the protocol lets be in flight, 0 for one without a window or before the connection stands} */
    public long congestionWindowBytes() {
        return sender == null ? 0 : sender.protocol().windowBytes();
    }

    /** {@return bytes that the peer has acknowledged} */
    public long acknowledgedBytes() {
        return sender == null ? 0 : Math.min(sender.ackedOffset(), sendBuffer.endOffset());
    }

    /** {@return the application's own object} */
    public Object attachment() {
        return attachment;
    }

    /** Keeps an object for the application. */
    public void attach(Object newAttachment) {
        attachment = newAttachment;
    }

    // ---- inputs

    /** {@return the reason for which a frame with this connection's tag is ignored, or null} */
    CounterId onFrame(FrameType type, Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        heardNanos = nowNanos;
        if (type == FrameType.RESET) {
            onReset(ResetHeader.reason(buffer, at));
            return null;
        }
        if (state == State.OPENING) {
            return control.onFrameWhileOpening(type, buffer, at, nowNanos);
        }
        if (state == State.HALF_OPEN && !confirm()) {
            return CounterId.DROP_STATE;
        }
        if (state == State.LINGERING && type == FrameType.DATA) {
            linger(nowNanos);
        }
        return switch (type) {
            case CREDIT -> onCredit(buffer, at, nowNanos);
            case DATA -> onData(datagram, nowNanos);
            case ACK -> onAck(buffer, at, nowNanos);
            case REQUEST -> onRequest(buffer, at, nowNanos);
            case STOP -> {
                receiver.protocol().onStop(StopHeader.creditSequence(buffer, at), nowNanos);
                yield null;
            }
            case ACCEPT -> {
                receiver.requireAck();
                yield null;
            }
            default -> CounterId.DROP_STATE;
        };
    }

    private boolean confirm() {
        state = TABLE.require(state, Event.CONFIRMED);
        stateDeadlineNanos = NO_DEADLINE;
        host.handshake().onHalfOpenEnded();
        long rttNanos = control.confirmationNanos(host.nowNanos());
        if (rttNanos > 0) {
            receiver.protocol().onHandshake(rttNanos);
        }
        handler = host.handshake().handlerFor(this);
        if (handler == null) {
            host.sendReset(this, ResetHeader.REFUSED);
            close(CloseReason.REFUSED);
            return false;
        }
        handler.onConnected(this);
        return state != State.CLOSED;
    }

    private CounterId onData(Datagram datagram, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        CounterId grantReason = null;
        if ((WeirHeader.flags(buffer, at) & DataHeader.FLAG_GRANT) != 0) {
            // First: the application may answer the data at once, and its answer can spend the credit.
            int granted = DataHeader.grantedSequence(buffer, at);
            grantReason = sender.protocol().onCredit(granted, CreditHeader.FLAG_STANDING, sender.hasData(), nowNanos);
        }
        boolean isMarked = datagram.isMarked() || (!datagram.isMarkable() && receiver.distrustsUnmarkable());
        CounterId reason = receiver.onData(buffer, at, isMarked, nowNanos);
        return reason != null ? reason : grantReason;
    }

    private CounterId onCredit(UnsafeBuffer buffer, int at, long nowNanos) {
        CounterId reason = sender.onHint(CreditHeader.ackLow32(buffer, at), nowNanos);
        if (reason != null) {
            return reason;
        }
        int flags = WeirHeader.flags(buffer, at);
        int sequence = CreditHeader.sequence(buffer, at);
        SenderProtocol protocol = sender.protocol();
        return host.isAfterPause(nowNanos)
                ? protocol.onStaleCredit(sequence, flags, sender.hasData(), nowNanos)
                : protocol.onCredit(sequence, flags, sender.hasData(), nowNanos);
    }

    private CounterId onAck(UnsafeBuffer buffer, int at, long nowNanos) {
        CounterId reason = sender.onAck(buffer, at, packetNumber + 1, host.arrivedNanos(), nowNanos);
        if (reason == null && wantsWritable && sendBuffer.freeBytes() >= sendBuffer.capacityBytes() / 4) {
            wantsWritable = false;
            handler.onWritable(this);
        }
        return reason;
    }

    private CounterId onRequest(UnsafeBuffer buffer, int at, long nowNanos) {
        long backlogBytes = RequestHeader.backlogBytes(buffer, at);
        receiver.protocol().onRequest(backlogBytes, RequestHeader.creditSequence(buffer, at), nowNanos);
        // A sender that asks may have missed the acknowledgement of all that it has sent.
        receiver.requireAck();
        return null;
    }

    private void onReset(int reason) {
        close(
                switch (reason) {
                    case ResetHeader.REFUSED -> CloseReason.REFUSED;
                    case ResetHeader.NO_PROTOCOL -> CloseReason.NO_PROTOCOL;
                    case ResetHeader.TIMED_OUT -> CloseReason.TIMED_OUT;
                    default -> CloseReason.RESET;
                });
    }

    /** Does what is due. */
    void onTimeout(long nowNanos) {
        if (stateDeadlineNanos <= nowNanos) {
            onStateDeadline();
        } else if (state == State.OPENING) {
            control.onOpeningTimeout(nowNanos);
        } else if (state == State.HALF_OPEN) {
            control.onAcceptTimeout(nowNanos);
        } else {
            onStreamTimeout(nowNanos);
        }
        settle(nowNanos);
    }

    private void onStateDeadline() {
        if (state == State.LINGERING) {
            state = TABLE.require(state, Event.LINGERED);
            host.forget(this);
        } else if (state == State.ESTABLISHED) {
            host.sendReset(this, ResetHeader.TIMED_OUT);
            close(CloseReason.TIMED_OUT);
        } else {
            close(CloseReason.OPEN_TIMED_OUT);
        }
    }

    private void onStreamTimeout(long nowNanos) {
        long userTimeoutNanos = host.config().timers().userTimeoutNanos();
        if (busySinceNanos != NO_DEADLINE && nowNanos - Math.max(heardNanos, busySinceNanos) >= userTimeoutNanos) {
            host.sendReset(this, ResetHeader.TIMED_OUT);
            close(CloseReason.TIMED_OUT);
            return;
        }
        if (sender.onTimeout(nowNanos) && !sender.hasData()) {
            // All that is in flight has been acknowledged by credits, which frees nothing: a request is answered with
            // an ack.
            control.sendRequest();
        }
        sender.protocol().onTimeout(control, sender.hasBacklog(), nowNanos);
    }

    /** Makes the credit that is due, if one is. */
    void onCreditTimeout(long nowNanos) {
        if (receiver == null || state == State.CLOSED) {
            return;
        }
        long dueNanos = Math.min(receiver.protocol().nextCreditNanos(), nowNanos);
        int wireBytes = receiver.protocol().pollCredit(receiver.roomBytes(), nowNanos);
        if (wireBytes > 0) {
            host.sendCredit(this, wireBytes, dueNanos);
        }
        host.scheduleCredit(id, receiver.protocol().nextCreditNanos());
    }

    // ---- what the rest of the host needs

    /** After anything has happened: asks for what must leave and for the next deadline. */
    void settle(long nowNanos) {
        if (state == State.CLOSED) {
            return;
        }
        if (sender != null) {
            settleStreams(nowNanos);
        }
        host.scheduleTimeout(id, nextTimeoutNanos());
    }

    private void settleStreams(long nowNanos) {
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
        host.scheduleCredit(id, receiver.protocol().nextCreditNanos());
        if (!sender.hasUnfinishedBusiness()) {
            busySinceNanos = NO_DEADLINE;
        } else if (busySinceNanos == NO_DEADLINE) {
            busySinceNanos = nowNanos;
        }
        if (state == State.ESTABLISHED && sender.isFinished() && receiver.isEndDelivered()) {
            state = TABLE.require(state, Event.FINISHED);
            linger(nowNanos);
            end(CloseReason.FINISHED);
        }
    }

    /** Waits for repetitions of the peer's end: it has not heard its acknowledgement, and repeats ever more slowly. */
    private void linger(long nowNanos) {
        HostConfig.Timers timers = host.config().timers();
        long knownNanos = Math.max(timers.retransmitNanosInitial(), sender.rtt().timeoutNanos());
        long repeatNanos = lingerStartNanos == NO_DEADLINE ? 0 : nowNanos - lingerStartNanos;
        lingerStartNanos = nowNanos;
        stateDeadlineNanos =
                nowNanos + Math.max(timers.lingerNanos(), LINGER_TIMEOUTS * Math.max(knownNanos, repeatNanos));
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
        host.scheduleData(this);
    }

    private long nextTimeoutNanos() {
        if (state == State.OPENING) {
            return control.openingTimeoutNanos();
        }
        if (state == State.HALF_OPEN) {
            return Math.min(stateDeadlineNanos, control.acceptTimeoutNanos());
        }
        long streams = Math.min(sender.nextTimeoutNanos(), sender.protocol().nextTimeoutNanos());
        return Math.min(stateDeadlineNanos, Math.min(streams, receiver.nextTimeoutNanos()));
    }

    /** {@return whether a data frame can leave now; the connection is no longer scheduled} */
    boolean takeDataTurn(long nowNanos) {
        isDataScheduled = false;
        return state != State.CLOSED && sender.hasData() && sender.maySend(nowNanos);
    }

    /** Starts both streams once the peer's tag, MTU and window are known. */
    void establish(PeerOffer peer, long nowNanos) {
        remoteTag = peer.tag();
        protocol = peer.protocol();
        sender = host.newSender(this, peer);
        receiver = host.newReceiver(this, peer);
        sender.openWindow(peer.receiveWindowBytes());
        if (isEndPending) {
            sender.end();
        }
    }

    /** Lets {@code observer} hear what acknowledgements tell, once the connection is established. */
    public void observe(AckObserver observer) {
        sender.observe(observer);
    }

    /** The initiator has been accepted. */
    void onAccepted(boolean hasRequested, long nowNanos) {
        state = TABLE.require(state, Event.ACCEPTED);
        if (hasRequested) {
            sender.protocol().onOpeningRequested(nowNanos);
        }
        receiver.requireAck();
        handler.onConnected(this);
    }

    void awaitConfirmation(long nowNanos) {
        stateDeadlineNanos = nowNanos + host.config().timers().userTimeoutNanos();
        control.want(ControlFrames.ACCEPT);
    }

    int offerData(DirectBuffer buffer, int index, int length) {
        return handler == null || closeReason != null ? 0 : handler.onData(this, buffer, index, length);
    }

    void onPeerEnd() {
        if (handler != null && closeReason == null) {
            handler.onEnd(this);
        }
    }

    /** Ends the connection without a word to the peer. */
    void close(CloseReason reason) {
        if (state == State.CLOSED) {
            return;
        }
        if (state == State.HALF_OPEN) {
            host.handshake().onHalfOpenEnded();
        }
        state = TABLE.require(state, Event.ABORTED);
        if (receiver != null) {
            receiver.protocol().onFinished(host.nowNanos());
        }
        host.forget(this);
        end(reason);
    }

    private void end(CloseReason reason) {
        if (closeReason == null) {
            closeReason = reason;
            host.countEnd(reason);
            if (handler != null) {
                handler.onClosed(this, reason);
            }
        }
    }

    void setHandler(ConnectionHandler newHandler) {
        handler = newHandler;
    }

    boolean isPeer(Datagram datagram) {
        return datagram.sourceLow() == path.remote().low()
                && datagram.sourceHigh() == path.remote().high()
                && datagram.sourcePort() == path.remotePort()
                && datagram.destinationPort() == path.localPort();
    }

    long unwrapReceived(UnsafeBuffer buffer, int at) {
        long number = Serial.unwrap(receivedPacketNumber, WeirHeader.packetNumber(buffer, at));
        receivedPacketNumber = Math.max(receivedPacketNumber, number);
        return number;
    }

    long takePacketNumber() {
        return ++packetNumber;
    }

    State state() {
        return state;
    }

    int id() {
        return id;
    }

    long localTag() {
        return localTag;
    }

    long remoteTag() {
        return remoteTag;
    }

    HeaderTemplate template() {
        return template;
    }

    ControlFrames control() {
        return control;
    }

    StreamSender sender() {
        return sender;
    }

    StreamReceiver receiver() {
        return receiver;
    }

    long dataReadyNanos() {
        return dataReadyNanos;
    }
}
