package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.testing.Background;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests one stream that is longer than 32 bits count, over memory. */
class LongStreamTest {
    private static final int CHUNK_BYTES = 1 << 16;

    @Test
    void write_aStreamOfSomeMegabytes_isWholeAndLeavesNothing() throws Exception {
        requireWhole(1 << 26);
    }

    @Test
    @Tag("slow")
    void write_aStreamOfFiveGibibytes_isWholeAndLeavesNothing() throws Exception {
        requireWhole(5L << 30);
    }

    /** Each eight bytes of the stream tell where they stand in it. */
    private static void requireWhole(long bytes) throws Exception {
        TwoTransports two = new TwoTransports();
        try (two) {
            WeirSocket far = two.far();
            CompletableFuture<Long> received = Background.run(() -> read(far.inputStream()));
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            for (long offset = 0; offset < bytes; offset += CHUNK_BYTES) {
                chunk.clear();
                for (int at = 0; at < CHUNK_BYTES; at += Long.BYTES) {
                    chunk.putLong(at, offset + at);
                }
                two.near().write(chunk);
            }
            two.near().shutdownOutput();
            assertEquals(bytes, received.get());
        }
        assertEquals("", two.client.ledger().toString());
        assertEquals("", two.server.ledger().toString());
    }

    private static long read(InputStream in) throws Exception {
        byte[] bytes = new byte[CHUNK_BYTES];
        ByteBuffer view = ByteBuffer.wrap(bytes);
        long offset = 0;
        for (int count = in.readNBytes(bytes, 0, CHUNK_BYTES);
                count > 0;
                count = in.readNBytes(bytes, 0, CHUNK_BYTES)) {
            for (int at = 0; at < count; at += Long.BYTES) {
                if (view.getLong(at) != offset + at) {
                    throw new AssertionError("at " + (offset + at) + " stands " + view.getLong(at));
                }
            }
            offset += count;
        }
        return offset;
    }
}
