package io.weir.netty;

import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.weir.transport.host.Connection;
import io.weir.transport.socket.LocalPort;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A channel's attempt to connect, from when it is asked for until the pipeline knows how it went. */
final class ConnectAttempt {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectAttempt.class);

    private final WeirSocketChannel channel;
    /** Null when there is no attempt. */
    private ChannelPromise promise;
    /** Null when there is no attempt, or one without a time-out. */
    private Future<?> timeout;

    /** Where to, as the application named it. */
    private InetSocketAddress remote;
    /** The connection, from when its opening frame is on its way; null before. Loop thread. */
    private Connection begun;

    ConnectAttempt(WeirSocketChannel channel) {
        this.channel = channel;
    }

    /** {@return whether an attempt goes on} */
    boolean isPending() {
        return promise != null;
    }

    /** {@return the address, which has one of IP} */
    static InetSocketAddress requireResolved(SocketAddress address) {
        InetSocketAddress wanted = (InetSocketAddress) address;
        if (wanted.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return wanted;
    }

    /** @param from the port to connect from, or null for one that nobody uses */
    void begin(InetSocketAddress target, LocalPort from, ChannelPromise newPromise) {
        if (promise != null) {
            throw new ConnectionPendingException();
        }
        promise = newPromise;
        remote = target;
        int timeoutMillis = channel.config().getConnectTimeoutMillis();
        EventLoop loop = channel.eventLoop();
        if (timeoutMillis > 0) {
            timeout = loop.schedule(() -> expire(timeoutMillis), timeoutMillis, TimeUnit.MILLISECONDS);
        }
        newPromise.addListener(future -> {
            if (future.isCancelled()) {
                loop.execute(this::onCancelled);
            }
        });
        if (from != null || !tryConnect()) {
            WeirIoHandler handler = channel.handler();
            handler.connector().execute(() -> connect(handler, loop, from));
        }
    }

    /**
     * {@return whether the connection is being opened, or cannot be} If not, somebody has to be waited for. What the
     * pipeline is told of a failure, it is told after the call that asked for the connection.
     */
    private boolean tryConnect() {
        try {
            begun = channel.handler().transport().tryConnect(remote, channel.events());
            return begun != null;
        } catch (IOException | RuntimeException e) {
            report(channel.eventLoop(), e);
            return true;
        }
    }

    /** On a thread that may wait for the neighbour's answer. How it goes on, the connection's events tell. */
    private void connect(WeirIoHandler handler, EventLoop loop, LocalPort from) {
        Transport transport = handler.transport();
        try {
            Connection opened = transport.connect(handler.loop(), remote, from, channel.events());
            transport.execute(opened, now -> onBegun(opened));
        } catch (Exception e) {
            report(loop, e);
        }
    }

    /**
     * Within a cycle. The channel may have been closed meanwhile, or have got its connection and closed that in order.
     */
    private void onBegun(Connection opened) {
        begun = opened;
        if (!channel.isOpen()) {
            abortBegun();
        }
    }

    private void abortBegun() {
        if (begun != null && channel.connection() == null) {
            begun.abort();
        }
    }

    private void report(EventLoop loop, Exception problem) {
        try {
            loop.execute(() -> {
                if (promise != null) {
                    fail(problem);
                }
            });
        } catch (RejectedExecutionException e) {
            // The event loop has ended, and has closed its channels.
            LOG.debug("could not tell that {} cannot be connected to", remote, problem);
        }
    }

    private void expire(int timeoutMillis) {
        if (promise != null) {
            fail(new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + remote));
        }
    }

    private void onCancelled() {
        if (promise != null && end().isCancelled()) {
            unsafe().close();
        }
    }

    private ChannelPromise end() {
        ChannelPromise ended = promise;
        promise = null;
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
        return ended;
    }

    /** Tells the pipeline how it went, if that is known by now. */
    void finish() {
        ConnectionEvents events = channel.events();
        if (events.isConnected()) {
            channel.onConnected(remote, events.connection());
            succeed();
        } else if (events.reason() != null) {
            fail(CloseCauses.ofConnect(events.connection(), events.reason(), remote));
        }
    }

    private void succeed() {
        // The promise's listeners may close the channel; that it was active is told all the same.
        boolean isWanted = end().trySuccess();
        channel.pipeline().fireChannelActive();
        if (!isWanted) {
            unsafe().close();
        }
    }

    /** The attempt has failed: the channel closes. */
    void fail(Exception cause) {
        end().tryFailure(unsafe().annotated(cause, remote));
        unsafe().close();
    }

    /** The channel closes: a connection that it has not got is given up. */
    void cancel() {
        if (begun != null) {
            channel.handler().tick();
            abortBegun();
        }
        if (promise != null) {
            end().tryFailure(new ClosedChannelException());
        }
    }

    private WeirSocketChannel.Unsafe unsafe() {
        return channel.own();
    }
}
