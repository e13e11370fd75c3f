package io.weir.netty;

import static io.weir.netty.ChannelCases.await;
import static io.weir.netty.ChannelCases.bytes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.Future;
import io.weir.netty.ChannelKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sequences of what pipelines do when they are called, of calls that wait, of bytes and of options. */
@SuppressWarnings("FutureReturnValueIgnored") // each case tells what its channels see
final class ChannelCallbackCases {
    private static final int LARGE_BYTES = 4 << 20;

    private ChannelCallbackCases() {}

    static List<ParityCase<ChannelKind>> all() {
        return List.of(
                ParityCase.of(
                        "an exception in a handler that reads", failing(new IllegalStateException("of the test"))),
                ParityCase.of("an out-of-memory error in a handler", failing(new OutOfMemoryError("of the test"))),
                ParityCase.of("a stack overflow in a handler", failing(new StackOverflowError("of the test"))),
                ParityCase.of("an exception in an exception handler", ChannelCallbackCases::exceptionTwice),
                ParityCase.of("an exception when a channel becomes active", ChannelCallbackCases::exceptionWhenActive),
                ParityCase.of("an exception when a channel is set up", ChannelCallbackCases::exceptionInSetup),
                ParityCase.of("an out-of-memory error in a task", ChannelCallbackCases::outOfMemoryInTask),
                ParityCase.of("an exception in a listener of a write", ChannelCallbackCases::exceptionInListener),
                ParityCase.of("close in a handler that reads", ChannelCallbackCases::closeInRead),
                ParityCase.of("write and close in a handler", ChannelCallbackCases::writeAndCloseInRead),
                ParityCase.of("half-close in a handler", ChannelCallbackCases::halfCloseInRead),
                ParityCase.of("connect in a handler", ChannelCallbackCases::connectInRead),
                ParityCase.of("close in a handler that becomes active", ChannelCallbackCases::closeInActive),
                ParityCase.of("wait in the event loop", ChannelCallbackCases::syncInLoop),
                ParityCase.of("interrupt of a thread that waits", ChannelCallbackCases::interruptWait),
                ParityCase.of("a wait with a time-out, then another", ChannelCallbackCases::waitWithTimeout),
                ParityCase.of("read time-out", ChannelCallbackCases::readTimeout),
                ParityCase.of("cancelled writes", ChannelCallbackCases::cancelWrite),
                ParityCase.ofVirtualThreads("virtual: write and wait", ChannelCallbackCases::virtualWrite),
                ParityCase.of("bytes while nobody reads", ChannelCallbackCases::readLater),
                ParityCase.of("water marks", ChannelCallbackCases::waterMarks),
                ParityCase.of("messages that cannot be written", ChannelCallbackCases::badMessages),
                ParityCase.of("buffers of all kinds in order", ChannelCallbackCases::kindsOfBuffers),
                ParityCase.of("large transfer both ways", ChannelCallbackCases::largeTransfer),
                ParityCase.of("echo of single bytes", ChannelCallbackCases::echo),
                ParityCase.of("options of channels", ChannelCallbackCases::options),
                ParityCase.of("options of listeners", ChannelCallbackCases::optionsOfListeners));
    }

    // ---- handlers that fail

    private static ParityCase.Play<ChannelKind> failing(Throwable problem) {
        return (kind, log) -> {
            Events failing = new Events() {
                private boolean hasFailed;

                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    if (!hasFailed) {
                        hasFailed = true;
                        ((ByteBuf) message).release();
                        ChannelCallbackCases.<RuntimeException>raise(problem);
                    }
                    super.channelRead(context, message);
                }
            };
            try (Ends ends = kind.connect(new Events(), failing, Map.of(), Map.of())) {
                await(log, "write", ends.near().writeAndFlush(bytes(1)));
                log.tell("caught", ends.farEvents()::next);
                log.tell("active", ends.far()::isActive);
                await(log, "write again", ends.near().writeAndFlush(bytes(2)));
                log.tell("read", ends.farEvents()::read);
                await(log, "answer", ends.far().writeAndFlush(bytes(3)));
                log.tell("read here", ends.nearEvents()::read);
            }
        };
    }

    @SuppressWarnings("unchecked") // what handlers throw need not be declared
    private static <E extends Throwable> void raise(Throwable problem) throws E {
        throw (E) problem;
    }

    private static void exceptionTwice(ChannelKind kind, CallLog log) throws Exception {
        Events failing = new Events() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                super.channelRead(context, message);
                throw new IllegalStateException("of the test");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                super.exceptionCaught(context, cause);
                throw new IllegalStateException("of the test, again");
            }
        };
        try (Ends ends = kind.connect(new Events(), failing, Map.of(), Map.of())) {
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            log.tell("caught", ends.farEvents()::next);
            log.tell("read", ends.farEvents()::read);
            log.tell("active", ends.far()::isActive);
            await(log, "write again", ends.near().writeAndFlush(bytes(2)));
            log.tell("caught again", ends.farEvents()::next);
        }
    }

    private static void exceptionWhenActive(ChannelKind kind, CallLog log) throws Exception {
        Events failing = new Events() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                super.channelActive(context);
                throw new IllegalStateException("of the test");
            }
        };
        try (Ends ends = kind.connect(new Events(), failing, Map.of(), Map.of())) {
            log.tell("caught", ends.farEvents()::next);
            log.tell("active", ends.far()::isActive);
            await(log, "write", ends.near().writeAndFlush(bytes(9)));
            log.tell("read", ends.farEvents()::read);
        }
    }

    private static void exceptionInSetup(ChannelKind kind, CallLog log) throws Exception {
        Channel listener = kind.newServerBootstrap(() -> {
                    throw new IllegalStateException("of the test");
                })
                .bind(kind.anyPort())
                .syncUninterruptibly()
                .channel();
        Events events = new Events();
        ChannelFuture near = kind.newBootstrap(events).connect(listener.localAddress());
        await(log, "connect", near);
        log.tell("inactive at last", () -> {
            String event = events.next();
            return event.equals("inactive") ? event : events.next();
        });
        log.tell("listener", listener::isActive);
        ChannelFuture next = kind.newBootstrap(new Events()).connect(listener.localAddress());
        await(log, "connect again", next);
        next.channel().close().syncUninterruptibly();
        listener.close().syncUninterruptibly();
    }

    private static void outOfMemoryInTask(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Future<?> task = ends.near().eventLoop().submit((Runnable) () -> {
                throw new OutOfMemoryError("of the test");
            });
            await(log, "task", task);
            ends.near().eventLoop().execute(() -> {
                throw new OutOfMemoryError("of the test");
            });
            await(log, "write", ends.near().writeAndFlush(bytes(6)));
            log.tell("read", ends.farEvents()::read);
            log.tell("active", ends.near()::isActive);
        }
    }

    private static void exceptionInListener(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ChannelFuture written = ends.near().writeAndFlush(bytes(1));
            written.addListener(future -> {
                throw new IllegalStateException("of the test");
            });
            await(log, "write", written);
            log.tell("read", ends.farEvents()::read);
            await(log, "write again", ends.near().writeAndFlush(bytes(2)));
            log.tell("read again", ends.farEvents()::read);
        }
    }

    // ---- what handlers do

    private static Events acting(Consumer<ChannelHandlerContext> act) {
        return new Events() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                super.channelRead(context, message);
                act.accept(context);
            }
        };
    }

    private static void closeInRead(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect(new Events(), acting(ChannelHandlerContext::close), Map.of(), Map.of())) {
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            log.tell("read there", ends.farEvents()::read);
            log.tell("there", ends.farEvents()::next);
            log.tell("here", ends.nearEvents()::next);
        }
    }

    private static void writeAndCloseInRead(ChannelKind kind, CallLog log) throws Exception {
        Events answering = acting(context -> {
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[5_000]));
            context.close();
        });
        try (Ends ends = kind.connect(new Events(), answering, Map.of(), Map.of())) {
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            log.tell("answer", () -> ends.nearEvents().read(5_000));
            log.tell("here", ends.nearEvents()::next);
            log.tell("open", ends.near()::isOpen);
        }
    }

    private static void halfCloseInRead(ChannelKind kind, CallLog log) throws Exception {
        Events ending = acting(context -> ((DuplexChannel) context.channel()).shutdownOutput());
        try (Ends ends = kind.connect(new Events(), ending, Map.of(ChannelOption.ALLOW_HALF_CLOSURE, true), Map.of())) {
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
            log.tell("event", ends.nearEvents()::next);
            await(log, "write again", ends.near().writeAndFlush(bytes(2)));
            log.tell("read", () -> ends.farEvents().read(2));
            log.tell("active", ends.near()::isActive);
        }
    }

    private static void connectInRead(ChannelKind kind, CallLog log) throws Exception {
        LinkedBlockingQueue<Events> accepted = new LinkedBlockingQueue<>();
        Channel other = kind.listen(kind.anyPort(), accepted);
        LinkedBlockingQueue<ChannelFuture> connected = new LinkedBlockingQueue<>();
        Events connecting =
                acting(context -> connected.add(kind.newBootstrap(new Events()).connect(other.localAddress())));
        try (Ends ends = kind.connect(connecting, new Events(), Map.of(), Map.of())) {
            await(log, "write", ends.far().writeAndFlush(bytes(1)));
            ChannelFuture next = ChannelKind.await(connected);
            await(log, "connect", next);
            await(log, "write there", next.channel().writeAndFlush(bytes(4)));
            log.tell("read", () -> ChannelKind.await(accepted).read());
            next.channel().close().syncUninterruptibly();
        }
        other.close().syncUninterruptibly();
    }

    private static void closeInActive(ChannelKind kind, CallLog log) throws Exception {
        Events closing = new Events() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                super.channelActive(context);
                context.close();
            }
        };
        try (Ends ends = kind.connect(new Events(), closing, Map.of(), Map.of())) {
            log.tell("there", ends.farEvents()::next);
            log.tell("here", ends.nearEvents()::next);
            log.tell("open", ends.near()::isOpen);
        }
    }

    // ---- calls that wait

    private static void syncInLoop(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Future<?> waiting = ends.near()
                    .eventLoop()
                    .submit(() -> ends.near().closeFuture().sync());
            await(log, "sync", waiting);
            log.tell("active", ends.near()::isActive);
            await(log, "write", ends.near().writeAndFlush(bytes(1)));
        }
    }

    private static <T> FutureTask<T> start(Callable<T> work, List<Thread> threads) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "other");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return task;
    }

    private static void interruptWait(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            FutureTask<Object> waiting = start(
                    () -> {
                        begun.countDown();
                        return ends.near().closeFuture().sync().isSuccess();
                    },
                    threads);
            begun.await();
            threads.get(0).interrupt();
            log.await("sync", waiting);
            log.tell("active", ends.near()::isActive);
            await(log, "write", ends.near().writeAndFlush(bytes(7)));
            log.tell("read", ends.farEvents()::read);
        }
    }

    private static void waitWithTimeout(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.tell("wait", () -> ends.near().closeFuture().await(20));
            log.tell("active", ends.near()::isActive);
            await(log, "close", ends.near().close());
            log.tell("wait again", () -> ends.near().closeFuture().await(20));
        }
    }

    private static void readTimeout(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().pipeline().addFirst(new ReadTimeoutHandler(20, TimeUnit.MILLISECONDS));
            log.tell("caught", ends.nearEvents()::next);
            log.tell("here", ends.nearEvents()::next);
            log.tell("there", ends.farEvents()::next);
        }
    }

    private static void cancelWrite(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ByteBuf buffer = bytes(1);
            ChannelFuture first = ends.near().write(buffer);
            log.tell("cancel", () -> first.cancel(false));
            await(log, "write", ends.near().writeAndFlush(bytes(2)));
            log.tell("read", ends.farEvents()::read);
            log.tell("references", buffer::refCnt);
        }
    }

    private static void virtualWrite(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> writer = new FutureTask<>(
                    () -> ends.near().writeAndFlush(bytes(1)).sync().isSuccess());
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, writer);
            log.await("write", writer);
            log.tell("read", ends.farEvents()::read);
            log.tell("active", ends.near()::isActive);
        }
    }

    // ---- bytes

    private static void readLater(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect(Map.of(), Map.of(ChannelOption.AUTO_READ, false))) {
            await(log, "write", ends.near().writeAndFlush(bytes(1, 2, 3)));
            log.tell("nothing yet", ends.farEvents()::hasNoBytes);
            log.run("read", ends.far()::read);
            log.tell("bytes", () -> ends.farEvents().read(3));
            log.run("read all", () -> ends.far().config().setAutoRead(true));
            await(log, "write again", ends.near().writeAndFlush(bytes(4)));
            log.tell("byte", ends.farEvents()::read);
        }
    }

    private static void waterMarks(ChannelKind kind, CallLog log) throws Exception {
        WriteBufferWaterMark marks = new WriteBufferWaterMark(10, 100);
        try (Ends ends = kind.connect(Map.of(ChannelOption.WRITE_BUFFER_WATER_MARK, marks), Map.of())) {
            log.tell("at first", ends.near()::isWritable);
            ChannelFuture written = ends.near().write(Unpooled.wrappedBuffer(new byte[1_000]));
            ends.near().eventLoop().submit(() -> {}).syncUninterruptibly();
            log.tell("with bytes that wait", ends.near()::isWritable);
            log.run("flush", ends.near()::flush);
            await(log, "write", written);
            ends.near().eventLoop().submit(() -> {}).syncUninterruptibly();
            log.tell("afterwards", ends.near()::isWritable);
            log.tell("read", () -> ends.farEvents().read(1_000));
        }
    }

    private static void badMessages(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            await(log, "text", ends.near().writeAndFlush("text"));
            log.tell("null", () -> ends.near().writeAndFlush(null));
            ByteBuf released = bytes(1);
            released.release();
            await(log, "a released buffer", ends.near().writeAndFlush(released));
            log.tell("active", ends.near()::isActive);
            await(log, "nothing", ends.near().writeAndFlush(Unpooled.EMPTY_BUFFER));
        }
    }

    private static void kindsOfBuffers(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().write(bytes(1));
            ends.near().write(Unpooled.directBuffer(1).writeByte(2));
            ends.near().write(Unpooled.EMPTY_BUFFER);
            ends.near()
                    .write(Unpooled.wrappedBuffer(
                            bytes(3), Unpooled.directBuffer(1).writeByte(4)));
            await(log, "write", ends.near().writeAndFlush(bytes(5).asReadOnly()));
            log.tell("first", ends.farEvents()::read);
            log.tell("second", ends.farEvents()::read);
            log.tell("third", ends.farEvents()::read);
            log.tell("fourth", ends.farEvents()::read);
            log.tell("fifth", ends.farEvents()::read);
        }
    }

    private static void largeTransfer(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            byte[] sent = new byte[LARGE_BYTES];
            Arrays.fill(sent, (byte) 1);
            ChannelFuture there = ends.near().writeAndFlush(Unpooled.wrappedBuffer(sent));
            ChannelFuture back = ends.far().writeAndFlush(Unpooled.wrappedBuffer(sent));
            log.tell("read there", () -> ends.farEvents().read(LARGE_BYTES));
            log.tell("read back", () -> ends.nearEvents().read(LARGE_BYTES));
            await(log, "there", there);
            await(log, "back", back);
        }
    }

    private static void echo(ChannelKind kind, CallLog log) throws Exception {
        Events echoing = new Events() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                context.writeAndFlush(message);
            }
        };
        try (Ends ends = kind.connect(new Events(), echoing, Map.of(), Map.of())) {
            int wrong = 0;
            for (int i = 0; i < 200; i++) {
                ends.near().writeAndFlush(bytes(i));
                wrong += ends.nearEvents().read() == i ? 0 : 1;
            }
            log.add(wrong);
            await(log, "close", ends.near().close());
            log.tell("there", ends.farEvents()::next);
        }
    }

    // ---- options

    private static void options(ChannelKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Channel near = ends.near();
            tell(log, near, "TCP_NODELAY", ChannelOption.TCP_NODELAY, false);
            tell(log, near, "SO_KEEPALIVE", ChannelOption.SO_KEEPALIVE, true);
            tell(log, near, "SO_REUSEADDR", ChannelOption.SO_REUSEADDR, true);
            tell(log, near, "SO_LINGER", ChannelOption.SO_LINGER, 7);
            tell(log, near, "IP_TOS", ChannelOption.IP_TOS, 8);
            tell(log, near, "ALLOW_HALF_CLOSURE", ChannelOption.ALLOW_HALF_CLOSURE, true);
            tell(log, near, "CONNECT_TIMEOUT_MILLIS", ChannelOption.CONNECT_TIMEOUT_MILLIS, 1_234);
            tell(log, near, "AUTO_CLOSE", ChannelOption.AUTO_CLOSE, false);
            tell(log, near, "WRITE_SPIN_COUNT", ChannelOption.WRITE_SPIN_COUNT, 3);
            log.tell("SO_SNDBUF set", () -> near.config().setOption(ChannelOption.SO_SNDBUF, 100_000));
            log.tell("SO_RCVBUF set", () -> near.config().setOption(ChannelOption.SO_RCVBUF, 100_000));
            log.tell("SO_SNDBUF", () -> near.config().getOption(ChannelOption.SO_SNDBUF) >= 100_000);
            log.tell("SO_RCVBUF", () -> near.config().getOption(ChannelOption.SO_RCVBUF) >= 100_000);
            log.tell("SO_BACKLOG set", () -> near.config().setOption(ChannelOption.SO_BACKLOG, 5));
            log.tell("SO_BACKLOG", () -> near.config().getOption(ChannelOption.SO_BACKLOG));
            log.tell("null", () -> near.config().setOption(ChannelOption.SO_LINGER, null));
        }
    }

    private static <T> void tell(CallLog log, Channel channel, String name, ChannelOption<T> option, T value) {
        log.tell(name + " at first", () -> channel.config().getOption(option));
        log.tell(name + " set", () -> channel.config().setOption(option, value));
        log.tell(name, () -> channel.config().getOption(option));
    }

    private static void optionsOfListeners(ChannelKind kind, CallLog log) {
        Channel listener = kind.listen(new InetSocketAddress(kind.serverAddress(), 0), new LinkedBlockingQueue<>());
        tell(log, listener, "SO_REUSEADDR", ChannelOption.SO_REUSEADDR, true);
        log.tell("SO_BACKLOG set", () -> listener.config().setOption(ChannelOption.SO_BACKLOG, 5));
        log.tell("SO_BACKLOG", () -> listener.config().getOption(ChannelOption.SO_BACKLOG));
        log.tell("SO_RCVBUF set", () -> listener.config().setOption(ChannelOption.SO_RCVBUF, 100_000));
        log.tell("TCP_NODELAY set", () -> listener.config().setOption(ChannelOption.TCP_NODELAY, true));
        log.tell("TCP_NODELAY", () -> listener.config().getOption(ChannelOption.TCP_NODELAY));
        log.tell("negative backlog", () -> listener.config().setOption(ChannelOption.SO_BACKLOG, -1));
        listener.close().syncUninterruptibly();
    }
}
