package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.LoopTask;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;

/**
 * A reliable byte stream to a peer, usable from any thread: blocking ({@link #read}, {@link #write}) and not ({@link
 * #tryRead}, {@link #tryWrite}). One thread at a time reads and one writes; others wait.
 *
 * <p>Bytes go through the connection's own rings, one copy each way; the loop is told only when something changed for it.
 */
public final class WeirSocket implements Closeable {
    private static final int WRITTEN = 1;
    private static final int RESUME = 2;
    private static final int SHUTDOWN = 4;
    private static final int CLOSE = 8;
    private static final int ABORT = 16;

    private final Transport transport;
    private final WaitPoint readable;
    private final WaitPoint writable;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final AtomicInteger wishes = new AtomicInteger();
    private final LoopTask wishTask;
    private final Events events = new Events();

    private volatile Connection connection;
    private volatile boolean isConnected;
    private volatile boolean isClosed;
    private volatile boolean isOutputShut;
    private volatile boolean isDiscarding;
    private volatile long readTimeoutNanos = Transport.NO_TIMEOUT_NANOS;
    private volatile long writeTimeoutNanos = Transport.NO_TIMEOUT_NANOS;
    private volatile SocketListener listener;
    private int unreportedBytes;
    private boolean isEndReported;

    WeirSocket(Transport transport) {
        this.transport = transport;
        this.readable = new WaitPoint(transport.loop());
        this.writable = new WaitPoint(transport.loop());
        this.wishTask = transport.prepare(this::runWishes);
    }

    ConnectionHandler events() {
        return events;
    }

    void attach(Connection newConnection) {
        connection = newConnection;
    }

    /** Waits until the connection is open. */
    void awaitConnected(InetSocketAddress remote, long deadlineNanos) throws IOException {
        readable.begin();
        try {
            while (!isConnected) {
                CloseReason reason = connection.closeReason();
                if (reason != null) {
                    throw Failures.ofConnect(reason, remote);
                }
                requireRunning();
                requireNotInterrupted();
                if (!readable.pause(deadlineNanos) && !isConnected) {
                    throw new SocketTimeoutException("connect timed out: " + remote + " did not answer in time");
                }
            }
        } finally {
            readable.end();
        }
    }

    // ---- reading

    /**
     * Waits for bytes, and moves as many as there are and fit to {@code target}.
     *
     * @return how many, or -1 at the end of the peer's stream
     * @throws SocketTimeoutException if none came within the read time-out
     * @throws SocketException if the connection is reset or closed
     */
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) {
            return 0;
        }
        readLock.lock();
        try {
            int count = tryReadLocked(target);
            return count != 0 ? count : awaitReadable(target);
        } finally {
            endReading();
        }
    }

    private int awaitReadable(ByteBuffer target) throws IOException {
        long deadlineNanos = System.nanoTime() + readTimeoutNanos;
        readable.begin();
        try {
            while (true) {
                int count = tryReadLocked(target);
                if (count != 0) {
                    return count;
                }
                requireRunning();
                requireNotInterrupted();
                if (!readable.pause(deadlineNanos)) {
                    throw new SocketTimeoutException("Read timed out");
                }
            }
        } finally {
            readable.end();
        }
    }

    /** {@return how many bytes were moved to {@code target} without waiting, 0 when none are there, -1 at the end} */
    public int tryRead(ByteBuffer target) throws IOException {
        readLock.lock();
        try {
            return tryReadLocked(target);
        } finally {
            endReading();
        }
    }

    private void endReading() {
        readLock.unlock();
        if (isClosed) {
            discardUnread();
        }
    }

    /** Gives back the memory of what is left of a connection that is over. If a thread reads at this moment, it does that afterwards. */
    private void discardUnread() {
        if (connection != null && readLock.tryLock()) {
            try {
                connection.receiveBuffer().finishReading(true);
            } finally {
                readLock.unlock();
            }
        }
    }

    private int tryReadLocked(ByteBuffer target) throws IOException {
        requireOpen();
        // The order matters: what came before the end, or before a reset, is read first.
        CloseReason reason = connection.closeReason();
        int count = connection.receiveBuffer().read(target);
        // Once it is closed the loop throws away what comes, and may have done so with these bytes.
        requireOpen();
        if (reason != null) {
            connection.receiveBuffer().finishReading(false);
        }
        if (count > 0) {
            noteRead(count);
            return count;
        }
        if (connection.isInputAtEnd()) {
            reportEnd();
            return -1;
        }
        if (reason != null && target.hasRemaining()) {
            throw Failures.ofUse(reason);
        }
        return 0;
    }

    /** The receive window opens for the peer a quarter at a time. */
    private void noteRead(int count) {
        unreportedBytes += count;
        boolean isEmpty = connection.receiveBuffer().readableBytes() == 0;
        if (unreportedBytes >= connection.receiveBuffer().limitBytes() / 4 || (isEmpty && connection.isInputAtEnd())) {
            unreportedBytes = 0;
            wish(RESUME);
        }
    }

    private void reportEnd() {
        if (!isEndReported) {
            isEndReported = true;
            wish(RESUME);
        }
    }

    /** {@return bytes that can be read without waiting} */
    public int available() throws IOException {
        requireOpen();
        return connection.receiveBuffer().readableBytes();
    }

    // ---- writing

    /**
     * Writes all of {@code source}, waiting for room. What is written is sent in order and kept until it is acknowledged.
     *
     * @throws SocketTimeoutException if there was no room within the write time-out; {@code source} tells how far it got
     * @throws SocketException if the connection is reset or closed, or its output was shut down
     */
    public void write(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            while (source.hasRemaining()) {
                if (tryWriteLocked(source) == 0) {
                    awaitWritable();
                }
            }
        } finally {
            writeLock.unlock();
        }
    }

    private void awaitWritable() throws IOException {
        long deadlineNanos = System.nanoTime() + writeTimeoutNanos;
        writable.begin();
        try {
            connection.requestWritable();
            while (connection.sendBuffer().freeBytes() == 0) {
                requireWritable();
                requireRunning();
                requireNotInterrupted();
                if (!writable.pause(deadlineNanos)) {
                    throw new SocketTimeoutException("Write timed out: the peer takes no more");
                }
            }
        } finally {
            writable.end();
        }
    }

    /** {@return how many bytes of {@code source} there was room for without waiting; they are on their way} */
    public int tryWrite(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            int count = tryWriteLocked(source);
            if (source.hasRemaining()) {
                connection.requestWritable();
            }
            return count;
        } finally {
            writeLock.unlock();
        }
    }

    private int tryWriteLocked(ByteBuffer source) throws IOException {
        requireWritable();
        int count = connection.sendBuffer().write(source);
        // Without memory for a byte, too: the loop tries again later.
        if (count > 0 || connection.sendBuffer().isStarved()) {
            wish(WRITTEN);
        }
        return count;
    }

    /** {@return bytes written that the peer has not acknowledged} */
    public long unacknowledgedBytes() {
        return connection.sendBuffer().endOffset() - connection.sendBuffer().baseOffset();
    }

    // ---- ending

    /** Ends this direction: what was written is delivered, then the peer reads the end of the stream. */
    public void shutdownOutput() throws IOException {
        requireOpen();
        isOutputShut = true;
        wish(SHUTDOWN);
    }

    /** Ends both directions: what was written is still delivered, what the peer still sends is thrown away. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            wish(CLOSE);
            readable.signal();
            writable.signal();
        }
    }

    /** Ends the connection at once: what was not delivered is lost, and the peer reads a reset. */
    public void abort() {
        isClosed = true;
        wish(ABORT);
        readable.signal();
        writable.signal();
    }

    // ---- options and queries

    /** Sets how long a read waits; zero for ever. */
    public void setReadTimeout(Duration timeout) {
        readTimeoutNanos = Transport.timeoutNanos(timeout);
    }

    /** Sets how long a write waits for room; zero for ever. */
    public void setWriteTimeout(Duration timeout) {
        writeTimeoutNanos = Transport.timeoutNanos(timeout);
    }

    /**
     * Says whether a silent peer is asked if it is there, and given up if it does not answer. On from the beginning for accepted
     * sockets, and off for others, unless {@code TransportConfig.liveness} says otherwise, which also has the time.
     */
    public void setKeepAlive(boolean isOn) {
        long configured = transport.hostConfig().liveness().keepAliveNanos();
        long nanos = configured > 0 ? configured : HostConfig.Liveness.DEFAULT.keepAliveNanos();
        transport.execute(now -> connection.setKeepAlive(isOn ? nanos : 0));
    }

    /** Ends the connection when no byte of either stream has moved for this long; zero, the default, for ever. */
    public void setIdleTimeout(Duration timeout) {
        long nanos = timeout.isZero() ? 0 : Transport.timeoutNanos(timeout);
        transport.execute(now -> connection.setIdleTimeout(nanos));
    }

    /**
     * Sets how long something to do may wait for the peer before the connection ends: what was written and makes no progress, or is
     * not answered. {@code TransportConfig.timers} has what it is at first, 10 s.
     *
     * @throws IllegalArgumentException if it is less than the greatest retransmission time-out
     */
    public void setUserTimeout(Duration timeout) {
        long nanos = Transport.timeoutNanos(timeout);
        long nanosMin = transport.hostConfig().timers().retransmitNanosMax();
        if (nanos < nanosMin) {
            throw new IllegalArgumentException("timeout=" + timeout + " is less than retransmitNanosMax=" + nanosMin
                    + ", so that one lost frame could end the connection; set it higher, or that lower");
        }
        transport.execute(now -> connection.setUserTimeout(nanos));
    }

    /** Says who hears when the socket can be used; what is possible already is told at once. */
    public void setListener(SocketListener newListener) {
        transport.loop().stopSharing();
        listener = newListener;
        transport.execute(now -> {
            newListener.onReadable(this);
            newListener.onWritable(this);
        });
    }

    /** {@return what schedules the connection, as both ends agreed} */
    public ProtocolId protocol() {
        return connection.protocol();
    }

    /** {@return the peer} */
    public InetSocketAddress remoteAddress() {
        var path = connection.path();
        return new InetSocketAddress(path.remote().toInetAddress(), path.remotePort());
    }

    /** {@return this end} */
    public InetSocketAddress localAddress() {
        var path = connection.path();
        return new InetSocketAddress(path.local().toInetAddress(), path.localPort());
    }

    /** {@return whether {@link #close} or {@link #abort} was called} */
    public boolean isClosed() {
        return isClosed;
    }

    /** {@return the connection itself, for reports; it belongs to the loop's thread} */
    public Connection connection() {
        return connection;
    }

    /** {@return the input as a stream; closing it closes the socket} */
    public InputStream inputStream() {
        return new SocketInput(this);
    }

    /** {@return the output as a stream; closing it closes the socket} */
    public OutputStream outputStream() {
        return new SocketOutput(this);
    }

    // ---- between the application's threads and the loop's

    private void wish(int wish) {
        int before = wishes.get();
        while ((before & wish) == 0) {
            if (wishes.compareAndSet(before, before | wish)) {
                if (before == 0) {
                    transport.executePrepared(wishTask);
                }
                return;
            }
            before = wishes.get();
        }
    }

    private void runWishes(long nowNanos) {
        int wished = wishes.getAndSet(0);
        if ((wished & ABORT) != 0) {
            isDiscarding = true;
            connection.abort();
            discardUnread();
            return;
        }
        if ((wished & WRITTEN) != 0) {
            connection.onWritten();
        }
        if ((wished & (SHUTDOWN | CLOSE)) != 0) {
            connection.shutdownOutput();
        }
        if ((wished & CLOSE) != 0) {
            isDiscarding = true;
            connection.closeWithin(transport.closeTimeoutNanos());
            discardUnread();
        }
        if ((wished & (RESUME | CLOSE)) != 0) {
            connection.resumeReading();
        }
    }

    private void requireOpen() throws IOException {
        if (isClosed) {
            throw new SocketException("Socket closed");
        }
    }

    private void requireWritable() throws IOException {
        requireOpen();
        if (isOutputShut) {
            throw new SocketException("Socket output is shutdown");
        }
        CloseReason reason = connection.closeReason();
        if (reason != null) {
            throw Failures.ofUse(reason);
        }
    }

    private void requireRunning() throws IOException {
        transport.requireRunning();
    }

    private static void requireNotInterrupted() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for the peer");
        }
    }

    /** What the loop tells the socket. */
    private final class Events implements ConnectionHandler {
        @Override
        public void onConnected(Connection newConnection) {
            connection = newConnection;
            isConnected = true;
            readable.signal();
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
                hearer.onWritable(WeirSocket.this);
            }
        }

        @Override
        public void onClosed(Connection from, CloseReason reason) {
            signalReadable();
            onWritable(from);
        }

        private void signalReadable() {
            readable.signal();
            SocketListener hearer = listener;
            if (hearer != null) {
                hearer.onReadable(WeirSocket.this);
            }
        }
    }
}
