package io.weir.cli.traffic;

import io.weir.transport.host.Connection;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps its connection full until all bytes are sent, and ends the stream then. */
public final class BulkSource extends QuietHandler {
    private static final int CHUNK_BYTES = 1 << 16;

    private final StreamSource source;
    private final long bytes;
    /** The connection, once it is writable. */
    private ByteSink sink;

    /** Creates a source of zeros without end that notes in {@code failure} when its connection ends unasked. */
    public BulkSource(AtomicReference<String> failure) {
        this(new StreamSource(CHUNK_BYTES, null), Long.MAX_VALUE, failure);
    }

    /**
     * Creates a source of a number of bytes that follow from a seed.
     *
     * @param failure where to note that the connection has failed
     */
    public BulkSource(SeededPayload payload, long bytes, AtomicReference<String> failure) {
        this(new StreamSource(CHUNK_BYTES, payload), bytes, failure);
    }

    private BulkSource(StreamSource source, long bytes, AtomicReference<String> failure) {
        super("a bulk flow's sender", failure);
        this.source = source;
        this.bytes = bytes;
    }

    /** {@return what it sends; for the loop's thread, or when the stream has ended} */
    public StreamSource source() {
        return source;
    }

    @Override
    public void onConnected(Connection connection) {
        onWritable(connection);
    }

    @Override
    public void onWritable(Connection connection) {
        long leftBytes = bytes - source.writtenBytes();
        if (leftBytes > 0) {
            if (sink == null) {
                sink = connection::write;
            }
            source.write(sink, leftBytes);
            if (source.writtenBytes() == bytes) {
                allowEnd();
                connection.shutdownOutput();
            }
        }
    }
}
