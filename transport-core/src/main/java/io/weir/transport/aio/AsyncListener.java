package io.weir.transport.aio;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Function;

/** A listener whose accepts end later. Any thread. */
final class AsyncListener extends AsynchronousServerSocketChannel {
    private final SelectingGroup group;
    private final ServerSocketChannel channel;
    private final CallSlot<AsynchronousSocketChannel> accepts;
    /** Set by the thread that binds. */
    private volatile boolean isBound;

    AsyncListener(SelectingProvider provider, SelectingGroup group, ServerSocketChannel channel) throws IOException {
        super(provider);
        this.group = group;
        this.channel = channel;
        channel.configureBlocking(false);
        this.accepts = new CallSlot<>(group, channel, SelectionKey.OP_ACCEPT, AcceptPendingException::new);
        group.add(this);
    }

    @Override
    public AsynchronousServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        channel.bind(local, backlog);
        isBound = true;
        return this;
    }

    @Override
    public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
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
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public <A> void accept(A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        begin(PendingCall.handled(group, attachment, handler));
    }

    @Override
    public Future<AsynchronousSocketChannel> accept() {
        PendingCall<AsynchronousSocketChannel> call = PendingCall.awaited();
        begin(call);
        return Results.future(call, Function.identity());
    }

    private void begin(PendingCall<AsynchronousSocketChannel> call) {
        if (channel.isOpen() && !isBound) {
            throw new NotYetBoundException();
        }
        accepts.begin(call, 0, this::tryAccept);
    }

    private AsynchronousSocketChannel tryAccept() throws IOException {
        SocketChannel accepted = channel.accept();
        return accepted == null ? null : AsyncConnection.accepted(this, group, accepted);
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        accepts.close();
        group.remove(this);
    }
}
