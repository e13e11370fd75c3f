package io.weir.transport.testing;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An application for tests: sends a stream of seeded bytes of a given length, and checks every byte that it receives
 * against the peer's seed.
 */
public final class StreamProbe implements ConnectionHandler {
    private static final int CHUNK_BYTES = 4096;

    private final long sendSeed;
    private final long receiveSeed;
    private final long sendBytes;
    private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[CHUNK_BYTES]);
    private long writtenBytes;
    private long receivedBytes;
    private long firstMismatch = -1;
    private int takeLimit = Integer.MAX_VALUE;
    private boolean endsWhenSent = true;
    /** How far it may be ahead of what it has received while the peer's stream goes on. */
    private long leadBytes = Long.MAX_VALUE;

    private Connection connection;
    private boolean isEnded;
    private CloseReason closeReason;
    private long firstByteNanos = -1;
    private long endNanos = -1;

    /** Creates an application that sends {@code sendBytes} bytes. */
    public StreamProbe(long sendSeed, long sendBytes, long receiveSeed) {
        this.sendSeed = sendSeed;
        this.sendBytes = sendBytes;
        this.receiveSeed = receiveSeed;
    }

    /** Leaves the stream open after the last byte. */
    public StreamProbe keepOpen() {
        endsWhenSent = false;
        return this;
    }

    /**
     * Converses: while the peer has more to send, it sends no more than it has received and {@code bytes}. One of the
     * two must be allowed some.
     */
    public StreamProbe converse(long bytes) {
        leadBytes = bytes;
        return this;
    }

    /** Lets one that converses send so much more, and sends it. */
    public void lead(long moreBytes) {
        leadBytes += moreBytes;
        if (connection != null && closeReason == null) {
            pump();
        }
    }

    /** Takes at most {@code bytes} each time data is offered. */
    public void setTakeLimit(int bytes) {
        takeLimit = bytes;
    }

    /** Uses a connection before it is established, so that its opening can ask for credits. */
    public StreamProbe writeEarly(Connection early) {
        connection = early;
        pump();
        return this;
    }

    @Override
    public void onConnected(Connection newConnection) {
        connection = newConnection;
        pump();
    }

    private boolean converses() {
        return leadBytes < Long.MAX_VALUE;
    }

    private void pump() {
        long limitBytes = isEnded || !converses() ? sendBytes : Math.min(sendBytes, receivedBytes + leadBytes);
        while (writtenBytes < limitBytes) {
            int bytes = (int) Math.min(CHUNK_BYTES, limitBytes - writtenBytes);
            StreamBytes.fill(chunk, 0, bytes, sendSeed, writtenBytes);
            int written = connection.write(chunk, 0, bytes);
            writtenBytes += written;
            if (written < bytes) {
                return;
            }
        }
        if (endsWhenSent && writtenBytes == sendBytes) {
            connection.shutdownOutput();
        }
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        int taken = Math.min(length, takeLimit);
        if (firstByteNanos < 0) {
            firstByteNanos = from.host().nowNanos();
        }
        int matching = StreamBytes.match(buffer, index, taken, receiveSeed, receivedBytes);
        if (matching < taken && firstMismatch < 0) {
            firstMismatch = receivedBytes + matching;
        }
        receivedBytes += taken;
        if (converses()) {
            pump();
        }
        return taken;
    }

    @Override
    public void onEnd(Connection from) {
        isEnded = true;
        endNanos = from.host().nowNanos();
        if (converses()) {
            pump();
        }
    }

    @Override
    public void onWritable(Connection to) {
        pump();
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        closeReason = reason;
    }

    /** {@return the connection, once there is one} */
    public Connection connection() {
        return connection;
    }

    /** {@return bytes received, right or wrong} */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** {@return the offset of the first wrong byte, or -1} */
    public long firstMismatch() {
        return firstMismatch;
    }

    /** {@return whether the peer's stream has ended} */
    public boolean isEnded() {
        return isEnded;
    }

    /** {@return whether the peer has acknowledged all that was written so far} */
    public boolean isAcknowledged() {
        return connection == null || connection.acknowledgedBytes() == writtenBytes;
    }

    /** {@return how the connection ended, or null} */
    public CloseReason closeReason() {
        return closeReason;
    }

    /** {@return when the first byte came, or -1} */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** {@return when the stream ended, or -1} */
    public long endNanos() {
        return endNanos;
    }
}
