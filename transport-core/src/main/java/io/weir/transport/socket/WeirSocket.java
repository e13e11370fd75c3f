package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.wire.SharedHostMac;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.time.Duration;
import java.util.Objects;

/**
 * A reliable byte stream to a peer, usable from any thread: blocking ({@link #read}, {@link #write}) and not ({@link
 * #tryRead}, {@link #tryWrite}). One thread at a time reads and one writes; others wait for their turn, within their
 * own time-out. A call that would have to wait in a handler, listener or task of the same transport throws an {@link
 * IllegalStateException}.
 *
 * <p>Bytes go through the connection's own rings, one copy each way; the loop is told only when something changed for
 * it.
 */
public final class WeirSocket implements ByteChannel, GatheringByteChannel, ScatteringByteChannel, Wakeable {
    private final TransportLoop home;
    private final Transport transport;
    private final WaitPoint readable;
    private final WaitPoint writable;
    private final Turn reading;
    private final Turn writing;
    private final SocketLoopSide loopSide;

    /** Null until an opening or an accepted connection has brought it; always the same one. */
    private volatile Connection connection;
    // What the application has ended: set by its threads, never cleared; the loop acts on the wish that follows.
    private volatile boolean isClosed;
    private volatile boolean isOutputShut;
    private volatile boolean isInputShut;
    // How long calls wait, NO_TIMEOUT_NANOS for as long as it takes; written by any of the application's threads.
    private volatile long readTimeoutNanos = WaitClock.NO_TIMEOUT_NANOS;
    private volatile long writeTimeoutNanos = WaitClock.NO_TIMEOUT_NANOS;
    /** Bytes read that the loop does not know of: less than what makes a report due. The reading thread's. */
    private int unreportedBytes;
    /** Whether there was a write since a read waited last; set by a writing thread, cleared by the reading one. */
    private volatile boolean hasWritten;
    /** Whether more is read than messages; the reading thread's. */
    private final ReadRate readRate = new ReadRate();
    /** Whether the reader has met the end of the stream and told the loop; the reading thread's. */
    private boolean isEndReported;

    /** Creates a socket for a connection of this loop's. */
    WeirSocket(TransportLoop home) {
        this.home = home;
        this.transport = home.transport();
        this.readable = new WaitPoint(home.loop(), transport.clock());
        this.writable = new WaitPoint(home.loop(), transport.clock());
        this.reading = new Turn(home);
        this.writing = new Turn(home);
        this.loopSide = new SocketLoopSide(this, home, readable, writable);
        transport.end().register(this);
    }

    @Override
    public void wake() {
        loopSide.wake();
    }

    SocketLoopSide loopSide() {
        return loopSide;
    }

    void attach(Connection newConnection) {
        connection = newConnection;
    }

    /** Nobody will ever hold this socket: its connection could not be opened, or in time. */
    void abandon() {
        transport.end().forget(this);
        if (connection != null) {
            abort();
        }
    }

    // ---- reading

    /**
     * Waits for bytes, and moves as many as there are and fit to {@code target}.
     *
     * @return how many, or -1 at the end of the peer's stream
     * @throws SocketTimeoutException if none came within the read time-out
     * @throws SocketException if the connection is reset or closed, after all bytes that came before
     * @throws ReadOnlyBufferException if {@code target} is read-only
     * @throws IllegalStateException if it would have to wait in a cycle of the transport's own loop
     */
    @Override
    public int read(ByteBuffer target) throws IOException {
        return readWithin(target, readTimeoutNanos);
    }

    /**
     * As {@link #read}, with a time-out for this call alone.
     *
     * @param timeoutNanos how long to wait; it may be 0, or less, to wait no longer
     */
    public int readWithin(ByteBuffer target, long timeoutNanos) throws IOException {
        requireTarget(target);
        if (!target.hasRemaining()) {
            return 0;
        }
        long deadlineNanos = deadlineOf(Math.min(timeoutNanos, WaitClock.NO_TIMEOUT_NANOS));
        reading.take("read", deadlineNanos);
        try {
            int count = tryReadLocked(target);
            return count != 0 ? count : awaitReadable(target, deadlineNanos);
        } finally {
            endReading();
        }
    }

    /** As {@link #read(ByteBuffer)}, for several buffers one after the other; it waits for the first byte alone. */
    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        Objects.requireNonNull(targets, "targets is null; give buffers to read into");
        return read(targets, 0, targets.length);
    }

    /** As {@link #read(ByteBuffer[])}, for a part of the array. */
    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) {
                int count = total == 0 ? read(targets[i]) : tryRead(targets[i]);
                if (count < 0) {
                    return total == 0 ? count : total;
                }
                total += count;
                if (targets[i].hasRemaining()) {
                    return total;
                }
            }
        }
        return total;
    }

    private static void requireTarget(ByteBuffer target) {
        Objects.requireNonNull(target, "target is null; give a buffer to read into");
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    private int awaitReadable(ByteBuffer target, long deadlineNanos) throws IOException {
        // After a write this is the wait for an answer, however long the messages are.
        boolean relieves = !readRate.isBulk(transport.clock().nanoTime()) || hasWritten;
        hasWritten = false;
        readable.begin("read", relieves);
        try {
            while (true) {
                // First: bytes that came before the transport's end are read before it is told.
                IOException end = transport.end().reason();
                int count = tryReadLocked(target);
                if (count != 0) {
                    return count;
                }
                if (end != null) {
                    throw end;
                }
                WaitPoint.requireNotInterrupted("the peer");
                if (!readable.pause(deadlineNanos)) {
                    throw new SocketTimeoutException("Read timed out");
                }
            }
        } finally {
            readable.end();
        }
    }

    /**
     * {@return how many bytes were moved to {@code target} without waiting, 0 when none are there or another thread
     * reads at this moment, -1 at the end}
     *
     * @throws ReadOnlyBufferException if {@code target} is read-only
     */
    public int tryRead(ByteBuffer target) throws IOException {
        requireTarget(target);
        if (!reading.tryTake()) {
            return 0;
        }
        try {
            return tryReadLocked(target);
        } finally {
            endReading();
        }
    }

    private void endReading() {
        reading.leave();
        if (isClosed) {
            discardUnread();
        }
    }

    /**
     * Gives back the memory of what is left of a connection that is over. If a thread reads at this moment, it does
     * that afterwards.
     */
    void discardUnread() {
        if (connection != null && reading.tryTake()) {
            try {
                connection.receiveBuffer().finishReading(true);
            } finally {
                reading.leave();
            }
        }
    }

    private int tryReadLocked(ByteBuffer target) throws IOException {
        requireOpen();
        if (isInputShut) {
            return -1;
        }
        // The order matters: what came before the end, or before a reset, is read first.
        CloseReason reason = connection.closeReason();
        int count = connection.receiveBuffer().read(target);
        // Once it is closed the loop throws away what comes, and may have done so with these bytes.
        requireOpen();
        if (isInputShut) {
            return -1;
        }
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
            throw transport.end().failureOf(connection, reason);
        }
        return 0;
    }

    /** The receive window opens for the peer a quarter at a time. */
    private void noteRead(int count) {
        unreportedBytes += count;
        readRate.add(count);
        boolean isEmpty = connection.receiveBuffer().readableBytes() == 0;
        if (unreportedBytes >= connection.receiveBuffer().limitBytes() / 4 || (isEmpty && connection.isInputAtEnd())) {
            unreportedBytes = 0;
            loopSide.wish(SocketLoopSide.RESUME);
        }
    }

    private void reportEnd() {
        if (!isEndReported) {
            isEndReported = true;
            loopSide.wish(SocketLoopSide.RESUME);
        }
    }

    /**
     * {@return whether a read would not wait: there are bytes, or the end of the stream, or a failure} It takes
     * nothing.
     */
    public boolean isReadable() {
        return isClosed
                || isInputShut
                || connection.receiveBuffer().readableBytes() > 0
                || connection.isInputAtEnd()
                || isOver();
    }

    /**
     * {@return whether a write would not wait: there is room for a byte, or a failure} Where there is none the listener
     * is told once there is.
     */
    public boolean isWritable() {
        if (isClosed || isOutputShut || isOver() || connection.sendBuffer().freeBytes() > 0) {
            return true;
        }
        connection.requestWritable();
        return connection.sendBuffer().freeBytes() > 0;
    }

    /** {@return whether the connection or the transport has ended} What came before may still be read. */
    public boolean isOver() {
        return connection.closeReason() != null || transport.end().reason() != null;
    }

    /** {@return bytes that can be read without waiting} */
    public int available() throws IOException {
        requireOpen();
        return isInputShut ? 0 : connection.receiveBuffer().readableBytes();
    }

    // ---- writing

    /**
     * Writes all of {@code source}, waiting for room. What is written is sent in order and kept until it is
     * acknowledged.
     *
     * @return how many bytes that was
     * @throws SocketTimeoutException if there was no room within the write time-out; {@code source} tells how far it
     *     got
     * @throws SocketException if the connection is reset or closed, or its output was shut down
     */
    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source, "source is null; give a buffer to write from");
        int count = source.remaining();
        writing.take("write", deadlineOf(writeTimeoutNanos));
        try {
            while (source.hasRemaining()) {
                if (tryWriteLocked(source) == 0) {
                    awaitWritable();
                }
            }
        } finally {
            writing.leave();
        }
        return count;
    }

    /** As {@link #write(ByteBuffer)}, all of several buffers one after the other. */
    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        Objects.requireNonNull(sources, "sources is null; give buffers to write from");
        return write(sources, 0, sources.length);
    }

    /** As {@link #write(ByteBuffer[])}, for a part of the array. */
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += write(sources[i]);
        }
        return total;
    }

    private void awaitWritable() throws IOException {
        long deadlineNanos = deadlineOf(writeTimeoutNanos);
        writable.begin("write", false);
        try {
            connection.requestWritable();
            while (connection.sendBuffer().freeBytes() == 0) {
                requireWritable();
                WaitPoint.requireNotInterrupted("the peer");
                if (!writable.pause(deadlineNanos)) {
                    throw new SocketTimeoutException("Write timed out: the peer takes no more");
                }
            }
        } finally {
            writable.end();
        }
    }

    private long deadlineOf(long timeoutNanos) {
        return transport.clock().nanoTime() + timeoutNanos;
    }

    /**
     * {@return how many bytes of {@code source} there was room for without waiting; they are on their way} 0, too,
     * while another thread writes.
     */
    public int tryWrite(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source, "source is null; give a buffer to write from");
        if (!writing.tryTake()) {
            connection.requestWritable();
            return 0;
        }
        try {
            int count = tryWriteLocked(source);
            if (source.hasRemaining()) {
                connection.requestWritable();
            }
            return count;
        } finally {
            writing.leave();
        }
    }

    private int tryWriteLocked(ByteBuffer source) throws IOException {
        requireWritable();
        int count = connection.sendBuffer().write(source);
        // Without memory for a byte, too: the loop tries again later.
        if (count > 0 || connection.sendBuffer().isStarved()) {
            hasWritten = true;
            loopSide.wish(SocketLoopSide.WRITTEN, true);
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
        loopSide.wish(SocketLoopSide.SHUTDOWN);
    }

    /**
     * Reads no more: reads find the end from now on, also one that waits, and what the peer still sends is thrown away.
     * The peer is told nothing.
     */
    public void shutdownInput() throws IOException {
        requireOpen();
        isInputShut = true;
        loopSide.wish(SocketLoopSide.SHUTDOWN_INPUT);
        readable.signal();
    }

    /** Ends both directions: what was written is still delivered, what the peer still sends is thrown away. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            loopSide.wish(SocketLoopSide.CLOSE, true);
            readable.signal();
            writable.signal();
        }
    }

    /** Ends the connection at once: what was not delivered is lost, and the peer reads a reset. */
    public void abort() {
        isClosed = true;
        loopSide.wish(SocketLoopSide.ABORT);
        readable.signal();
        writable.signal();
    }

    // ---- options and queries

    /** Sets how long a read waits; zero for no limit. */
    public void setReadTimeout(Duration timeout) {
        readTimeoutNanos = WaitClock.timeoutNanos(timeout);
    }

    /** Sets how long a write waits for room; zero for no limit. */
    public void setWriteTimeout(Duration timeout) {
        writeTimeoutNanos = WaitClock.timeoutNanos(timeout);
    }

    /**
     * Says whether a silent peer is asked if it is there, and given up if it does not answer. On from the beginning for
     * accepted sockets, and off for others, unless {@code TransportConfig.liveness} says otherwise, which also has the
     * time.
     */
    public void setKeepAlive(boolean isOn) {
        long configured = transport.hostConfig().liveness().keepAliveNanos();
        long nanos = configured > 0 ? configured : HostConfig.Liveness.DEFAULT.keepAliveNanos();
        home.execute(now -> connection.setKeepAlive(isOn ? nanos : 0));
    }

    /**
     * Has a silent peer asked if it is there, as {@link #setKeepAlive(boolean)}, at times of the application's choice.
     *
     * @param silence how long the peer may be silent until it is asked
     * @param gap how long it may take to answer, each time
     * @param count how many questions it may leave without an answer
     * @throws IllegalArgumentException if one of them is not more than zero
     */
    public void setKeepAlive(Duration silence, Duration gap, int count) {
        long silenceNanos = WaitClock.nanosOf(silence);
        long gapNanos = WaitClock.nanosOf(gap);
        if (silenceNanos <= 0 || gapNanos <= 0 || count < 1) {
            throw new IllegalArgumentException("silence=" + silence + ", gap=" + gap + " or count=" + count
                    + " is not more than zero; setKeepAlive(false) turns it off");
        }
        home.execute(now -> connection.setKeepAlive(silenceNanos, gapNanos, count));
    }

    /** Ends the connection when no byte of either stream has moved for this long; zero, the default, means no limit. */
    public void setIdleTimeout(Duration timeout) {
        long nanos = timeout.isZero() ? 0 : WaitClock.timeoutNanos(timeout);
        home.execute(now -> connection.setIdleTimeout(nanos));
    }

    /**
     * Sets how long something to do may wait for the peer before the connection ends: what was written and makes no
     * progress, or is not answered. {@code TransportConfig.timers} has what it is at first, 10 s.
     *
     * @throws IllegalArgumentException if it is less than the greatest retransmission time-out
     */
    public void setUserTimeout(Duration timeout) {
        long nanos = WaitClock.timeoutNanos(timeout);
        long nanosMin = transport.hostConfig().timers().retransmitNanosMax();
        if (nanos < nanosMin) {
            throw new IllegalArgumentException("timeout=" + timeout + " is less than retransmitNanosMax=" + nanosMin
                    + ", so that one lost frame could end the connection; set it higher, or that lower");
        }
        home.execute(now -> connection.setUserTimeout(nanos));
    }

    /**
     * Sets who is told when the socket can be used; what is possible already is told at once. Null for nobody. What the
     * listener throws aborts this connection.
     */
    public void setListener(SocketListener newListener) {
        loopSide.setListener(newListener);
    }

    /**
     * Sets what is called whenever {@link #isReadable} or {@link #isWritable} may have become true, and once at first.
     * Null for nobody. Unlike a {@link SocketListener}, it may run on any thread that runs a cycle of the loop, also
     * one that waits for the loop: it must do no more than note the fact. What it throws aborts this connection.
     */
    public void setReadinessListener(Runnable newListener) {
        loopSide.setReadinessListener(newListener);
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

    /** {@return whether the peer is in this process, and bytes go through memory instead of by a wire} */
    public boolean isInProcess() {
        return connection.path().isInProcess();
    }

    /**
     * {@return whether the peer is another process of this host, and bytes go through memory that both share instead of
     * by a wire}
     */
    public boolean isOnSharedMemory() {
        return SharedHostMac.isOn(connection.path());
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
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

    // ---- refusals

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
        transport.end().requireRunning();
        CloseReason reason = connection.closeReason();
        if (reason != null) {
            throw transport.end().failureOf(connection, reason);
        }
    }
}
