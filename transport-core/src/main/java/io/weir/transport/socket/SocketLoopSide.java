package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.runtime.LoopTask;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;

/**
 * The loop's side of a {@link WeirSocket}: it does to the connection what the application's threads wish, and wakes
 * them and the listener when the connection has something to tell. Wishes and listeners come from any thread.
 *
 * <p>Invariant: at most one task waits in the loop for all wishes that it has not seen.
 */
final class SocketLoopSide implements ConnectionHandler {
    static final int WRITTEN = 1;
    static final int RESUME = 2;
    static final int SHUTDOWN = 4;
    static final int CLOSE = 8;
    static final int ABORT = 16;
    static final int SHUTDOWN_INPUT = 32;

    /** How long what was written before the socket was closed may make no progress. */
    private static final long CLOSE_TIMEOUT_NANOS = 30_000_000_000L;

    private final WeirSocket socket;
    private final TransportLoop home;
    private final WaitPoint readable;
    private final WaitPoint writable;
    private final AtomicInteger wishes = new AtomicInteger();
    private final LoopTask wishTask;

    /** What is told how the opening ends; null where a thread waits for it, or nobody. Set before it begins. */
    private CompletableFuture<WeirSocket> opening;

    /** Who is called; set with {@link #opening}. */
    private InetSocketAddress called;

    /** Set once by the loop, when the connection stands. */
    private volatile boolean isConnected;
    /** Whether what comes is thrown away, since nobody will read it; set by the loop, never cleared. */
    private volatile boolean isDiscarding;
    /** Told of events on the loop's thread, or null; written by any of the application's threads. */
    private volatile SocketListener listener;
    /** Told that there is an event, on any thread that runs a cycle, or null; written as {@link #listener} is. */
    private volatile Runnable readinessListener;

    /** Creates the loop's side of a socket whose threads wait at these points. */
    SocketLoopSide(WeirSocket socket, TransportLoop home, WaitPoint readable, WaitPoint writable) {
        this.socket = socket;
        this.home = home;
        this.readable = readable;
        this.writable = writable;
        this.wishTask = home.prepare(this::runWishes);
    }

    /** Waits until the connection is open. A thread of the application's. */
    void awaitConnected(InetSocketAddress remote, long deadlineNanos) throws IOException {
        readable.begin("connect");
        try {
            while (!isConnected) {
                IOException end = home.transport().end().reason();
                Connection connection = socket.connection();
                CloseReason reason = connection.closeReason();
                if (reason != null && (end == null || reason != CloseReason.HOST_CLOSED)) {
                    throw Failures.ofConnect(reason, connection.fault(), remote);
                }
                if (end != null) {
                    throw end;
                }
                WaitPoint.requireNotInterrupted("the peer");
                if (!readable.pause(deadlineNanos) && !isConnected) {
                    throw new SocketTimeoutException("connect timed out: " + remote + " did not answer in time");
                }
            }
        } finally {
            readable.end();
        }
    }

    /** Has a future told how the opening ends, before it begins. */
    void setOpening(CompletableFuture<WeirSocket> newOpening, InetSocketAddress remote) {
        opening = newOpening;
        called = remote;
    }

    /** The transport may have ended. */
    void wake() {
        readable.signal();
        writable.signal();
        if (opening != null && !opening.isDone()) {
            IOException end = home.transport().end().reason();
            if (end != null) {
                opening.completeExceptionally(end);
            }
        }
    }

    /** Sets who is told of events: {@link WeirSocket#setListener}. */
    void setListener(SocketListener newListener) {
        if (newListener == null) {
            listener = null;
            return;
        }
        home.loop().helpers().stopSharing();
        listener = newListener;
        home.executePrepared(home.prepare(now -> {
            try {
                newListener.onReadable(socket);
                newListener.onWritable(socket);
            } catch (RuntimeException | Error e) {
                socket.connection().fail(e);
            }
        }));
    }

    /** Sets who is told that there are events: {@link WeirSocket#setReadinessListener}. */
    void setReadinessListener(Runnable newListener) {
        readinessListener = newListener;
        if (newListener != null) {
            home.executePreparedHelping(home.prepare(now -> tellReadiness()));
        }
    }

    private void tellReadiness() {
        Runnable hearer = readinessListener;
        if (hearer != null) {
            try {
                hearer.run();
            } catch (RuntimeException | AssertionError e) {
                socket.connection().fail(e);
            }
        }
    }

    // ---- what the application's threads wish

    void wish(int wish) {
        wish(wish, false);
    }

    /**
     * Has the loop do something to the connection soon.
     *
     * @param mayHelp whether the calling thread runs the loop for it while the loop's own sleeps
     */
    void wish(int wish, boolean mayHelp) {
        int before = wishes.get();
        while ((before & wish) == 0) {
            if (wishes.compareAndSet(before, before | wish)) {
                if (before == 0 && mayHelp) {
                    home.executePreparedHelping(wishTask);
                } else if (before == 0) {
                    home.executePrepared(wishTask);
                }
                return;
            }
            before = wishes.get();
        }
    }

    private void runWishes(long nowNanos) {
        int wished = wishes.getAndSet(0);
        Connection connection = socket.connection();
        if (connection == null) {
            return;
        }
        try {
            fulfil(wished, connection);
        } catch (RuntimeException | AssertionError e) {
            // What went wrong was about this connection alone.
            connection.fail(e);
        }
    }

    private void fulfil(int wished, Connection connection) {
        if ((wished & ABORT) != 0) {
            isDiscarding = true;
            connection.abort();
            socket.discardUnread();
            return;
        }
        if ((wished & WRITTEN) != 0) {
            connection.onWritten();
        }
        if ((wished & (SHUTDOWN | CLOSE)) != 0) {
            connection.shutdownOutput();
        }
        if ((wished & SHUTDOWN_INPUT) != 0) {
            isDiscarding = true;
            socket.discardUnread();
            // A listener finds the end by this, as a thread that waits does by its own wake-up.
            signalReadable();
        }
        if ((wished & CLOSE) != 0) {
            isDiscarding = true;
            connection.closeWithin(CLOSE_TIMEOUT_NANOS);
            socket.discardUnread();
        }
        if ((wished & (RESUME | CLOSE | SHUTDOWN_INPUT)) != 0) {
            connection.resumeReading();
        }
    }

    // ---- what the connection tells

    @Override
    public void onConnected(Connection connection) {
        socket.attach(connection);
        isConnected = true;
        readable.signal();
        if (opening != null) {
            opening.complete(socket);
        }
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        if (isDiscarding) {
            return length;
        }
        // Taken by the reader's own thread, from the ring: this is told again once the bytes lie there.
        signalReadable();
        return 0;
    }

    @Override
    public boolean readsElsewhere() {
        return !isDiscarding;
    }

    @Override
    public void onEnd(Connection from) {
        signalReadable();
    }

    @Override
    public void onWritable(Connection to) {
        writable.signal();
        SocketListener hearer = listener;
        if (hearer != null) {
            hearer.onWritable(socket);
        }
        tellReadiness();
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        home.transport().end().forget(socket);
        if (opening != null && !opening.isDone()) {
            IOException end =
                    reason == CloseReason.HOST_CLOSED ? home.transport().end().reason() : null;
            opening.completeExceptionally(end != null ? end : Failures.ofConnect(reason, from.fault(), called));
        }
        signalReadable();
        onWritable(from);
    }

    private void signalReadable() {
        readable.signal();
        SocketListener hearer = listener;
        if (hearer != null) {
            hearer.onReadable(socket);
        }
        tellReadiness();
    }
}
