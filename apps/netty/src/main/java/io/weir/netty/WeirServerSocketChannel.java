package io.weir.netty;

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ServerSocketChannel;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostStack;
import io.weir.transport.socket.Listening;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens on a port of the event loop's transport, and gives the pipeline a {@link WeirSocketChannel} for each
 * connection. Connections come to all loops of the transport; each channel is registered with the event loop that its
 * connection has come to.
 */
public final class WeirServerSocketChannel extends AbstractServerChannel implements ServerSocketChannel {
    private final WeirServerSocketChannelConfig config = new WeirServerSocketChannelConfig(this);
    private final Handle handle = new Handle();
    /** Connections that the pipeline has not been given. Filled by the thread of each one's loop. */
    private final Queue<WeirSocketChannel> waiting = new ConcurrentLinkedQueue<>();
    /** How many these are. */
    private final AtomicInteger waitingCount = new AtomicInteger();
    /** Null while it is not registered. Loop thread. */
    private IoRegistration registration;
    /** The handler that it was registered with first. Written by the loop's thread, before it is bound. */
    private WeirIoHandler handler;
    /** Whether the pipeline has asked to be given a connection. Loop thread. */
    private boolean isReadPending;
    /** What it listens by; null until it is bound. Loop thread. */
    private Listening listening;
    /** Null until it is bound. Written by the loop's thread. */
    private volatile InetSocketAddress local;
    /** Written by the loop's thread, once. */
    private volatile boolean isClosed;

    /** Creates a channel that is not bound yet; it is registered with an event loop of {@link WeirIoHandler}. */
    public WeirServerSocketChannel() {}

    @Override
    public WeirServerSocketChannelConfig config() {
        return config;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return null;
    }

    @Override
    protected SocketAddress localAddress0() {
        return local;
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public boolean isActive() {
        return !isClosed && local != null;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop ioLoop && ioLoop.isCompatible(Handle.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register(handle).addListener(future -> {
            if (future.isSuccess()) {
                registration = (IoRegistration) future.getNow();
                handler = registration.attachment();
                promise.setSuccess();
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

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        InetSocketAddress wanted = (InetSocketAddress) address;
        if (wanted.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (listening != null) {
            throw new AlreadyBoundException();
        }
        handler.tick();
        Listening begun = handler.transport().listen(wanted, this::onIncoming);
        listening = begun;
        InetAddress ip = wanted.getAddress();
        IpAddress first = handler.transport().hostConfig().addresses().get(0);
        local = new InetSocketAddress(ip.isAnyLocalAddress() ? first.toInetAddress() : ip, begun.localPort());
    }

    /** {@return the handler of a new connection, or null to refuse it} Within a cycle of the connection's loop. */
    private ConnectionHandler onIncoming(Connection connection) {
        if (isClosed || waitingCount.get() >= config.getBacklog()) {
            return null;
        }
        WeirIoHandler home = handler.loops().of(connection.host());
        WeirSocketChannel child = new WeirSocketChannel(this, connection, home);
        waitingCount.incrementAndGet();
        waiting.add(child);
        if (home.equals(handler)) {
            ready();
        } else {
            tellOwner(home);
        }
        return child.events();
    }

    /** Has the channel's own event loop look. */
    private void tellOwner(WeirIoHandler home) {
        try {
            handler.eventLoop().execute(this::ready);
        } catch (RejectedExecutionException e) {
            // It has ended, and the channel was closed with it: nobody will ever ask for what waits.
            home.eventLoop().execute(this::abandonWaiting);
        }
    }

    private void ready() {
        if (isClosed) {
            // It was closed while another loop added a connection.
            abandonWaiting();
        } else if (registration != null) {
            handler.ready(handle);
        }
    }

    private WeirSocketChannel poll() {
        WeirSocketChannel child = waiting.poll();
        if (child != null) {
            waitingCount.decrementAndGet();
        }
        return child;
    }

    private void abandonWaiting() {
        for (WeirSocketChannel child = poll(); child != null; child = poll()) {
            child.abandon();
        }
    }

    @Override
    protected void doBeginRead() {
        isReadPending = true;
        if (!waiting.isEmpty()) {
            ready();
        }
    }

    /** Gives the pipeline connections, as many as it wants at once. Between two cycles. */
    @SuppressWarnings("deprecation") // Netty's own type of what a channel has
    private void accept() {
        if (isClosed || waiting.isEmpty() || !(isReadPending || config.isAutoRead())) {
            return;
        }
        ChannelPipeline pipeline = pipeline();
        RecvByteBufAllocator.Handle allocation = unsafe().recvBufAllocHandle();
        allocation.reset(config);
        allocation.attemptedBytesRead(1);
        do {
            WeirSocketChannel child = poll();
            if (child == null) {
                break;
            }
            allocation.lastBytesRead(1);
            allocation.incMessagesRead(1);
            isReadPending = false;
            pipeline.fireChannelRead(child);
        } while (allocation.continueReading() && !isClosed);
        allocation.readComplete();
        pipeline.fireChannelReadComplete();
        if (!waiting.isEmpty()) {
            ready();
        }
    }

    @Override
    protected void doClose() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (local != null) {
            if (!handler.loop().isClosed()) {
                listening.close();
            }
            abandonWaiting();
        }
        doDeregister();
    }

    private final class Handle implements WeirIoHandle {
        private boolean isQueued;

        @Override
        public void onReady() {
            if (handler.failure() != null) {
                pipeline().fireExceptionCaught(new IOException("the transport ended by a fault", handler.failure()));
                close();
            } else {
                accept();
            }
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
            unsafe().close(unsafe().voidPromise());
        }
    }
}
