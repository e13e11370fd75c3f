package io.weir.netty;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.ResourceLeakDetector;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that connections leave nothing behind, however many there were. */
@ExtendWith(LeakCheck.class)
class ManyConnectionsTest {
    private static final int COUNT = 10_000;
    private static final int OPENING_MAX = 64;
    private static final int MESSAGE_BYTES = 100;
    /** One address may have half of what the memory holds: all connections with two fresh buffers each, and as many. */
    private static final StreamLimits STREAMS = StreamLimits.GROWING.withMemoryBytesMax(1L << 29);

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private ResourceLeakDetector.Level levelBefore;

    @BeforeEach
    void watchEveryBuffer() {
        levelBefore = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void restoreLevel() {
        ResourceLeakDetector.setLevel(levelBefore);
    }

    @Test
    void close_tenThousandConnectionsThatWereOpenAtOnce_leaveNothing() throws Exception {
        MemoryHosts.Pair pair = MemoryHosts.pair(TransportConfig.builder().streams(STREAMS));
        try (TwoGroups groups = pair.open()) {
            Channel server = groups.newServer()
                    .childOption(ChannelOption.ALLOCATOR, allocator)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new EchoTest.Echo());
                        }
                    })
                    .bind(groups.serverAddress())
                    .sync()
                    .channel();
            Users users = new Users(groups.newClient().option(ChannelOption.ALLOCATOR, allocator), server);
            List<Channel> open = users.openAll();
            assertEquals(COUNT, connectionCount(groups.clientTransport()));
            assertEquals(COUNT, connectionCount(groups.serverTransport()));
            WeirIoHandler clientHandler = ((WeirSocketChannel) open.get(0)).handler();
            assertEquals(COUNT, ask(groups.clientTransport(), host -> clientHandler.channelCount()));
            CountDownLatch closed = new CountDownLatch(COUNT);
            open.forEach(channel -> channel.close().addListener(done -> closed.countDown()));
            closed.await();
            server.close().sync();
            requireNothing(groups.client(), groups.clientTransport());
            requireNothing(groups.server(), groups.serverTransport());
            assertEquals(0, ask(groups.clientTransport(), host -> clientHandler.channelCount()), "channels");
            ByteBufAllocatorMetric buffers = allocator.metric();
            assertEquals(0, buffers.usedDirectMemory() + buffers.usedHeapMemory(), "bytes of Netty's buffers");
        }
        for (FramePool pool : pair.pools()) {
            assertEquals(pool.frameCount(), pool.available(), "frames");
        }
    }

    private static long connectionCount(Transport transport) {
        return ask(transport, HostStack::connectionCount);
    }

    /** Waits until the last end has lingered, and looks for what is left. */
    private static void requireNothing(EventLoopGroup group, Transport transport) throws InterruptedException {
        while (connectionCount(transport) > 0) {
            // Each question takes a turn of the loop.
        }
        assertEquals(0, ask(transport, HostStack::halfOpenCount), "half-open connections");
        assertEquals(NO_DEADLINE, ask(transport, HostStack::nextTimeoutNanos), "timers");
        assertEquals(0, ask(transport, host -> host.bufferBudget().bytesInUse()), "bytes of streams");
        assertEquals(0, ((SingleThreadEventLoop) group.next()).pendingTasks(), "tasks");
    }

    private static long ask(Transport transport, ToLongFunction<HostStack> question) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        transport.execute(now -> answer.complete(question.applyAsLong(transport.hostStack())));
        return answer.join();
    }

    /** Opens connections, some at a time, and has a message sent back by each. */
    private static final class Users {
        private final Bootstrap client;
        private final Channel server;
        private final List<Channel> open = new ArrayList<>();
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger answered = new AtomicInteger();
        /** Fails with the first connection that does. */
        private final CompletableFuture<Void> allAnswered = new CompletableFuture<>();

        Users(Bootstrap client, Channel server) {
            this.client = client.handler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new User());
                }
            });
            this.server = server;
        }

        List<Channel> openAll() throws InterruptedException, ExecutionException {
            for (int i = 0; i < OPENING_MAX; i++) {
                next();
            }
            allAnswered.get();
            return open;
        }

        private void next() {
            if (asked.incrementAndGet() <= COUNT) {
                client.connect(server.localAddress()).addListener(future -> {
                    if (!future.isSuccess()) {
                        allAnswered.completeExceptionally(future.cause());
                    }
                });
            }
        }

        /** One of them. */
        private final class User extends SimpleChannelInboundHandler<ByteBuf> {
            private int receivedBytes;

            @Override
            @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, which is seen
            public void channelActive(ChannelHandlerContext context) {
                open.add(context.channel());
                context.writeAndFlush(context.alloc().buffer(MESSAGE_BYTES).writeZero(MESSAGE_BYTES));
            }

            @Override
            protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                receivedBytes += message.readableBytes();
                if (receivedBytes == MESSAGE_BYTES) {
                    next();
                    if (answered.incrementAndGet() == COUNT) {
                        allAnswered.complete(null);
                    }
                }
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                if (receivedBytes < MESSAGE_BYTES) {
                    allAnswered.completeExceptionally(new IOException("a connection ended before its answer"));
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                allAnswered.completeExceptionally(cause);
            }
        }
    }
}
