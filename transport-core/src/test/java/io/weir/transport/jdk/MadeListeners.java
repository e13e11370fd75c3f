package io.weir.transport.jdk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;

/** A factory of listeners that something makes unbound. */
final class MadeListeners extends ServerSocketFactory {
    private static final int BACKLOG = 50;

    private final Maker maker;

    /** Makes a listener that is not bound. */
    @FunctionalInterface
    interface Maker {
        ServerSocket make() throws IOException;
    }

    MadeListeners(Maker maker) {
        this.maker = maker;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return maker.make();
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, BACKLOG);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
        ServerSocket socket = createServerSocket();
        boolean isBound = false;
        try {
            socket.bind(new InetSocketAddress(address, port), backlog);
            isBound = true;
            return socket;
        } finally {
            if (!isBound) {
                socket.close();
            }
        }
    }
}
