package io.weir.transport.jdk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** A factory of sockets that something makes unconnected. */
final class MadeSockets extends SocketFactory {
    private final Maker maker;

    /** Makes a socket that is neither bound nor connected. */
    @FunctionalInterface
    interface Maker {
        Socket make() throws IOException;
    }

    MadeSockets(Maker maker) {
        this.maker = maker;
    }

    @Override
    public Socket createSocket() throws IOException {
        return maker.make();
    }

    private Socket connect(InetSocketAddress local, InetSocketAddress remote) throws IOException {
        Socket socket = createSocket();
        boolean isConnected = false;
        try {
            if (local != null) {
                socket.bind(local);
            }
            socket.connect(remote);
            isConnected = true;
            return socket;
        } finally {
            if (!isConnected) {
                socket.close();
            }
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connect(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connect(new InetSocketAddress(local, localPort), new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connect(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connect(new InetSocketAddress(local, localPort), new InetSocketAddress(host, port));
    }
}
