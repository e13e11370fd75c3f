package io.weir.cli.perf.carrier;

import io.weir.nic.NicException;
import io.weir.nic.net.TcpInfo;
import io.weir.transport.host.CloseReason;
import io.weir.transport.protocol.CreditLedger;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of the kernel's TCP. */
final class KernelLink implements Link, KernelLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(KernelLink.class);
    /** As iperf3 reads and writes. */
    private static final int BUFFER_BYTES = 128 << 10;
    /** A peer that reads as fast must not keep the loop from its other connections. */
    private static final int CYCLE_BYTES_MAX = 1 << 20;

    private final KernelLoop loop;
    private final SocketChannel channel;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final UnsafeBuffer readable = new UnsafeBuffer(incoming);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BUFFER_BYTES);
    // Each set once, on the loop's thread: who is told, before anything happens; the rest when it is open.
    private LinkHandler handler;
    private SelectionKey key;
    private InetSocketAddress local;
    private InetSocketAddress remote;
    /** Raised by write() alone. */
    private long writtenBytes;
    // How many bytes were written in which cycle of the loop.
    private long cycle;
    private int cycleBytes;
    // Whether the peer's stream has ended, whether this end's has, and whether the connection is over. Set once each.
    private boolean isInputAtEnd;
    private boolean isOutputShut;
    private boolean isOver;
    /** When the connection is ended, by System.nanoTime, or 0 for never. */
    private long closeNanos;

    KernelLink(KernelLoop loop, SocketChannel channel, LinkHandler handler) {
        this.loop = loop;
        this.channel = channel;
        this.handler = handler;
    }

    /** Sets up a channel: small messages leave at once. */
    static void prepare(SocketChannel channel, KernelSettings settings) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (settings.windowBytes() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.windowBytes());
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.windowBytes());
        }
        if (settings.trafficClass() != 0) {
            channel.setOption(StandardSocketOptions.IP_TOS, settings.trafficClass());
        }
    }

    @Override
    public void tune(int windowBytes, int trafficClass) {
        try {
            prepare(channel, new KernelSettings(null, windowBytes, trafficClass, 0, false));
        } catch (IOException e) {
            LOG.debug("a connection of the kernel's ended", e);
        }
    }

    /** Says who is told; before anything happens. */
    void setHandler(LinkHandler value) {
        handler = value;
    }

    /** Waits for the connection, which was asked for; the loop's thread. */
    void open() {
        try {
            key = loop.register(channel, SelectionKey.OP_CONNECT, this);
            if (channel.isConnected()) {
                onOpen();
            }
        } catch (IOException e) {
            close(reasonOf(e, false));
        }
    }

    /** Begins to read a connection that is open; the loop's thread. */
    void begin() throws IOException {
        note();
        key = loop.register(channel, SelectionKey.OP_READ, this);
    }

    private void note() throws IOException {
        local = (InetSocketAddress) channel.getLocalAddress();
        remote = (InetSocketAddress) channel.getRemoteAddress();
    }

    private void onOpen() throws IOException {
        note();
        key.interestOps(SelectionKey.OP_READ);
        handler.onConnected(this);
    }

    @Override
    public void onReady(SelectionKey ready) {
        boolean isOpen = channel.isConnected();
        try {
            if (!isOpen) {
                channel.finishConnect();
                onOpen();
                return;
            }
            if (key.isWritable()) {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
                handler.onWritable(this);
            }
            if (!isOver && key.isReadable()) {
                read();
            }
        } catch (IOException e) {
            LOG.debug("a connection of the kernel's ended", e);
            close(reasonOf(e, isOpen));
        }
    }

    private static CloseReason reasonOf(IOException failure, boolean isOpen) {
        if (failure instanceof NoRouteToHostException) {
            return CloseReason.UNREACHABLE;
        }
        if (failure instanceof ConnectException) {
            return String.valueOf(failure.getMessage()).contains("timed out")
                    ? CloseReason.OPEN_TIMED_OUT
                    : CloseReason.REFUSED;
        }
        boolean isSilence = String.valueOf(failure.getMessage()).contains("timed out");
        return !isOpen ? CloseReason.OPEN_TIMED_OUT : isSilence ? CloseReason.TIMED_OUT : CloseReason.RESET;
    }

    private void read() throws IOException {
        int count = channel.read(incoming);
        offer();
        if (count < 0 && !isOver && !isInputAtEnd) {
            isInputAtEnd = true;
            key.interestOpsAnd(~SelectionKey.OP_READ);
            handler.onEnd(this);
            endIfBothHave();
        }
    }

    /** Hands on what has come; what is not taken stays. */
    private void offer() {
        int at = 0;
        int end = incoming.position();
        int taken = 1;
        while (at < end && taken > 0 && !isOver) {
            taken = handler.onData(this, readable, at, end - at);
            at += taken;
        }
        incoming.position(at).limit(end);
        incoming.compact();
    }

    private void endIfBothHave() {
        if (isInputAtEnd && isOutputShut && !isOver) {
            close(CloseReason.FINISHED);
        }
    }

    private void close(CloseReason reason) {
        if (!isOver) {
            isOver = true;
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("a channel could not be closed", e);
            }
            handler.onClosed(this, reason);
        }
    }

    @Override
    public void onTick(boolean isEnding) {
        if (isEnding) {
            close(CloseReason.HOST_CLOSED);
        } else if (closeNanos != 0 && System.nanoTime() - closeNanos >= 0) {
            close(CloseReason.ABORTED);
        }
    }

    @Override
    public boolean isLeaving() {
        return isOutputShut && !isOver;
    }

    @Override
    public int write(DirectBuffer buffer, int index, int length) {
        if (isOver || isOutputShut) {
            return 0;
        }
        if (cycle != loop.cycle()) {
            cycle = loop.cycle();
            cycleBytes = 0;
        }
        int done = 0;
        try {
            while (done < length) {
                int offered = Math.min(Math.min(length - done, outgoing.capacity()), CYCLE_BYTES_MAX - cycleBytes);
                int taken = offered == 0 ? 0 : channel.write(filled(buffer, index + done, offered));
                done += taken;
                cycleBytes += taken;
                writtenBytes += taken;
                if (taken < offered || offered == 0) {
                    key.interestOpsOr(SelectionKey.OP_WRITE);
                    return done;
                }
            }
        } catch (IOException e) {
            LOG.debug("a connection of the kernel's ended", e);
            // Not at once: the caller is in the middle of other work.
            loop.later(now -> close(CloseReason.RESET));
        }
        return done;
    }

    private ByteBuffer filled(DirectBuffer buffer, int index, int length) {
        outgoing.clear();
        buffer.getBytes(index, outgoing, 0, length);
        return outgoing.position(0).limit(length);
    }

    @Override
    public void shutdownOutput() {
        if (!isOver && !isOutputShut) {
            isOutputShut = true;
            try {
                channel.shutdownOutput();
            } catch (IOException e) {
                LOG.debug("a connection of the kernel's ended", e);
            }
            loop.later(now -> endIfBothHave());
        }
    }

    @Override
    public void closeWithin(long nanos) {
        closeNanos = System.nanoTime() + nanos;
    }

    @Override
    public void abort() {
        if (!isOver) {
            try {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                LOG.debug("a connection of the kernel's ended", e);
            }
            close(CloseReason.ABORTED);
        }
    }

    @Override
    public Object loop() {
        return loop;
    }

    @Override
    public long writtenBytes() {
        return writtenBytes;
    }

    /** As iperf3 counts what was sent: what the kernel has taken. */
    @Override
    public long acknowledgedBytes() {
        return writtenBytes;
    }

    @Override
    public LinkFigures figures() {
        TcpInfo info = info();
        return info == null
                ? LinkFigures.NONE
                : new LinkFigures(
                        info.rttNanos(),
                        info.rttVariationNanos(),
                        info.windowBytes(),
                        info.peerWindowBytes(),
                        info.retransmittedSegments());
    }

    /** {@return what the kernel knows of the connection, or null where it tells nothing} */
    private TcpInfo info() {
        try {
            return isOver || local == null ? null : TcpInfo.of(local, remote);
        } catch (NicException e) {
            LOG.debug("the kernel does not tell about its connections", e);
            return null;
        }
    }

    @Override
    public int segmentBytes() {
        TcpInfo info = info();
        return info == null ? 0 : info.segmentBytes();
    }

    @Override
    public String protocol() {
        return KernelEndpoint.PROTOCOL;
    }

    @Override
    public String preset() {
        return KernelCounts.congestionControl();
    }

    @Override
    public CreditLedger ledger() {
        return null;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }
}
