package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Where Netty's suite has sockets of the kernel as peers: the same conversations with sockets of Weir's. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is seen by the peer, which waits for the answer
final class SuitePeers {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Closing a listener does not wait until its port is free, so each has another. */
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(4_720);

    private SuitePeers() {}

    /** A peer that connects. */
    static final class Client {
        private final Transport transport;
        private WeirSocket socket;

        Client(Transport transport) {
            this.transport = transport;
        }

        void connect(InetSocketAddress address) throws IOException {
            socket = transport.connect(address, PATIENCE);
        }

        void write(int data) throws IOException {
            socket.write(ByteBuffer.wrap(new byte[] {(byte) data}));
        }

        void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        void close() {
            if (socket != null) {
                socket.close();
            }
        }
    }

    /** Collects the bytes that a channel reads. */
    private static class Bytes extends SimpleChannelInboundHandler<ByteBuf> {
        final BlockingQueue<Byte> read = new LinkedBlockingQueue<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            while (message.isReadable()) {
                read.add(message.readByte());
            }
        }
    }

    private static ChannelFuture connect(TwoGroups groups, Bootstrap client, WeirServerSocket listener) {
        return client.connect(new InetSocketAddress(groups.serverAddress().getAddress(), listener.localPort()));
    }

    static void shutdownOutput(TwoGroups groups, Bootstrap client) throws Exception {
        Bytes bytes = new Bytes();
        try (WeirServerSocket listener = groups.serverTransport().listen(NEXT_PORT.getAndIncrement())) {
            SocketChannel channel = (SocketChannel)
                    connect(groups, client.handler(bytes), listener).sync().channel();
            try (WeirSocket peer = listener.accept()) {
                channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})).sync();
                assertEquals(1, peer.inputStream().read());
                assertFalse(channel.isInputShutdown());
                assertFalse(channel.isOutputShutdown());

                channel.shutdownOutput().sync();
                assertEquals(-1, peer.inputStream().read());
                assertTrue(channel.isActive());
                assertFalse(channel.isInputShutdown());
                assertTrue(channel.isOutputShutdown());

                peer.write(ByteBuffer.wrap(new byte[] {2}));
                assertEquals((byte) 2, bytes.read.take());
            }
            channel.close().sync();
        }
    }

    static void shutdownAfterClosed(TwoGroups groups, Bootstrap client) throws Exception {
        try (WeirServerSocket listener = groups.serverTransport().listen(NEXT_PORT.getAndIncrement())) {
            SocketChannel channel = (SocketChannel) connect(groups, client.handler(new Bytes()), listener)
                    .sync()
                    .channel();
            try (WeirSocket peer = listener.accept()) {
                assertFalse(peer.isClosed());
                channel.close().sync();
                assertInstanceOf(
                        ClosedChannelException.class,
                        channel.shutdownInput().await().cause());
                assertInstanceOf(
                        ClosedChannelException.class,
                        channel.shutdownOutput().await().cause());
            }
        }
    }

    static void shutdownWithLinger(TwoGroups groups, Bootstrap client, Function<SocketChannel, ChannelFuture> shutdown)
            throws Exception {
        try (WeirServerSocket listener = groups.serverTransport().listen(NEXT_PORT.getAndIncrement())) {
            Channel channel = connect(
                            groups, client.option(ChannelOption.SO_LINGER, 1).handler(new Bytes()), listener)
                    .sync()
                    .channel();
            try (WeirSocket peer = listener.accept()) {
                assertFalse(peer.isClosed());
                shutdown.apply((SocketChannel) channel).sync();
            }
            channel.close().sync();
        }
    }

    /** A read that is asked for before the channel is connected is served once it is. */
    static void readBeforeActive(TwoGroups groups, Bootstrap client) throws Exception {
        Channel server = groups.newServer()
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {42}));
                    }
                })
                .bind(groups.serverAddress())
                .sync()
                .channel();
        Bytes bytes = new Bytes() {
            @Override
            public void handlerAdded(ChannelHandlerContext context) {
                assertFalse(context.channel().isActive());
                context.read();
            }
        };
        Channel channel = client.option(ChannelOption.AUTO_READ, false)
                .handler(bytes)
                .connect(server.localAddress())
                .sync()
                .channel();
        assertEquals((byte) 42, bytes.read.take());
        channel.close().sync();
        server.close().sync();
    }

    /**
     * A write to a connection that the peer has reset fails and shuts the output down, if the channel is not to close
     * by itself; what had come before the reset can still be read.
     */
    static void writeAfterReset(ServerBootstrap server, Bootstrap client) throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        Channel listener = server.childOption(ChannelOption.SO_LINGER, 0)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        accepted.complete(context.channel());
                    }
                })
                .bind()
                .sync()
                .channel();
        CompletableFuture<Void> shutdown = new CompletableFuture<>();
        Bytes bytes = new Bytes() {
            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                if (event instanceof ChannelOutputShutdownEvent) {
                    shutdown.complete(null);
                }
            }
        };
        Channel channel = client.option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.AUTO_READ, false)
                .handler(bytes)
                .connect(listener.localAddress())
                .sync()
                .channel();
        Channel peer = accepted.get();
        peer.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7})).sync();
        WeirSocketChannel weir = (WeirSocketChannel) channel;
        awaitOn(channel, () -> weir.connection().receiveBuffer().readableBytes() == 1);
        peer.close().sync();
        awaitOn(channel, () -> weir.events().reason() != null);

        assertInstanceOf(
                IOException.class,
                channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                        .await()
                        .cause());
        shutdown.get();
        assertTrue(channel.isOpen());
        channel.read();
        assertEquals((byte) 7, bytes.read.take());
        channel.close().sync();
        listener.close().sync();
    }

    /** Waits until something of a channel's is true, asking its own thread again and again. */
    private static void awaitOn(Channel channel, Callable<Boolean> condition) throws Exception {
        while (!channel.eventLoop().submit(condition).get()) {
            Thread.onSpinWait();
        }
    }
}
