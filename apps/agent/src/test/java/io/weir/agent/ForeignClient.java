package io.weir.agent;

import java.io.Closeable;

/** What uses a server, as services have it: it knows nothing of Weir. */
interface ForeignClient extends Closeable {
    /** How long a client waits for an answer, where it has such a limit. */
    int WAIT_MILLIS = 4_000;

    /** Sends bytes to the server and has them back. */
    byte[] exchange(byte[] bytes, int round) throws Exception;

    /** Does what is little work, over all connections; after a failure it opens new ones. */
    void touch() throws Exception;
}
