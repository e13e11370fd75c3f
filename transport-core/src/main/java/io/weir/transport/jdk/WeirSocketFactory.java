package io.weir.transport.jdk;

import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Objects;
import javax.net.SocketFactory;

/**
 * Makes sockets that connect over a transport, for software that takes a {@link SocketFactory}. Any thread may use it.
 */
public final class WeirSocketFactory extends SocketFactory {
    /** The transport, or null for the one that the property names, which is looked up for each socket. */
    private final Transport transport;

    /**
     * Makes sockets over the transport that the property {@link NamedTransports#INTERFACE_PROPERTY} names: for software
     * that creates its factory by the class's name alone, as MariaDB's driver does. The first socket opens it, or
     * fails with the reason.
     */
    public WeirSocketFactory() {
        this.transport = null;
    }

    /** Makes sockets over {@code transport}, which stays the caller's. */
    public WeirSocketFactory(Transport transport) {
        this.transport = Objects.requireNonNull(transport, "transport is null; open one first");
    }

    /**
     * Makes sockets over the transport of this name: for software that creates its factory by reflection, with a text,
     * as in PostgreSQL's {@code socketFactoryArg}.
     *
     * @param name one of {@link NamedTransports}, or an interface
     */
    public WeirSocketFactory(String name) throws IOException {
        this(NamedTransports.find(name));
    }

    /**
     * {@return a factory as {@link #WeirSocketFactory()} makes it} For software that names a class and calls this, as
     * JNDI and Jakarta Mail do. Without this method they would get {@link SocketFactory#getDefault}, the kernel's.
     */
    public static SocketFactory getDefault() {
        return new WeirSocketFactory();
    }

    @Override
    public Socket createSocket() throws IOException {
        return JdkSocket.create(transport == null ? NamedTransports.findByProperty() : transport);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connect(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connect(new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connect(null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return connect(new InetSocketAddress(localAddress, localPort), new InetSocketAddress(address, port));
    }

    private Socket connect(SocketAddress local, SocketAddress remote) throws IOException {
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
}
