package io.weir.transport.aio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.WritePendingException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A connection whose calls end later. Any thread. */
final class AsyncConnection extends AsynchronousSocketChannel {
    private final SelectingGroup group;
    private final SocketChannel channel;
    private final CallSlot<Boolean> connects;
    private final CallSlot<Long> reads;
    private final CallSlot<Long> writes;

    AsyncConnection(SelectingProvider provider, SelectingGroup group, SocketChannel channel) throws IOException {
        super(provider);
        this.group = group;
        this.channel = channel;
        channel.configureBlocking(false);
        this.connects = new CallSlot<>(group, channel, SelectionKey.OP_CONNECT, ConnectionPendingException::new);
        this.reads = new CallSlot<>(group, channel, SelectionKey.OP_READ, ReadPendingException::new);
        this.writes = new CallSlot<>(group, channel, SelectionKey.OP_WRITE, WritePendingException::new);
        group.add(this);
    }

    /** A connection that a listener of the group has accepted. */
    static AsyncConnection accepted(AsyncListener listener, SelectingGroup group, SocketChannel channel)
            throws IOException {
        return new AsyncConnection((SelectingProvider) listener.provider(), group, channel);
    }

    // ---- before it is connected, and about it

    @Override
    public AsynchronousSocketChannel bind(SocketAddress local) throws IOException {
        channel.bind(local);
        return this;
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return channel.getRemoteAddress();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        channel.shutdownInput();
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    // ---- connecting

    @Override
    public <A> void connect(SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
        PendingCall<Boolean> call = PendingCall.handled(group, attachment, Results.ofNothing(handler));
        connect(remote, call);
    }

    @Override
    public Future<Void> connect(SocketAddress remote) {
        PendingCall<Boolean> call = PendingCall.awaited();
        connect(remote, call);
        return Results.future(call, done -> null);
    }

    private void connect(SocketAddress remote, PendingCall<Boolean> call) {
        if (!(remote instanceof InetSocketAddress target)) {
            throw new UnsupportedAddressTypeException();
        }
        if (target.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (channel.isConnected()) {
            throw new AlreadyConnectedException();
        }
        connects.begin(call, 0, () -> tryConnect(target));
    }

    /** A connection that fails closes its channel. */
    private Boolean tryConnect(InetSocketAddress target) throws IOException {
        boolean isGood = false;
        try {
            boolean isOver = channel.isConnectionPending() ? channel.finishConnect() : channel.connect(target);
            isGood = true;
            return isOver ? Boolean.TRUE : null;
        } finally {
            if (!isGood) {
                channel.close();
                group.remove(this);
            }
        }
    }

    // ---- bytes

    private void requireConnected() {
        if (channel.isOpen() && !channel.isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    private void beginRead(ByteBuffer[] targets, PendingCall<Long> call, long timeoutNanos) {
        for (ByteBuffer target : targets) {
            if (target.isReadOnly()) {
                throw new IllegalArgumentException("a buffer to read into is read-only; give others");
            }
        }
        requireConnected();
        reads.begin(call, timeoutNanos, () -> Results.orWait(channel.read(targets), targets));
    }

    private void beginWrite(ByteBuffer[] sources, PendingCall<Long> call, long timeoutNanos) {
        for (ByteBuffer source : sources) {
            Objects.requireNonNull(source, "a buffer is null; give what is to be written");
        }
        requireConnected();
        writes.begin(call, timeoutNanos, () -> Results.orWait(channel.write(sources), sources));
    }

    private static ByteBuffer[] part(ByteBuffer[] all, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, all.length);
        return Arrays.copyOfRange(all, offset, offset + length);
    }

    @Override
    public <A> void read(
            ByteBuffer target,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        PendingCall<Long> call = PendingCall.handled(group, attachment, Results.ofCount(handler));
        beginRead(new ByteBuffer[] {target}, call, unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> read(ByteBuffer target) {
        PendingCall<Long> call = PendingCall.awaited();
        beginRead(new ByteBuffer[] {target}, call, 0);
        return Results.future(call, Long::intValue);
    }

    @Override
    public <A> void read(
            ByteBuffer[] targets,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        beginRead(
                part(targets, offset, length), PendingCall.handled(group, attachment, handler), unit.toNanos(timeout));
    }

    @Override
    public <A> void write(
            ByteBuffer source,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        PendingCall<Long> call = PendingCall.handled(group, attachment, Results.ofCount(handler));
        beginWrite(new ByteBuffer[] {source}, call, unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> write(ByteBuffer source) {
        PendingCall<Long> call = PendingCall.awaited();
        beginWrite(new ByteBuffer[] {source}, call, 0);
        return Results.future(call, Long::intValue);
    }

    @Override
    public <A> void write(
            ByteBuffer[] sources,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        beginWrite(
                part(sources, offset, length), PendingCall.handled(group, attachment, handler), unit.toNanos(timeout));
    }

    // ---- the end

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        connects.close();
        reads.close();
        writes.close();
        group.remove(this);
    }
}
