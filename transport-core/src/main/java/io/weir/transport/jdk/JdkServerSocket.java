package io.weir.transport.jdk;

import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A {@link ServerSocket} on a transport. */
final class JdkServerSocket extends ServerSocket {
    private final Transport transport;

    private JdkServerSocket(Transport transport, JdkServerSocketImpl impl) {
        super(impl);
        this.transport = transport;
    }

    /** {@return a socket that is not bound} */
    static JdkServerSocket create(Transport transport) {
        return new JdkServerSocket(transport, new JdkServerSocketImpl(transport));
    }

    @Override
    public Socket accept() throws IOException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        if (!isBound()) {
            throw new SocketException("Socket is not bound yet");
        }
        Socket socket = JdkSocket.create(transport);
        // The only way to an accepted socket that both JDK 17 and 25 allow: the listener fills the new socket's own
        // implementation.
        try {
            implAccept(socket);
            return socket;
        } catch (IOException e) {
            if (transport.loop().isClosed()) {
                // Loops that accept until their listener is closed would go on for good.
                close();
            }
            throw e;
        }
    }
}
