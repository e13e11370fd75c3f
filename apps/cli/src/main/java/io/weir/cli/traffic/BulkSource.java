package io.weir.cli.traffic;

import io.weir.transport.host.Connection;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps its connection full of zeros. */
public final class BulkSource extends QuietHandler {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final UnsafeBuffer CHUNK = new UnsafeBuffer(new byte[CHUNK_BYTES]);

    /** Creates a source that notes in {@code failure} when its connection ends unasked. */
    public BulkSource(AtomicReference<String> failure) {
        super("a bulk flow's sender", failure);
    }

    @Override
    public void onConnected(Connection connection) {
        onWritable(connection);
    }

    @Override
    public void onWritable(Connection connection) {
        int written = CHUNK_BYTES;
        while (written == CHUNK_BYTES) {
            written = connection.write(CHUNK, 0, CHUNK_BYTES);
        }
    }
}
