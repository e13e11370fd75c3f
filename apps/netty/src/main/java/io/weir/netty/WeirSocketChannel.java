package io.weir.netty;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.SocketChannel;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.socket.LocalPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.NotYetConnectedException;

/**
 * A connection of Weir's as one of Netty's channels. It belongs to the event loop of {@link WeirIoHandler}, and cannot
 * leave it.
 */
public final class WeirSocketChannel extends AbstractChannel implements SocketChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final WeirSocketChannelConfig config = new WeirSocketChannelConfig(this);
    private final ConnectionEvents events = new ConnectionEvents(this::ready);
    private final ChannelOutput output = new ChannelOutput(config);
    private final ConnectAttempt opening = new ConnectAttempt(this);
    private final ChannelInput input = new ChannelInput(this, config, events);

    /** Null while it is not registered. Loop thread. */
    private IoRegistration registration;
    /** The loop that its connection belongs to; of an opened channel, null until it is registered. Loop thread. */
    private WeirIoHandler handler;
    /** Null until the connection stands. Loop thread. */
    private Connection connection;
    /** The port that it is bound to, or null; a connection takes it over. Loop thread. */
    private LocalPort bound;

    /** Registers it, or null where there is nothing to choose. */
    private final HomingUnsafe homing;

    // The connection's ends, null before it is open; written by the event loop, and read by any thread.
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    /** Whether the connection stands; written by the loop's thread. */
    private volatile boolean isActive;
    /** Written by the loop's thread, once. */
    private volatile boolean isClosed;

    /** Set once by the event loop, and never cleared; any thread asks. */
    private volatile boolean isOutputShutdown;

    /** Creates a channel that is not connected; it is registered with an event loop of {@link WeirIoHandler}. */
    public WeirSocketChannel() {
        super(null);
        this.homing = null;
    }

    /** A connection that a peer has opened. */
    WeirSocketChannel(WeirServerSocketChannel parent, Connection connection, WeirIoHandler handler) {
        super(parent);
        this.handler = handler;
        this.homing = handler.loops().size() > 1 ? new HomingUnsafe(own(), handler) : null;
        attach(connection);
    }

    /** The connection stands. */
    private void attach(Connection opened) {
        connection = opened;
        input.attach(opened);
        output.attach(opened);
        local = new InetSocketAddress(
                opened.path().local().toInetAddress(), opened.path().localPort());
        if (remote == null) {
            remote = new InetSocketAddress(
                    opened.path().remote().toInetAddress(), opened.path().remotePort());
        }
        isActive = true;
    }

    // ---- queries

    @Override
    public WeirServerSocketChannel parent() {
        return (WeirServerSocketChannel) super.parent();
    }

    @Override
    public WeirSocketChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    @Override
    protected SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return isActive || isClosed ? remote : null;
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public boolean isActive() {
        return isActive;
    }

    @Override
    public boolean isInputShutdown() {
        return !isActive || input.isShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return !isActive || isOutputShutdown;
    }

    @Override
    public boolean isShutdown() {
        return isInputShutdown() && isOutputShutdown();
    }

    /** {@return the connection, or null before it stands} It belongs to the event loop's thread. */
    Connection connection() {
        return connection;
    }

    ConnectionEvents events() {
        return events;
    }

    ChannelInput input() {
        return input;
    }

    // ---- the event loop

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop ioLoop && ioLoop.isCompatible(Unsafe.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register(own()).addListener(future -> {
            if (future.isSuccess()) {
                registration = (IoRegistration) future.getNow();
                handler = registration.attachment();
                applyKeepAlive();
                promise.setSuccess();
                // What came before it was registered.
                ready();
            } else {
                promise.setFailure(future.cause());
            }
        });
    }

    @Override
    protected void doDeregister() {
        if (registration != null) {
            registration.cancel();
            registration = null;
        }
    }

    /** Has the pipeline told what has happened, after the cycle. */
    void ready() {
        if (registration != null) {
            handler.ready(own());
        }
    }

    WeirIoHandler handler() {
        return handler;
    }

    /** Tells the pipeline what has happened. */
    private void tellPipeline() {
        if (isClosed || registration == null) {
            return;
        }
        if (handler.failure() != null) {
            fail(new IOException("the transport ended by a fault", handler.failure()));
            return;
        }
        if (opening.isPending()) {
            opening.finish();
        }
        if (isActive && events.takeWritable()) {
            own().flushNow();
        }
        if (isActive) {
            input.read();
        }
    }

    // ---- opening

    @Override
    protected void doBind(SocketAddress address) throws IOException {
        InetSocketAddress wanted = ConnectAttempt.requireResolved(address);
        if (bound != null) {
            throw new AlreadyBoundException();
        }
        bound = handler.transport().bind(wanted);
        local = bound.address();
    }

    private void open(SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise)
            throws IOException {
        if (isActive) {
            throw new AlreadyConnectedException();
        }
        InetSocketAddress target = ConnectAttempt.requireResolved(remoteAddress);
        if (localAddress != null) {
            doBind(localAddress);
        }
        opening.begin(target, bound, promise);
    }

    /** The connection that this end has opened stands. */
    void onConnected(InetSocketAddress peer, Connection opened) {
        remote = peer;
        attach(opened);
        applyKeepAlive();
    }

    // ---- reading

    @Override
    protected void doBeginRead() {
        input.beginRead();
    }

    /** The connection has ended, and not in order. */
    void onFailed(CloseReason reason) {
        fail(CloseCauses.ofUse(connection, reason));
    }

    private void fail(IOException cause) {
        if (opening.isPending()) {
            opening.fail(cause);
            return;
        }
        pipeline().fireExceptionCaught(cause);
        unsafe().close(voidPromise());
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        EventLoop loop = eventLoop();
        if (loop.inEventLoop()) {
            input.shutdown(promise);
        } else {
            loop.execute(() -> input.shutdown(promise));
        }
        return promise;
    }

    // ---- writing

    @Override
    protected Object filterOutboundMessage(Object message) {
        return ChannelOutput.filter(message);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer messages) throws Exception {
        CloseReason reason = events.reason();
        if (reason != null) {
            throw CloseCauses.ofUse(connection, reason);
        }
        handler.tick();
        output.write(messages);
    }

    @Override
    protected void doShutdownOutput() {
        isOutputShutdown = true;
        handler.tick();
        connection.shutdownOutput();
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        EventLoop loop = eventLoop();
        if (loop.inEventLoop()) {
            shutdownOutputNow(promise);
        } else {
            loop.execute(() -> shutdownOutputNow(promise));
        }
        return promise;
    }

    private void shutdownOutputNow(ChannelPromise promise) {
        if (isActive || isClosed) {
            own().shutdownOutput(promise);
        } else {
            promise.tryFailure(new NotYetConnectedException());
        }
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        shutdownOutput().addListener(first -> shutdownInput().addListener(second -> {
            Throwable cause = first.isSuccess() ? second.cause() : first.cause();
            if (cause == null) {
                promise.trySuccess();
            } else {
                promise.tryFailure(cause);
            }
        }));
        return promise;
    }

    void onKeepAlive() {
        if (isRegistered()) {
            eventLoop().execute(this::applyKeepAlive);
        }
    }

    private void applyKeepAlive() {
        Boolean wanted = config.keepAliveWanted();
        if (wanted != null && isActive && events.reason() == null) {
            long configured = connection.host().config().liveness().keepAliveNanos();
            long nanos = configured > 0 ? configured : HostConfig.Liveness.DEFAULT.keepAliveNanos();
            handler.tick();
            connection.setKeepAlive(wanted ? nanos : 0);
        }
    }

    // ---- closing

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        isActive = false;
        input.close();
        isOutputShutdown = true;
        opening.cancel();
        if (bound != null) {
            bound.close();
        }
        doDeregister();
        if (connection != null) {
            endConnection();
        }
    }

    /** The server channel closes before the pipeline was given this one. */
    void abandon() {
        config.setSoLinger(0);
        doClose();
    }

    /** A channel that was refused by its event loop is closed by another thread. */
    private void endConnection() {
        if (handler.isOwner()) {
            handler.tick();
            events.end(connection, config.getSoLinger());
        } else if (!handler.loop().isClosed()) {
            handler.transport().execute(connection, now -> events.end(connection, config.getSoLinger()));
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new Unsafe();
    }

    @Override
    public Channel.Unsafe unsafe() {
        return homing == null || isRegistered() ? super.unsafe() : homing;
    }

    Unsafe own() {
        return (Unsafe) super.unsafe();
    }

    /** What Netty's pipeline calls, and what the event loop knows of the channel. */
    final class Unsafe extends AbstractUnsafe implements WeirIoHandle {
        private boolean isQueued;

        @Override
        public void connect(SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) {
                return;
            }
            try {
                open(remoteAddress, localAddress, promise);
            } catch (RuntimeException | IOException e) {
                promise.tryFailure(annotateConnectException(e, remoteAddress));
            }
        }

        /** {@return the cause with the address in its message} */
        Throwable annotated(Throwable cause, SocketAddress remoteAddress) {
            return annotateConnectException(cause, remoteAddress);
        }

        @Override
        protected void flush0() {
            // Until there is room again, the stack says so.
            if (!output.isBlocked()) {
                super.flush0();
            }
        }

        private void flushNow() {
            output.unblock();
            super.flush0();
        }

        @Override
        public void onReady() {
            tellPipeline();
        }

        @Override
        public boolean isQueued() {
            return isQueued;
        }

        @Override
        public void setQueued(boolean queued) {
            isQueued = queued;
        }

        @Override
        public boolean mayBelongTo(HostStack host) {
            return handler == null || handler.host() == host;
        }

        @Override
        public void handle(IoRegistration ioRegistration, IoEvent event) {
            throw WeirIoHandler.unexpected(event);
        }

        @Override
        public void close() {
            close(voidPromise());
        }
    }
}
