package io.weir.transport.threads;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * One seeded run: two transports with two to six loops in all, four threads of the application's and one that
 * interferes, at least fifty calls.
 */
final class ThreadLab {
    static final int OPERATIONS_MIN = 50;
    private static final int CLIENTS = 2;
    private static final int SERVERS = 2;
    private static final int TALKS_PER_CLIENT = 4;
    private static final int FRAMES = 512;
    private static final long RATE_BPS = 10_000_000_000L;
    /** Gives the turn to others before anything is checked that their last steps change. */
    private static final long REST_NANOS = 100_000;

    /** A sleep begins so late at most, when its thread loses its core before it. */
    private static final long LATE_NANOS_MAX = 5_000_000;

    private final ThreadOrder order;
    private final Random random;
    private final List<Transport> transports = new ArrayList<>();
    private final List<FramePool> pools = new ArrayList<>();
    private final List<Backend.Opened> queues = new ArrayList<>();
    private boolean isOver;
    private Talkers talkers;

    private ThreadLab(ThreadOrder order, long seed) {
        this.order = order;
        this.random = new Random(seed);
    }

    /** {@return why the run of a seed failed, or null} */
    static String play(long seed) throws InterruptedException {
        ThreadOrder order = playOrder(seed);
        if (order.cause() != null && Boolean.getBoolean("weir.lab.trace")) {
            order.cause().printStackTrace();
        }
        return order.failure() == null ? null : "seed " + seed + ": " + order.failure();
    }

    /** {@return a number that says which turns the threads took, the same in every run of a seed} */
    static long hash(long seed) throws InterruptedException {
        return playOrder(seed).hash();
    }

    private static ThreadOrder playOrder(long seed) throws InterruptedException {
        TurnCalls.resetHashes();
        SeededBytes.seed(seed);
        ThreadOrder order = new ThreadOrder(seed);
        ThreadLab lab = new ThreadLab(order, seed);
        order.run(lab::run);
        return order;
    }

    private void run() {
        try {
            open();
            converse();
            close();
        } catch (IOException e) {
            order.fail("the laboratory itself failed: " + e, e);
        }
        check();
    }

    private void open() throws IOException {
        int queueCount = 1 + random.nextInt(3);
        int shift = queueCount == 1 ? 0 : random.nextInt(queueCount);
        List<List<Backend.Opened>> sides = MemoryNetwork.pairWithQueues(queueCount, shift, FRAMES, RATE_BPS);
        for (List<Backend.Opened> side : sides) {
            queues.addAll(side);
            side.forEach(queue -> pools.add(queue.pool()));
            IdleMode mode = random.nextInt(4) == 0 ? IdleMode.BUSY_SPIN : IdleMode.BACK_OFF;
            if (queueCount == 1 && transports.isEmpty() && random.nextInt(3) == 0) {
                mode = IdleMode.INVOKER;
            }
            if (mode == IdleMode.BUSY_SPIN) {
                order.hasten();
            }
            transports.add(Transport.open(side, config(mode)));
        }
        for (Transport transport : transports) {
            for (EventLoop loop : transport.loops()) {
                order.watch(() -> sleeper(loop));
            }
        }
        Transport client = transports.get(0);
        if (client.loop().isInvoker()) {
            order.start(new TurnThread(() -> invoke(client.loop()), "invoker"));
        }
    }

    private TransportConfig config(IdleMode mode) {
        int sendBytes = 1 << (13 + random.nextInt(4));
        int receiveBytes = 1 << (13 + random.nextInt(4));
        int initialBytes = Math.min(sendBytes, receiveBytes);
        return TransportConfig.builder()
                .idleMode(mode)
                .streams(StreamLimits.fixed(sendBytes, receiveBytes)
                        .withBufferBytesInitial(initialBytes)
                        .withMemoryBytesMax(1L << 22)
                        .withGapsMax(64)
                        .withFramesInFlightMax(256)
                        .withAckFrames(16))
                .build();
    }

    private void invoke(EventLoop loop) {
        loop.adopt();
        while (!isOver && !loop.isClosed()) {
            loop.runOnceAndIdle(1_000_000);
        }
    }

    private void converse() throws IOException {
        List<Talk> talks = new ArrayList<>();
        for (int i = 0; i < CLIENTS * TALKS_PER_CLIENT; i++) {
            talks.add(new Talk(i, random));
        }
        talkers = new Talkers(order, transports.get(0), transports.get(1).listen(Talkers.PORT), talks);
        List<TurnThread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            List<Talk> mine = talks.subList(i * TALKS_PER_CLIENT, (i + 1) * TALKS_PER_CLIENT);
            clients.add(new TurnThread(() -> talkers.converse(mine), "client " + i));
        }
        List<TurnThread> servers = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new TurnThread(talkers::serve, "server " + i));
        }
        List<TurnThread> all = new ArrayList<>(clients);
        all.addAll(servers);
        Disturber disturber = new Disturber(order, talkers, talks, List.copyOf(all), transports);
        TurnThread disturbing = new TurnThread(disturber::disturb, "disturber");
        all.add(disturbing);
        all.forEach(order::start);
        clients.add(disturbing);
        clients.forEach(this::await);
        var listener = talkers.listener();
        talkers.setListener(null);
        listener.close();
        servers.forEach(this::await);
    }

    private void await(TurnThread thread) {
        if (!order.waitFor(thread::hasEnded, ThreadOrder.NO_DEADLINE)) {
            order.fail(thread + " does not end", null);
        }
    }

    private void close() {
        // Nobody tells the invoker's loop to end before the transport's close has run it.
        for (Transport transport : random.nextBoolean() ? transports : List.of(transports.get(1), transports.get(0))) {
            transport.close(Duration.ofMillis(20L * random.nextInt(2)));
        }
        isOver = true;
        order.sleep(REST_NANOS);
    }

    private void check() {
        for (FramePool pool : pools) {
            if (pool.available() != pool.frameCount()) {
                order.fail((pool.frameCount() - pool.available()) + " frames are left somewhere", null);
            }
        }
        for (Transport transport : transports) {
            for (HostStack host : transport.hostStacks()) {
                long bytes = host.bufferBudget().bytesInUse();
                if (bytes != 0) {
                    order.fail(bytes + " bytes of the buffers' budget are left somewhere", null);
                }
            }
        }
        if (talkers.operationCount() < OPERATIONS_MIN && order.failure() == null && !talkers.isCutShort()) {
            order.fail("only " + talkers.operationCount() + " operations", null);
        }
    }

    // ---- what nobody may sleep through; while no thread can run

    @SuppressWarnings("unchecked") // what bindings() returns
    private String sleeper(EventLoop loop) {
        if (loop.isClosed()) {
            return null;
        }
        Object tasks = Talkers.field(loop, "tasks");
        if (!(boolean) call(tasks, "isEmpty")) {
            return loop.name() + " sleeps while a task waits";
        }
        for (NodeBinding binding : (List<NodeBinding>) call(Talkers.field(loop, "ending"), "bindings")) {
            for (NetPort port : binding.ports()) {
                if (hasFrames(port)) {
                    return loop.name() + " sleeps while frames wait";
                }
            }
        }
        return sleepsTooLong(loop) ? loop.name() + " sleeps beyond its deadline" : null;
    }

    private boolean sleepsTooLong(EventLoop loop) {
        long untilNanos = order.sleepsUntilNanos(loop.name());
        if (untilNanos < 0) {
            return false;
        }
        long offsetNanos = order.nowNanos() - ((LongSupplier) Talkers.field(loop, "clock")).getAsLong();
        long dueNanos = (long) call(Talkers.field(loop, "agent"), "deadlineNanos");
        return dueNanos < Long.MAX_VALUE / 2 && dueNanos + offsetNanos + LATE_NANOS_MAX < untilNanos;
    }

    private static boolean hasFrames(Object port) {
        Object below = port;
        while (!(below instanceof MemoryLink.MemoryPort)) {
            for (Object ring : (Object[]) Talkers.field(below, "incoming")) {
                if ((boolean) call(ring, "hasNext")) {
                    return true;
                }
            }
            below = below instanceof ForwardingPort
                    ? Talkers.field(below, ForwardingPort.class, "port")
                    : Talkers.field(below, "port");
        }
        return (boolean) call(Talkers.field(below, "incoming"), "hasNext");
    }

    private static Object call(Object object, String name) {
        try {
            Method method = object.getClass().getDeclaredMethod(name);
            method.setAccessible(true);
            return method.invoke(object);
        } catch (InvocationTargetException e) {
            throw new LinkageError(name, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(object + " has no method " + name, e);
        }
    }
}
