package io.weir.transport.jdk;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.nio.DualSelectorProvider;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import javax.net.SocketFactory;

/**
 * Makes sockets that connect over a transport, or by rules, for software that takes a {@link SocketFactory}. Any
 * thread may use it.
 */
public final class WeirSocketFactory extends SocketFactory {
    private final Maker maker;

    /** Makes a socket that is neither bound nor connected. */
    private interface Maker {
        Socket make() throws IOException;
    }

    /**
     * Makes sockets over the transport that the property {@link NamedTransports#INTERFACE_PROPERTY} names: for software
     * that creates its factory by the class's name alone, as MariaDB's driver does. The first socket opens it, or
     * fails with the reason.
     */
    public WeirSocketFactory() {
        this.maker = () -> JdkSocket.create(NamedTransports.findByProperty());
    }

    /** Makes sockets over {@code transport}, which stays the caller's. */
    public WeirSocketFactory(Transport transport) {
        Objects.requireNonNull(transport, "transport is null; open one first");
        this.maker = () -> JdkSocket.create(transport);
    }

    /**
     * Makes sockets that go over Weir or the kernel's TCP, as rules say and as their peers can.
     *
     * @param fallback what decides, which stays the caller's
     */
    public WeirSocketFactory(Fallback fallback) {
        DualSelectorProvider provider = new DualSelectorProvider(SelectorProvider.provider(), fallback);
        this.maker = () -> provider.openSocketChannel().socket();
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
        return maker.make();
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
