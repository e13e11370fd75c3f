package io.weir.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.transport.socket.LocalPort;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Netty's channels of one kind, NIO's or ours, between a client's and a server's host.
 *
 * @param client the client's event loop
 * @param server the server's event loop
 * @param newClient makes a channel that connects
 * @param newServer makes a channel that listens
 * @param clientAddress the client's address
 * @param serverAddress the server's, which the client reaches
 * @param ports finds ports of a host's address that nobody has
 * @param isFreedLate whether the port of a closed channel is free only when the event loop has run again, as NIO's
 * @param elsewhere another address of the server's host, at which connections to {@code serverAddress} do not come
 */
record ChannelKind(
        EventLoopGroup client,
        EventLoopGroup server,
        Supplier<Channel> newClient,
        Supplier<ServerChannel> newServer,
        InetAddress clientAddress,
        InetAddress serverAddress,
        Ports ports,
        boolean isFreedLate,
        InetAddress elsewhere)
        implements AutoCloseable {
    /** {@return NIO's, over loopback} */
    static ChannelKind ofTheKernel() throws Exception {
        return new ChannelKind(
                nioGroup("nio-client"),
                nioGroup("nio-server"),
                NioSocketChannel::new,
                NioServerSocketChannel::new,
                InetAddress.getLoopbackAddress(),
                InetAddress.getLoopbackAddress(),
                ChannelKind::freePort,
                true,
                InetAddress.getByName("127.0.0.2"));
    }

    private static EventLoopGroup nioGroup(String name) {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    /** What finds a free port. */
    @FunctionalInterface
    interface Ports {
        int free(InetAddress address) throws IOException;
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    private static int freePort(TwoGroups groups, InetAddress address) throws IOException {
        Transport transport = address.equals(groups.serverAddress().getAddress())
                ? groups.serverTransport()
                : groups.clientTransport();
        try (LocalPort port = transport.bind(new InetSocketAddress(address, 0))) {
            return port.address().getPort();
        }
    }

    /** Waits until the port of a closed channel is free, where it is not at once. */
    void awaitFree(Channel closed) {
        if (isFreedLate) {
            for (int i = 0; i < 3; i++) {
                closed.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS).syncUninterruptibly();
            }
        }
    }

    /** {@return ours, over a link in memory} */
    static ChannelKind ofWeir() {
        TwoGroups groups = MemoryHosts.open();
        return new ChannelKind(
                groups.client(),
                groups.server(),
                WeirSocketChannel::new,
                WeirServerSocketChannel::new,
                groups.clientTransport().addresses().get(0),
                groups.serverAddress().getAddress(),
                address -> freePort(groups, address),
                false,
                InetAddress.getLoopbackAddress());
    }

    /** {@return a bootstrap of clients whose pipelines have this handler} */
    Bootstrap newBootstrap(ChannelHandler handler) {
        return new Bootstrap().group(client).channelFactory(newClient::get).handler(handler);
    }

    /** {@return a bootstrap of servers, each of whose connections gets this handler first} */
    ServerBootstrap newServerBootstrap(Supplier<ChannelHandler> handlers) {
        return new ServerBootstrap()
                .group(server)
                .channelFactory(newServer::get)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(handlers.get());
                    }
                });
    }

    InetSocketAddress anyPort() {
        return new InetSocketAddress(serverAddress, 0);
    }

    /** {@return a listener whose connections go to this queue} */
    Channel listen(InetSocketAddress address, BlockingQueue<Events> accepted) {
        return newServerBootstrap(() -> {
                    Events events = new Events();
                    events.accepted = accepted;
                    return events;
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
    }

    /** {@return an address at which nobody listens} */
    InetSocketAddress closedAddress() throws IOException {
        return new InetSocketAddress(serverAddress, ports.free(serverAddress));
    }

    /** {@return a port of the client's host that nobody has} */
    int freeClientPort() throws IOException {
        return ports.free(clientAddress);
    }

    Ends connect() throws InterruptedException {
        return connect(Map.of(), Map.of());
    }

    /** {@return a connected pair with these options} */
    Ends connect(Map<ChannelOption<?>, Object> near, Map<ChannelOption<?>, Object> far) throws InterruptedException {
        return connect(new Events(), new Events(), near, far);
    }

    /** {@return a connected pair with these handlers and options} */
    Ends connect(
            Events nearEvents, Events farEvents, Map<ChannelOption<?>, Object> near, Map<ChannelOption<?>, Object> far)
            throws InterruptedException {
        BlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        farEvents.accepted = accepted;
        ServerBootstrap servers = newServerBootstrap(() -> farEvents);
        far.forEach((option, value) -> set(servers, option, value));
        Channel listener = servers.bind(anyPort()).syncUninterruptibly().channel();
        Bootstrap clients = newBootstrap(nearEvents);
        near.forEach((option, value) -> set(clients, option, value));
        Channel nearChannel =
                clients.connect(listener.localAddress()).syncUninterruptibly().channel();
        Events farEnd = await(accepted);
        return new Ends(listener, nearChannel, nearEvents, farEnd.channel, farEnd);
    }

    @SuppressWarnings("unchecked") // an option's value is of its type
    private static void set(ServerBootstrap servers, ChannelOption<?> option, Object value) {
        servers.childOption((ChannelOption<Object>) option, value);
    }

    @SuppressWarnings("unchecked") // an option's value is of its type
    private static void set(Bootstrap clients, ChannelOption<?> option, Object value) {
        clients.option((ChannelOption<Object>) option, value);
    }

    /** {@return what comes next} A test that waits in vain fails after minutes. */
    static <T> T await(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(5, TimeUnit.MINUTES);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }

    @Override
    public void close() {
        client.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        server.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** A connection: the end that connected, and the one that was accepted, each with its events. */
    record Ends(Channel listener, Channel near, Events nearEvents, Channel far, Events farEvents)
            implements AutoCloseable {
        @Override
        public void close() {
            near.close().syncUninterruptibly();
            far.close().syncUninterruptibly();
            listener.close().syncUninterruptibly();
        }
    }
}
