package io.weir.papers.live;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An application in the loop: it keeps its connection full, or is silent, and takes what comes. */
final class SteadySender implements ConnectionHandler {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final UnsafeBuffer CHUNK = new UnsafeBuffer(new byte[CHUNK_BYTES]);

    private final boolean isBulk;
    private Connection connection;

    private SteadySender(boolean isBulk) {
        this.isBulk = isBulk;
    }

    /** {@return one that keeps its connection full} */
    static SteadySender bulk() {
        return new SteadySender(true);
    }

    /** {@return one that is silent} */
    static SteadySender quiet() {
        return new SteadySender(false);
    }

    private void fill() {
        int written = CHUNK_BYTES;
        while (isBulk && written == CHUNK_BYTES) {
            written = connection.write(CHUNK, 0, CHUNK_BYTES);
        }
    }

    @Override
    public void onConnected(Connection opened) {
        connection = opened;
        fill();
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        return length;
    }

    @Override
    public void onEnd(Connection from) {}

    @Override
    public void onWritable(Connection from) {
        fill();
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        connection = null;
    }
}
