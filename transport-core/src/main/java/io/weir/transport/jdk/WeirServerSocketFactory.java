package io.weir.transport.jdk;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.nio.DualSelectorProvider;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import javax.net.ServerSocketFactory;

/**
 * Makes sockets that listen on a transport, or by rules, for software that takes a {@link ServerSocketFactory}.
 * Any thread may use it.
 */
public final class WeirServerSocketFactory extends ServerSocketFactory {
    /** What the JDK takes for a backlog that nobody has named. */
    private static final int BACKLOG_DEFAULT = 50;

    private final Maker maker;

    /** Makes a socket that is not bound. */
    private interface Maker {
        ServerSocket make() throws IOException;
    }

    /**
     * Makes sockets on the transport that the property {@link NamedTransports#INTERFACE_PROPERTY} names. The first
     * socket opens it, or fails with the reason.
     */
    public WeirServerSocketFactory() {
        this.maker = () -> JdkServerSocket.create(NamedTransports.findByProperty());
    }

    /** Makes sockets on {@code transport}, which stays the caller's. */
    public WeirServerSocketFactory(Transport transport) {
        Objects.requireNonNull(transport, "transport is null; open one first");
        this.maker = () -> JdkServerSocket.create(transport);
    }

    /**
     * Makes sockets that take connections over Weir, the kernel's TCP or both, as rules say.
     *
     * @param fallback what decides, which stays the caller's
     */
    public WeirServerSocketFactory(Fallback fallback) {
        DualSelectorProvider provider = new DualSelectorProvider(SelectorProvider.provider(), fallback);
        this.maker = () -> provider.openServerSocketChannel().socket();
    }

    /**
     * Makes sockets on the transport of this name.
     *
     * @param name one of {@link NamedTransports}, or an interface
     */
    public WeirServerSocketFactory(String name) throws IOException {
        this(NamedTransports.find(name));
    }

    /**
     * {@return a factory as {@link #WeirServerSocketFactory()} makes it} For software that names a class and calls
     * this, which would else get the kernel's.
     */
    public static ServerSocketFactory getDefault() {
        return new WeirServerSocketFactory();
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return maker.make();
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, BACKLOG_DEFAULT);
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
