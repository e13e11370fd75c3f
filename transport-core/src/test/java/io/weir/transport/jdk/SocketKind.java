package io.weir.transport.jdk;

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
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/** Sockets of one kind, the kernel's or ours, with a server's address that they reach. */
record SocketKind(SocketFactory sockets, ServerSocketFactory servers, InetAddress serverAddress, Closeable end)
        implements Closeable {
    /** {@return the kernel's, over loopback} */
    static SocketKind ofTheKernel() {
        return new SocketKind(
                SocketFactory.getDefault(),
                ServerSocketFactory.getDefault(),
                InetAddress.getLoopbackAddress(),
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
                server.addresses().get(0),
                () -> {
                    client.close();
                    server.close();
                });
    }

    ServerSocket listen() throws IOException {
        return servers.createServerSocket(0, 50, serverAddress);
    }

    InetSocketAddress address(ServerSocket server) {
        return new InetSocketAddress(serverAddress, server.getLocalPort());
    }

    /** {@return an address at which nobody listens} */
    InetSocketAddress closedAddress() throws IOException {
        try (ServerSocket server = listen()) {
            return address(server);
        }
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
