package io.weir.transport.jdk;

import io.weir.transport.fallback.TestFallback;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImplFactory;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/**
 * Sockets of one kind, the kernel's or ours, between a client's and a server's host.
 *
 * @param sockets of the client's host
 * @param servers listeners of the server's host
 * @param clients listeners of the client's host
 * @param clientAddress the client's, which the server sees
 * @param serverAddress the server's, which the client reaches
 * @param elsewhere another address of the server's host, at which connections to {@code serverAddress} do not come
 * @param remoteAddress one that is not reached from loopback
 * @param end what closes them all
 */
record SocketKind(
        SocketFactory sockets,
        ServerSocketFactory servers,
        ServerSocketFactory clients,
        InetAddress clientAddress,
        InetAddress serverAddress,
        InetAddress elsewhere,
        InetAddress remoteAddress,
        Map<Integer, ServerSocket> listeners,
        Closeable end)
        implements Closeable {
    /** {@return the kernel's, over loopback} */
    static SocketKind ofTheKernel() throws IOException {
        return overLoopback(SocketFactory.getDefault(), ServerSocketFactory.getDefault(), () -> {});
    }

    /** {@return those that the Java runtime's channels give: they differ from its others in what they throw} */
    static SocketKind ofTheKernelsChannels() throws IOException {
        return overLoopback(
                new MadeSockets(() -> SocketChannel.open().socket()),
                new MadeListeners(() -> ServerSocketChannel.open().socket()),
                () -> {});
    }

    /** {@return ours, between two transports over a link in memory} */
    static SocketKind ofWeir() throws IOException {
        FramePool left = new FramePool(4_096, 2_048);
        FramePool right = new FramePool(4_096, 2_048);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1_500, 10_000_000_000L);
        Transport client = Transport.open(pair.get(0), left, TransportConfig.DEFAULT);
        Transport server = Transport.open(pair.get(1), right, TransportConfig.DEFAULT);
        return new SocketKind(
                new WeirSocketFactory(client),
                new WeirServerSocketFactory(server),
                new WeirServerSocketFactory(client),
                client.addresses().get(0),
                server.addresses().get(0),
                InetAddress.getLoopbackAddress(),
                server.addresses().get(0),
                new ConcurrentHashMap<>(),
                () -> {
                    client.close();
                    server.close();
                });
    }

    /** {@return those of the factories that rules direct, over loopback, where both ways are} */
    static SocketKind ofRules(TestFallback rules) throws IOException {
        return overLoopback(
                new WeirSocketFactory(rules.fallback), new WeirServerSocketFactory(rules.fallback), rules::close);
    }

    /** {@return what a program gets from {@code new Socket()} where the agent's rules decide} */
    static SocketKind ofPrograms(TestFallback rules) throws IOException {
        SocketImplFactory sockets = DualSocketImpls.ofSockets(rules.fallback);
        SocketImplFactory listeners = DualSocketImpls.ofServerSockets(rules.fallback);
        return overLoopback(
                new MadeSockets(() -> new Socket(sockets.createSocketImpl()) {}),
                new MadeListeners(() -> new ServerSocket(listeners.createSocketImpl()) {
                    @Override
                    public Socket accept() throws IOException {
                        if (isClosed()) {
                            throw new SocketException("Socket is closed");
                        }
                        if (!isBound()) {
                            throw new SocketException("Socket is not bound yet");
                        }
                        // What the factory of sockets does where it is set for the whole process.
                        Socket accepted = new Socket(sockets.createSocketImpl()) {};
                        implAccept(accepted);
                        return accepted;
                    }
                }),
                rules::close);
    }

    private static SocketKind overLoopback(SocketFactory sockets, ServerSocketFactory listeners, Closeable end)
            throws IOException {
        return new SocketKind(
                sockets,
                listeners,
                listeners,
                InetAddress.getLoopbackAddress(),
                InetAddress.getLoopbackAddress(),
                InetAddress.getByName("127.0.0.2"),
                InetAddress.getByName("192.0.2.77"),
                new ConcurrentHashMap<>(),
                end);
    }

    ServerSocket listen() throws IOException {
        return listen(0);
    }

    /** {@return a listener at the server's address; {@link #closeListener} closes it if nobody else does} */
    ServerSocket listen(int port) throws IOException {
        ServerSocket server = servers.createServerSocket(port, 50, serverAddress);
        listeners.put(server.getLocalPort(), server);
        return server;
    }

    void closeListener(int port) throws IOException {
        ServerSocket server = listeners.remove(port);
        if (server != null) {
            server.close();
        }
    }

    /** {@return a port of the server's host that nobody listens on} */
    int freePort() throws IOException {
        try (ServerSocket server = listen()) {
            return server.getLocalPort();
        }
    }

    /** {@return a port of the client's host that nobody has} */
    int freeClientPort() throws IOException {
        try (ServerSocket server = clients.createServerSocket(0)) {
            return server.getLocalPort();
        }
    }

    /** Waits until the server's host knows that a connection stands. */
    void awaitArrival(Socket near) throws IOException {
        near.getOutputStream().write(1);
        near.getOutputStream().flush();
    }

    InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress(serverAddress, server.getLocalPort());
    }

    /** {@return an address at which nobody listens} */
    InetSocketAddress closedAddress() throws IOException {
        return new InetSocketAddress(serverAddress, freePort());
    }

    /** {@return a connected pair} */
    Ends connect() throws IOException {
        ServerSocket server = listen();
        Socket near = sockets.createSocket();
        near.connect(address(server), 0);
        return new Ends(server, near, server.accept());
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket server : listeners.values()) {
            server.close();
        }
        end.close();
    }

    /** A connection: the end that connected, and the one that was accepted. */
    record Ends(ServerSocket server, Socket near, Socket far) implements Closeable {
        @Override
        public void close() throws IOException {
            near.close();
            far.close();
            server.close();
        }
    }
}
