package io.weir.transport.scenario.run;

import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What flows send: bytes that nobody looks at. */
final class ZeroBytes {
    private static final int CHUNK_BYTES = 65_536;
    private static final DirectBuffer CHUNK = new UnsafeBuffer(new byte[CHUNK_BYTES]);

    private ZeroBytes() {}

    /** {@return how many of {@code bytes} there was room for} */
    static long write(Connection connection, long bytes) {
        long written = 0;
        while (written < bytes) {
            int wanted = (int) Math.min(CHUNK_BYTES, bytes - written);
            int taken = connection.write(CHUNK, 0, wanted);
            written += taken;
            if (taken < wanted) {
                break;
            }
        }
        return written;
    }
}
