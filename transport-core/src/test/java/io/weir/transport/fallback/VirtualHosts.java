package io.weir.transport.fallback;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Two hosts with a real transport each, on one thread and one clock: a cycle of a host's loop takes next to no time,
 * and time passes when neither has work. Head starts, and what a test plans, are due at the time that they say.
 */
final class VirtualHosts implements AutoCloseable {
    static final long MILLISECOND = 1_000_000;
    static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", 4720);

    /** What one look at the clock takes, so that what waits by it comes to an end. */
    private static final long TICK_NANOS = 100;

    private final Transport client;
    private final Transport server;
    private final Fallback atClient;
    private final Fallback atServer;
    private final PriorityQueue<Plan> plans = new PriorityQueue<>();
    /** The time of everything here. */
    private long nowNanos;
    /** How many plans there were: those of one time are due in their order. */
    private long planCount;
    /** Whether the server's loop has cycles; frames to it wait meanwhile. */
    private boolean isServerRunning = true;

    /** What is done at a time. */
    private record Plan(long atNanos, long number, Runnable work) implements Comparable<Plan> {
        @Override
        public int compareTo(Plan other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Creates hosts of which each prefers, or wants, Weir for the other one. */
    VirtualHosts(Preference preference, Duration headStart) throws IOException, RuleException {
        TransportConfig config =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        client = Transport.open(pair.get(0), left, config, this::tick);
        server = Transport.open(pair.get(1), right, config, this::tick);
        String rules = "both 10.0.0.0/8 * " + preference + " interface=m";
        atClient = fallback(rules, client, headStart);
        atServer = fallback(rules, server, headStart);
    }

    private Fallback fallback(String rules, Transport transport, Duration headStart) throws RuleException {
        return new Fallback(
                Rules.parse("test", rules), Map.of("m", transport), Map.of(), this::plan, headStart, this::nowNanos);
    }

    private long tick() {
        nowNanos += TICK_NANOS;
        return nowNanos;
    }

    Transport client() {
        return client;
    }

    Transport server() {
        return server;
    }

    Fallback atClient() {
        return atClient;
    }

    Fallback atServer() {
        return atServer;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** {@return what takes it back: something is done so long from now} */
    Runnable plan(long nanos, Runnable work) {
        Plan made = new Plan(nowNanos + nanos, planCount++, work);
        plans.add(made);
        return () -> plans.remove(made);
    }

    /** Has the server's host stop, as one that crashed or is behind a firewall, or go on. */
    void runServer(boolean isRunning) {
        isServerRunning = isRunning;
    }

    /** Does what is due. */
    void runDue() {
        while (!plans.isEmpty() && plans.peek().atNanos() <= nowNanos) {
            plans.poll().work().run();
        }
    }

    /** Lets so much time pass. */
    void pass(long nanos) {
        long endNanos = nowNanos + nanos;
        while (nowNanos < endNanos) {
            int work = client.runOnce() + (isServerRunning ? server.runOnce() : 0);
            runDue();
            if (work == 0) {
                long nextNanos = plans.isEmpty()
                        ? endNanos
                        : Math.min(endNanos, plans.peek().atNanos());
                nowNanos = Math.max(nowNanos, Math.min(nowNanos + MILLISECOND, nextNanos));
            }
        }
        runDue();
    }

    @Override
    public void close() {
        client.close(Duration.ZERO);
        server.close(Duration.ZERO);
    }
}
