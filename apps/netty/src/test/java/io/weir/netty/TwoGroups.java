package io.weir.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.transport.socket.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two hosts that can reach each other, each with an event loop: one for clients, one for servers. */
class TwoGroups implements AutoCloseable {
    private final EventLoopGroup client;
    private final EventLoopGroup server;
    private final InetSocketAddress serverAddress;
    private final InetAddress silentAddress;
    private Transport clientTransport;
    private Transport serverTransport;

    /** @param silentAddress where nobody answers */
    TwoGroups(
            TransportOpener client,
            TransportOpener server,
            InetSocketAddress serverAddress,
            InetAddress silentAddress) {
        this.silentAddress = silentAddress;
        this.client = newGroup("client", () -> clientTransport = client.open());
        this.server = newGroup("server", () -> serverTransport = server.open());
        this.serverAddress = serverAddress;
        // Their threads start with their first task; peers that are not Netty's need the loops to run.
        this.client.submit(() -> {}).syncUninterruptibly();
        this.server.submit(() -> {}).syncUninterruptibly();
    }

    private static EventLoopGroup newGroup(String name, TransportOpener opener) {
        return new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory(name, true), WeirIoHandler.newFactory(opener));
    }

    EventLoopGroup client() {
        return client;
    }

    EventLoopGroup server() {
        return server;
    }

    /** {@return the transport that the client's event loop runs, for peers that are not Netty's} */
    Transport clientTransport() {
        return clientTransport;
    }

    /** {@return the transport that the server's event loop runs} */
    Transport serverTransport() {
        return serverTransport;
    }

    /** {@return the address that servers bind to, with port 0} */
    InetSocketAddress serverAddress() {
        return serverAddress;
    }

    Bootstrap newClient() {
        return new Bootstrap().group(client).channel(WeirSocketChannel.class).resolver(new SuiteAddresses(this));
    }

    ServerBootstrap newServer() {
        return new ServerBootstrap()
                .group(server)
                .channel(WeirServerSocketChannel.class)
                .handler(new BindReachable());
    }

    /** Binds to an address of these hosts. */
    @Sharable
    @SuppressWarnings("FutureReturnValueIgnored") // the promise is told
    private final class BindReachable extends ChannelOutboundHandlerAdapter {
        @Override
        public void bind(ChannelHandlerContext context, SocketAddress address, ChannelPromise promise) {
            context.bind(reachable((InetSocketAddress) address), promise);
        }
    }

    /**
     * {@return the address with which these hosts stand in for one that is written into the suite: its loopback, and
     * its silent host}
     */
    InetSocketAddress reachable(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip != null && ip.isLoopbackAddress()) {
            return new InetSocketAddress(serverAddress.getAddress(), address.getPort());
        }
        return SuiteAddresses.SILENT.equals(address.getHostString())
                ? new InetSocketAddress(silentAddress, address.getPort())
                : address;
    }

    /** {@return what the suite's tests of both ends run with} */
    List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> pairs() {
        return List.of(new BootstrapComboFactory<>() {
            @Override
            public ServerBootstrap newServerInstance() {
                return newServer();
            }

            @Override
            public Bootstrap newClientInstance() {
                return newClient();
            }
        });
    }

    /** {@return what the suite's tests of servers run with} */
    List<BootstrapFactory<ServerBootstrap>> servers() {
        return List.of(this::newServer);
    }

    /** {@return what the suite's tests of clients run with} */
    List<BootstrapFactory<Bootstrap>> clients() {
        return List.of(this::newClient);
    }

    @Override
    public void close() {
        var clientEnd = client.shutdownGracefully(0, 10, TimeUnit.SECONDS);
        var serverEnd = server.shutdownGracefully(0, 10, TimeUnit.SECONDS);
        clientEnd.syncUninterruptibly();
        serverEnd.syncUninterruptibly();
    }
}
