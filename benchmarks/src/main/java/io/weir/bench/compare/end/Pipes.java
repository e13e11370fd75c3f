package io.weir.bench.compare.end;

import java.io.IOException;
import java.util.function.Supplier;

/** A way to have connections: the kernel's, Netty's or Weir's. */
interface Pipes extends AutoCloseable {
    /** Accepts connections, each with another user. */
    void listen(int port, Supplier<PipeUser> users) throws IOException;

    /** Opens a connection. Any thread may call; failures go to the user. */
    void connect(PipeUser user);

    /** {@return what this end has counted by now, or null where nothing is counted} */
    default PipeCounts counts() {
        return null;
    }

    @Override
    void close() throws IOException;
}
