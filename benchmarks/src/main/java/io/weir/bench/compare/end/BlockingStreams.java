package io.weir.bench.compare.end;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Sockets whose calls block: the kernel's or Weir's. */
interface BlockingStreams extends AutoCloseable {
    /** A connection. */
    interface Stream extends AutoCloseable {
        /** {@return how many bytes came, -1 at the end} */
        int read(ByteBuffer target) throws IOException;

        /** Writes all of it. */
        void write(ByteBuffer source) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Opens the port. */
    void listen(int port) throws IOException;

    /** {@return the next connection that comes} */
    Stream accept() throws IOException;

    /** {@return a connection to the server} */
    Stream connect() throws IOException;

    @Override
    void close() throws IOException;
}
