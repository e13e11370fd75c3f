package io.weir.bench.held;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One end of a connection that sends so many bytes, takes as many, and stays open. */
final class HeldEnd implements ConnectionHandler {
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[64 * 1024]);

    private final HeldRun run;
    private final boolean isClient;
    /** Bytes still to be written. */
    private long unsentBytes;
    /** Bytes still to come. */
    private long awaitedBytes;

    HeldEnd(HeldRun run, boolean isClient, long bytes) {
        this.run = run;
        this.isClient = isClient;
        this.unsentBytes = bytes;
        this.awaitedBytes = bytes;
    }

    @Override
    public void onConnected(Connection connection) {
        onWritable(connection);
    }

    @Override
    public void onWritable(Connection connection) {
        while (unsentBytes > 0) {
            int length = (int) Math.min(unsentBytes, MESSAGE.capacity());
            int written = connection.write(MESSAGE, 0, length);
            unsentBytes -= written;
            if (written < length) {
                return;
            }
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        awaitedBytes -= length;
        if (awaitedBytes == 0) {
            run.onReceived(isClient);
        }
        return length;
    }

    @Override
    public void onEnd(Connection connection) {
        connection.shutdownOutput();
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        if (reason != CloseReason.FINISHED && reason != CloseReason.HOST_CLOSED && reason != CloseReason.RESET) {
            run.fail("a connection ended: " + reason);
        }
    }
}
