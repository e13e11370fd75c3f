package io.weir.transport.socket;

import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;

/** Listens on a port and hands out the connections that come. */
public final class WeirServerSocket implements Closeable, Wakeable {
    private final Transport transport;
    private final ArrayBlockingQueue<WeirSocket> accepted;
    private final WaitPoint incoming;
    private final Turn turn;
    private volatile long acceptTimeoutNanos = WaitClock.NO_TIMEOUT_NANOS;
    private volatile boolean isClosed;
    /** Told of connections, or null; written by any of the application's threads. */
    private volatile Runnable listener;
    /** Tells it of what there was before. */
    private final TransportLoop first;
    /** What it listens by; set once, before anybody has the socket. */
    private Listening listening;

    /** Creates a socket for connections of all loops; a thread that waits helps {@code first} meanwhile. */
    WeirServerSocket(TransportLoop first, int backlog) {
        this.first = first;
        this.transport = first.transport();
        this.accepted = new ArrayBlockingQueue<>(backlog);
        this.turn = new Turn(first);
        this.incoming = new WaitPoint(first.loop(), transport.clock());
    }

    void attach(Listening begun) {
        listening = begun;
    }

    @Override
    public void wake() {
        incoming.signal();
        tellListener();
    }

    /**
     * Sets what is called when a connection has come, or none will come any more; of what is there already, at once.
     * Null for nobody. It runs in a cycle of the connection's loop, perhaps on a thread that waits for the loop, and in
     * those of several loops at the same time: it must not block. What it throws goes to the transport's listener for
     * faults.
     */
    public void setListener(Runnable newListener) {
        listener = newListener;
        if (newListener != null) {
            first.executePrepared(first.prepare(now -> tellListener()));
        }
    }

    private void tellListener() {
        Runnable hearer = listener;
        if (hearer != null) {
            try {
                hearer.run();
            } catch (RuntimeException | AssertionError e) {
                transport.faultLog().onFault(null, e);
            }
        }
    }

    /**
     * {@return the handler of a new connection of the loop {@code home}, whose thread calls, or null when nobody has
     * taken the earlier ones}
     */
    ConnectionHandler onIncoming(TransportLoop home, Connection connection) {
        WeirSocket socket = new WeirSocket(home);
        socket.attach(connection);
        if (isClosed || !accepted.offer(socket)) {
            transport.end().forget(socket);
            return null;
        }
        // Another thread may have closed and emptied the queue in between.
        if (isClosed && accepted.remove(socket)) {
            transport.end().forget(socket);
            return null;
        }
        incoming.signal();
        tellListener();
        return socket.loopSide();
    }

    /** Lets a thread that waits look at the state of the transport again. */
    void signal() {
        incoming.signal();
    }

    /**
     * Waits for a connection.
     *
     * @throws SocketTimeoutException if none came within the time-out
     * @throws SocketException if the socket is closed
     */
    public WeirSocket accept() throws IOException {
        long deadlineNanos = transport.clock().nanoTime() + acceptTimeoutNanos;
        turn.take("accept", deadlineNanos);
        try {
            return acceptLocked(deadlineNanos);
        } finally {
            turn.leave();
        }
    }

    private WeirSocket acceptLocked(long deadlineNanos) throws IOException {
        WeirSocket waiting = accepted.poll();
        if (waiting != null) {
            return waiting;
        }
        incoming.begin("accept");
        try {
            while (true) {
                // First: what came before the transport's end can still be taken.
                IOException end = transport.end().reason();
                WeirSocket socket = accepted.poll();
                if (socket != null) {
                    return socket;
                }
                if (isClosed) {
                    throw new SocketException("Socket closed");
                }
                if (end != null) {
                    throw end;
                }
                WaitPoint.requireNotInterrupted("a connection");
                if (!incoming.pause(deadlineNanos)) {
                    throw new SocketTimeoutException("Accept timed out");
                }
            }
        } finally {
            incoming.end();
        }
    }

    /** {@return whether it was closed, or its transport has ended: no connection comes any more} */
    public boolean isOver() {
        return isClosed || transport.end().reason() != null;
    }

    /** {@return whether a connection has come that nobody has taken} */
    public boolean hasWaiting() {
        return !accepted.isEmpty();
    }

    /** {@return a connection that has come, or null} */
    public WeirSocket tryAccept() {
        return accepted.poll();
    }

    /** Sets how long {@link #accept} waits; zero for no limit. */
    public void setAcceptTimeout(Duration timeout) {
        acceptTimeoutNanos = WaitClock.timeoutNanos(timeout);
    }

    /** {@return the port} */
    public int localPort() {
        return listening.localPort();
    }

    /**
     * Stops listening: the port is free at once. Connections that were handed out stay open; those still waiting are
     * reset.
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        listening.close();
        transport.end().forget(this);
        incoming.signal();
        for (WeirSocket socket = accepted.poll(); socket != null; socket = accepted.poll()) {
            socket.abort();
        }
        tellListener();
    }
}
