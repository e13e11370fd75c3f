package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests groups of several event loops over one interface: on links in memory, a link for each queue. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings("FutureReturnValueIgnored") // what fails is seen by the test, which waits for the bytes or the end
class SeveralLoopsTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", 4720);
    private static final int LOOPS = 2;
    private static final int CHANNELS = 16;

    private List<List<Backend.Opened>> queues;
    private final List<Transport> transports = new ArrayList<>();
    private final List<EventLoopGroup> groups = new ArrayList<>();

    private EventLoopGroup group(int threads, IoHandlerFactory factory, String name) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), factory);
        groups.add(group);
        return group;
    }

    private IoHandlerFactory factory(int side) {
        return WeirIoHandler.newFactory(() -> {
            Transport transport = Transport.open(
                    queues.get(side),
                    TransportConfig.builder().idleMode(IdleMode.INVOKER).build());
            transports.add(transport);
            return transport;
        });
    }

    private void openQueues(int queueShift) {
        queues = MemoryNetwork.pairWithQueues(LOOPS, queueShift, 2048, 10_000_000_000L);
    }

    @Test
    void group_started_asksTheSchedulerForEachLoop() {
        openQueues(0);
        EventLoopGroup group = group(LOOPS, factory(0), "left");
        group.forEach(executor -> executor.submit(() -> {}).syncUninterruptibly());
        transports.get(0).loops().forEach(loop -> {
            String line = loop.scheduling();
            assertTrue(line.startsWith("slices of") || line.startsWith("scheduled as every thread"), line);
        });
    }

    @AfterEach
    void close() {
        groups.forEach(group -> group.shutdownGracefully(0, 10, TimeUnit.SECONDS));
        groups.forEach(group -> group.terminationFuture().syncUninterruptibly());
        transports.forEach(transport ->
                assertTrue(transport.loops().stream().allMatch(loop -> loop.isClosed()), "a loop that goes on"));
        for (Backend.Opened queue : queues.stream().flatMap(List::stream).toList()) {
            if (!transports.isEmpty()) {
                assertEquals(queue.pool().frameCount(), queue.pool().available(), "frames left");
            }
        }
    }

    /** Notes the threads that call it, and sends back what comes. */
    private static ChannelInitializer<Channel> echo(Set<EventLoop> seen) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                assertTrue(channel.eventLoop().inEventLoop(), "on the thread of another loop");
                seen.add(channel.eventLoop());
                channel.pipeline().addLast(new EchoTest.Echo());
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void group_manyChannels_eachOnTheLoopOfItsConnection(int queueShift) throws Exception {
        openQueues(queueShift);
        EventLoopGroup server = group(LOOPS, factory(1), "server");
        EventLoopGroup client = group(LOOPS, factory(0), "client");
        assertEveryLoopCarries(client, server, SERVER);
    }

    /** Has channels of both groups exchange bytes, and looks at which event loops they are. */
    static void assertEveryLoopCarries(EventLoopGroup client, EventLoopGroup server, InetSocketAddress address)
            throws Exception {
        Set<EventLoop> serving = ConcurrentHashMap.newKeySet();
        Channel listener = new ServerBootstrap()
                .group(server)
                .channel(WeirServerSocketChannel.class)
                .childHandler(echo(serving))
                .bind(address)
                .sync()
                .channel();
        byte[] sent = new byte[50_000];
        new Random(1).nextBytes(sent);
        Set<EventLoop> opening = ConcurrentHashMap.newKeySet();
        List<Channel> channels = new ArrayList<>();
        List<CompletableFuture<byte[]>> received = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            EchoTest.Collector collector = new EchoTest.Collector(sent.length);
            Channel channel = connect(client, address, collector).sync().channel();
            opening.add(channel.eventLoop());
            channel.writeAndFlush(Unpooled.wrappedBuffer(sent));
            channels.add(channel);
            received.add(collector.all);
        }
        for (CompletableFuture<byte[]> bytes : received) {
            assertArrayEquals(sent, bytes.get());
        }
        assertEquals(LOOPS, opening.size());
        assertEquals(LOOPS, serving.size());
        for (Channel channel : channels) {
            channel.close().sync();
        }
        listener.close().sync();
    }

    private static ChannelFuture connect(
            EventLoopGroup group, InetSocketAddress address, ChannelInboundHandlerAdapter handler) {
        return new Bootstrap()
                .group(group)
                .channel(WeirSocketChannel.class)
                .handler(handler)
                .connect(address);
    }

    @Test
    void connect_fromAPortOfAnotherLoop_isABindException() throws Exception {
        openQueues(0);
        EventLoopGroup server = group(LOOPS, factory(1), "server");
        EventLoopGroup client = group(LOOPS, factory(0), "client");
        new ServerBootstrap()
                .group(server)
                .channel(WeirServerSocketChannel.class)
                .childHandler(echo(ConcurrentHashMap.newKeySet()))
                .bind(SERVER)
                .sync();
        int refused = 0;
        for (int port = 50_000; port < 50_016; port++) {
            ChannelFuture opened = new Bootstrap()
                    .group(client)
                    .channel(WeirSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(SERVER, new InetSocketAddress("10.0.0.1", port))
                    .awaitUninterruptibly();
            if (!opened.isSuccess()) {
                assertInstanceOf(BindException.class, opened.cause().getCause());
                refused++;
            }
        }
        assertTrue(refused > 0 && refused < 16, refused + " refused");
    }

    @Test
    void group_fewerThreadsThanLoops_refusesChannels() {
        openQueues(0);
        EventLoopGroup client = group(1, factory(0), "client");
        Throwable refusal = connect(client, SERVER, new ChannelInboundHandlerAdapter())
                .awaitUninterruptibly()
                .cause();
        assertTrue(refusal.getMessage().contains("has 2 loops"), refusal.toString());
    }

    @Test
    void group_moreThreadsThanLoops_isRefusedAndClosesTheTransport() {
        openQueues(0);
        IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> group(LOOPS + 1, factory(0), "client"));
        assertTrue(refusal.getCause().getMessage().contains("has 2 loops"), refusal.getCause()::toString);
    }

    @Test
    void fault_inOneLoop_closesTheChannelsOfAll() throws Exception {
        openQueues(0);
        EventLoopGroup server = group(LOOPS, factory(1), "server");
        EventLoopGroup client = group(LOOPS, factory(0), "client");
        new ServerBootstrap()
                .group(server)
                .channel(WeirServerSocketChannel.class)
                .childHandler(echo(ConcurrentHashMap.newKeySet()))
                .bind(SERVER)
                .sync();
        List<Channel> channels = new ArrayList<>();
        List<Throwable> told = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            channels.add(connect(client, SERVER, new ChannelInboundHandlerAdapter() {
                        @Override
                        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                            synchronized (told) {
                                told.add(cause);
                            }
                        }
                    })
                    .sync()
                    .channel());
        }
        Transport transport = transports.get(1);
        transport.loops().get(0).execute(now -> {
            throw new OutOfMemoryError("planted");
        });
        for (Channel channel : channels) {
            channel.closeFuture().sync();
        }
        synchronized (told) {
            assertEquals(LOOPS, told.size());
            told.forEach(cause -> assertInstanceOf(IOException.class, cause));
        }
    }
}
