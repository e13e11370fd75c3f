package io.weir.transport.host;

import io.weir.transport.flow.ReceiveBuffer;
import io.weir.transport.flow.SendBuffer;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.ResetHeader;
import org.agrona.DirectBuffer;

/**
 * A reliable byte stream in each direction between two hosts. It belongs to the thread that owns its host; of its two
 * buffers, another thread may be the application's side.
 *
 * <p>This class is what the application calls and what tells the application. {@link ConnectionInput} has the state and
 * what frames, deadlines and ends do to it, {@link ConnectionOutput} what leaves.
 */
public final class Connection {
    /** Nobody waits a year; sums with the clock do not overflow. */
    private static final long CLOSE_NANOS_MAX = 365L * 24 * 3_600 * 1_000_000_000L;

    private final HostStack host;
    private final int id;
    private final long localTag;
    /** Where frames go; its Ethernet addresses follow the network, all else stays. Written by the loop's thread. */
    private volatile Path path;

    /** What its frames leave by; that does not change with its path. */
    private final HostEgress egress;

    private final PeerAccount account;
    private final HeaderTemplate template;
    private final SendBuffer sendBuffer;
    private final ReceiveBuffer receiveBuffer;
    private final PacketNumbers numbers = new PacketNumbers();
    private final Lifecycle life;
    private final PeerWatch watch;
    private final ConnectionOutput output;
    private final ConnectionInput input;

    /** The peer's 64-bit tag, in each frame to it; 0 until {@link #establish} has it, then never changed. */
    private long remoteTag;
    /** Whether this host takes credits for several frames, and the path or the peer does not let them; by establish. */
    private boolean isCreditedSingly;
    /** Whether the peer takes acknowledgements and credits that ride on data; written by {@link #establish}. */
    private boolean peerTakesRiders;
    /** What both ends agreed on, or null before; written once by {@link #establish}. Any thread reads it. */
    private volatile ProtocolId protocol;

    /** What the application is told by, or null before it has accepted; set once, on the owner's thread. */
    private ConnectionHandler handler;
    /** The application's own; it alone writes it. */
    private Object attachment;
    /** Whether the application has ended its stream: no more is written. Set once. */
    private boolean isEndPending;
    /** Whether the host tells the peer of the end as soon as there is room for a frame that does. Set once. */
    private boolean isLeaveQueued;
    /** What the application's code did wrong, or null; written once, before the reason of the end. Any thread reads. */
    private volatile Throwable fault;
    /** Whether the handler waits for room to write; set by any thread, cleared by the owner's when it tells. */
    private volatile boolean wantsWritable;

    Connection(HostStack host, int id, long localTag, Path path, PeerAccount account, Lifecycle.State state) {
        this.host = host;
        this.account = account;
        this.id = id;
        this.localTag = localTag;
        this.path = path;
        this.egress = host.egresses().on(path);
        this.template = host.config().headersOn(path);
        StreamLimits streams = host.config().streams();
        int initialBytes = host.config().bufferBytesInitialOn(path);
        this.sendBuffer = new SendBuffer(streams.sendBufferBytes(), initialBytes, account.memory());
        this.receiveBuffer =
                new ReceiveBuffer(streams.receiveBufferBytes(), initialBytes, streams.gapsMax(), account.memory());
        this.life = new Lifecycle(state);
        this.watch = new PeerWatch(host.config(), host.counters(), host.pauses(), host.nowNanos());
        this.output = new ConnectionOutput(this, host, life);
        this.input = new ConnectionInput(this, host, life, watch, output);
    }

    // ---- the application's side: on the thread that runs its loop's cycle, unless it says "any thread"

    /**
     * Writes to the stream; what is written leaves when the protocol lets it.
     *
     * @return how many bytes there was room for; when that is less than {@code length}, {@link
     *     ConnectionHandler#onWritable} follows. 0 once this direction or the connection has ended. All of them, and
     *     for nothing, where the peer has reset the connection and {@link ConnectionHandler#onData} still has bytes to
     *     take
     * @throws IndexOutOfBoundsException if the buffer does not have these bytes
     */
    public int write(DirectBuffer buffer, int index, int length) {
        host.requireOwner();
        if (life.isClosed() || isEndPending) {
            return 0;
        }
        if (life.isEndPending()) {
            return length;
        }
        int written = sendBuffer.write(buffer, index, length);
        if (written < length) {
            wantsWritable = true;
        }
        settle(host.nowNanos());
        return written;
    }

    /**
     * Takes back what was written and has not been sent once. For applications on the thread that owns the host; not
     * after {@link #shutdownOutput}.
     *
     * @param keptBytes how many of those bytes stay, at most
     * @return how many are taken back
     */
    public long takeBackUnsent(int keptBytes) {
        host.requireOwner();
        if (keptBytes < 0) {
            throw new IllegalArgumentException("keptBytes=" + keptBytes + " is negative; keep 0 or more");
        }
        if (life.isClosed()) {
            return 0;
        }
        long from = (sender() == null ? 0 : sender().sentOffset()) + keptBytes;
        long bytes = sendBuffer.endOffset() - from;
        if (isEndPending || bytes <= 0) {
            return 0;
        }
        sendBuffer.truncate(from);
        return bytes;
    }

    /** Ends this direction of the connection: what was written is still delivered, then the peer sees the end. */
    public void shutdownOutput() {
        host.requireOwner();
        isEndPending = true;
        if (sender() != null) {
            sender().end();
        }
        settle(host.nowNanos());
    }

    /**
     * Ends the connection at once if it has not ended in order within {@code nanos} from now. As long as the peer
     * acknowledges what was written, it has that time again.
     */
    public void closeWithin(long nanos) {
        host.requireOwner();
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos=" + nanos + " is negative; give 0 or more, or call abort()");
        }
        if (state() == Lifecycle.State.ESTABLISHED) {
            life.endWithin(Math.min(nanos, CLOSE_NANOS_MAX), acknowledgedBytes(), host.nowNanos());
            settle(host.nowNanos());
        }
    }

    /**
     * Asks a silent peer whether it is there, and ends the connection when it is not: see {@link HostConfig.Liveness}.
     * On from the beginning for connections that the peer has opened, if the configuration says so.
     *
     * @param silenceNanos how long the peer may be silent until it is asked; 0 to ask never
     */
    public void setKeepAlive(long silenceNanos) {
        host.requireOwner();
        watch.setKeepAlive(silenceNanos);
        settle(host.nowNanos());
    }

    /**
     * As {@link #setKeepAlive(long)}, with gaps between the questions that the application chooses.
     *
     * @param silenceNanos how long the peer may be silent until it is asked; more than 0
     * @param gapNanos how long it may take to answer, each time; more than 0
     * @param count how many questions it may leave without an answer; 1 or more
     */
    public void setKeepAlive(long silenceNanos, long gapNanos, int count) {
        host.requireOwner();
        if (silenceNanos <= 0 || gapNanos <= 0 || count < 1) {
            throw new IllegalArgumentException("silenceNanos=" + silenceNanos + ", gapNanos=" + gapNanos + " or count="
                    + count + " is less than 1; setKeepAlive(0) turns it off");
        }
        watch.setKeepAlive(silenceNanos, gapNanos, count);
        settle(host.nowNanos());
    }

    /**
     * Ends the connection when no byte of either stream has moved for {@code nanos}; 0 to let it be idle for any time.
     */
    public void setIdleTimeout(long nanos) {
        host.requireOwner();
        watch.setIdleTimeout(nanos, host.nowNanos());
        settle(host.nowNanos());
    }

    /** Ends the connection when what this end has to do makes no progress for {@code nanos}. */
    public void setUserTimeout(long nanos) {
        host.requireOwner();
        watch.setUserTimeout(nanos);
        settle(host.nowNanos());
    }

    /** Ends the connection at once, both ways; the peer is told. One that has ended in order is left alone. */
    public void abort() {
        host.requireOwner();
        abort(CloseReason.ABORTED, null);
    }

    /**
     * Ends the connection at once because the application's own code for it failed, as if its handler had: the listener
     * for faults is told, the peer reads a reset.
     */
    public void fail(Throwable problem) {
        host.requireOwner();
        host.callbacks().onFault(this, problem);
    }

    void abort(CloseReason reason, Throwable problem) {
        if (!life.isClosed() && state() != Lifecycle.State.LINGERING) {
            fault = problem;
            if (remoteTag != 0) {
                host.resets().send(this, ResetHeader.ABORTED);
            }
            input.close(reason);
        }
    }

    /**
     * Ends this direction, and the connection as soon as the peer has acknowledged all of it, at the latest after
     * {@code nanos}. It does not wait for the end of the peer's stream: this host is about to go.
     */
    void leaveWithin(long nanos) {
        if (state() == Lifecycle.State.LINGERING) {
            // All has arrived, both ways: only a lost acknowledgement can be missing. A path that was slow once would
            // have the whole host wait for seconds.
            life.leaveBy(
                    host.nowNanos() + Math.min(nanos, host.config().timers().lingerNanos()));
            host.deadlines().scheduleTimeout(id, input.nextTimeoutNanos());
        } else if (state() != Lifecycle.State.ESTABLISHED || nanos == 0) {
            leave();
        } else {
            life.leaveBy(host.nowNanos() + nanos);
            shutdownOutput();
        }
    }

    /** Ends the connection, for the host is about to go, as soon as there is room for a frame that tells the peer. */
    private void leave() {
        if (egress.hasReplyRoom()) {
            abort(CloseReason.HOST_CLOSED, null);
        } else if (!isLeaveQueued) {
            isLeaveQueued = true;
            egress.scheduleLeave(this);
        }
    }

    /** Says that {@link ConnectionHandler#onData} would take bytes again, or that another thread has read some. */
    public void resumeReading() {
        host.requireOwner();
        if (receiver() != null && !life.isClosed()) {
            receiver().onRead(host.nowNanos());
            receiver().protocol().onRoom(host.nowNanos());
            settle(host.nowNanos());
        }
    }

    /** Says that another thread has written to the {@link #sendBuffer}. */
    public void onWritten() {
        host.requireOwner();
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
        StreamReceiver half = receiver();
        return half != null && receiveBuffer.readOffset() == half.endOffset();
    }

    /** {@return how the connection ended, or null while it has not; any thread may ask} */
    public CloseReason closeReason() {
        return life.closeReason();
    }

    /**
     * {@return what the application's code did wrong, where that is how the connection ended, or null; any thread may
     * ask}
     */
    public Throwable fault() {
        return fault;
    }

    /** {@return where its frames go} */
    public Path path() {
        return path;
    }

    /** {@return what its frames leave by} */
    HostEgress egress() {
        return egress;
    }

    /** {@return what schedules it, as both ends agreed, or null before they have; any thread may ask} */
    public ProtocolId protocol() {
        return protocol;
    }

    /** {@return the host that it belongs to} */
    public HostStack host() {
        return host;
    }

    /** {@return the fate of the credits that this end sent, or null before the connection is established} */
    public CreditLedger creditLedger() {
        return receiver() == null ? null : receiver().protocol().ledger();
    }

    /** {@return the use of the credits that came to this end, or null before the connection is established} */
    public CreditUse creditUse() {
        return sender() == null ? null : sender().protocol().creditUse();
    }

    /** {@return bytes that this end has sent and of which it does not know yet whether they have arrived} */
    public long inFlightBytes() {
        return sender() == null ? 0 : sender().inFlightBytes();
    }

    /** {@return bytes that this end has retransmitted} */
    public long retransmittedBytes() {
        return sender() == null ? 0 : sender().retransmittedBytes();
    }

    /** {@return data frames with bytes that this end has sent before} */
    public long retransmittedFrames() {
        return sender() == null ? 0 : sender().retransmittedFrames();
    }

    /** {@return the smoothed round-trip time, 0 before the first sample} */
    public long smoothedRttNanos() {
        return sender() == null ? 0 : sender().rtt().smoothedNanos();
    }

    /** {@return how much round-trip times differ from the smoothed one, on average; 0 before the first sample} */
    public long rttVariationNanos() {
        return sender() == null ? 0 : sender().rtt().variationNanos();
    }

    /** {@return how many bytes the peer has room for, as it told last} */
    public long peerWindowBytes() {
        return sender() == null ? 0 : sender().windowBytes();
    }

    /** {@return payload bytes of a full data frame, 0 before the connection is established} */
    public int segmentBytes() {
        return sender() == null ? 0 : sender().segmentBytes();
    }

    /**
     * {@return payload bytes that the protocol lets be in flight, 0 for one without a window or before the connection
     * stands}
     */
    public long congestionWindowBytes() {
        return sender() == null ? 0 : sender().protocol().windowBytes();
    }

    /** {@return bytes that the peer has acknowledged} */
    public long acknowledgedBytes() {
        return sender() == null ? 0 : Math.min(sender().ackedOffset(), sendBuffer.endOffset());
    }

    /** {@return the application's own object} */
    public Object attachment() {
        return attachment;
    }

    /** Keeps an object for the application. */
    public void attach(Object newAttachment) {
        attachment = newAttachment;
    }

    /**
     * Lets {@code observer} see what acknowledgements tell, once the connection is established. What it throws ends
     * the connection, as what its handler throws.
     *
     * @throws IllegalStateException before it is
     */
    public void observe(AckObserver observer) {
        if (sender() == null) {
            throw new IllegalStateException("the connection is not established; observe it from onConnected on");
        }
        host.requireOwner();
        sender().observe((ack, now) -> host.callbacks().onAck(this, observer, ack, now));
    }

    // ---- the application is told

    /** A peer's connection stands: from now on {@code newHandler} is told what happens to it. */
    void onConnected(ConnectionHandler newHandler) {
        handler = newHandler;
        onConnected();
    }

    /** The connection stands. */
    void onConnected() {
        host.tell(this, ConnectionEvent.OPENED);
        host.callbacks().onConnected(handler, this);
    }

    /** The connection has ended: gives back its memory, but for what another thread has still to read. */
    void onClosed(CloseReason reason) {
        if (life.end(reason)) {
            boolean isOrderly = reason == CloseReason.FINISHED;
            host.counters().increment(isOrderly ? CounterId.CONNECTIONS_CLOSED : CounterId.CONNECTIONS_ABORTED);
            host.tell(this, ConnectionEvent.ENDED);
            if (handler != null) {
                host.callbacks().onClosed(handler, this, reason);
            }
        }
        sendBuffer.close();
        receiveBuffer.detach(isReadElsewhere());
    }

    /** The peer has acknowledged: there may be room to write. */
    void onRoom() {
        if (!wantsWritable) {
            return;
        }
        // The application waits although the protocol has let half of what it wrote go, or more: the buffer is what
        // limits.
        if (sendBuffer.endOffset() - sender().sentOffset() < sendBuffer.limitBytes() / 2 && sendBuffer.grow()) {
            onGrowthRefused();
        }
        if (sendBuffer.freeBytes() >= sendBuffer.limitBytes() / 4) {
            wantsWritable = false;
            host.callbacks().onWritable(handler, this);
        }
    }

    /** A buffer was to grow, and there is no memory for it. */
    void onGrowthRefused() {
        host.counters().increment(CounterId.BUFFER_GROWTHS_REFUSED);
        host.tell(this, ConnectionEvent.MEMORY_REFUSED);
    }

    /** {@return whether the application waits to write because there was no memory} */
    boolean awaitsMemory() {
        return wantsWritable && sendBuffer.isStarved();
    }

    int offerData(DirectBuffer buffer, int index, int length) {
        return handler == null || closeReason() != null
                ? 0
                : host.callbacks().onData(handler, this, buffer, index, length);
    }

    void onPeerEnd() {
        if (handler != null && closeReason() == null) {
            host.callbacks().onEnd(handler, this);
        }
    }

    /** {@return whether bytes wait that the handler has not taken, and is to take before it is told of the end} */
    boolean hasUntaken() {
        return receiver() != null && handler != null && receiveBuffer.readableBytes() > 0 && !isReadElsewhere();
    }

    private boolean isReadElsewhere() {
        return handler != null && host.callbacks().readsElsewhere(handler, this);
    }

    // ---- what the rest of the host needs

    /** Asks for an opening frame; the handler is told how the opening goes. */
    void open(Opening opening, ConnectionHandler newHandler) {
        handler = newHandler;
        input.open(opening);
        settle(host.nowNanos());
    }

    /** After anything has happened: asks for what must leave and for the next deadline. */
    void settle(long nowNanos) {
        if (life.isClosed()) {
            return;
        }
        if (life.isEndPending()) {
            input.endIfRead();
        } else if (sender() != null) {
            output.settle(nowNanos);
            boolean hasFinished = input.settle(nowNanos);
            if (!hasFinished && life.isLeaving() && sender().isFinished()) {
                leave();
            }
        }
        if (life.isClosed()) {
            return;
        }
        host.deadlines().scheduleTimeout(id, input.nextTimeoutNanos());
    }

    /** Starts both streams once the peer's tag, MTU and window are known. */
    void establish(PeerOffer peer) {
        remoteTag = peer.tag();
        protocol = peer.protocol();
        int creditFramesMax = Math.min(host.config().creditFramesMax(), peer.creditFrames());
        isCreditedSingly = creditFramesMax == 1 && host.config().creditFramesMax() > 1;
        peerTakesRiders = peer.takesRiders();
        input.openStreams(peer);
        if (isEndPending) {
            sender().end();
        }
    }

    /** Its frames go to another next hop from now on, or bear another Ethernet address of this end. */
    void repath(long remoteMac, long localMac) {
        if (path.remoteMac() != remoteMac || path.localMac() != localMac) {
            path = path.withMacs(localMac, remoteMac);
            template.setMacs(remoteMac, localMac);
            host.counters().increment(CounterId.PATHS_CHANGED);
        }
    }

    ConnectionInput input() {
        return input;
    }

    ConnectionOutput output() {
        return output;
    }

    StreamSender sender() {
        return output.sender();
    }

    StreamReceiver receiver() {
        return output.receiver();
    }

    Lifecycle.State state() {
        return life.state();
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

    PeerAccount account() {
        return account;
    }

    HeaderTemplate template() {
        return template;
    }

    PacketNumbers numbers() {
        return numbers;
    }

    boolean isCreditedSingly() {
        return isCreditedSingly;
    }

    boolean peerTakesRiders() {
        return peerTakesRiders;
    }
}
