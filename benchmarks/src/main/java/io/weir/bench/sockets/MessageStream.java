package io.weir.bench.sockets;

import java.io.IOException;

/** One end of a connection that carries messages of one length, by one blocking thread. */
interface MessageStream {
    /** Writes a message. */
    void send() throws IOException;

    /** {@return whether a whole message came before the end of the stream} */
    boolean receive() throws IOException;
}
