package io.weir.transport.jdk;

import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** A {@link Socket} over a transport: the JDK's class, which keeps its own state, over our implementation. */
final class JdkSocket extends Socket {
    private JdkSocket(JdkSocketImpl impl) throws SocketException {
        super(impl);
    }

    /** {@return a socket that is not connected} */
    static JdkSocket create(Transport transport) throws IOException {
        return new JdkSocket(new JdkSocketImpl(transport));
    }
}
