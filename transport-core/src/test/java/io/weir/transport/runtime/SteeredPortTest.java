package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Egress;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.runtime.LoopFakes.CountingWaiter;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@link SteeredPort}: two hosts with several loops each, which one thread runs in turns by a virtual clock, so
 * that every run is the same.
 */
class SteeredPortTest {
    private static final int SERVER_PORT = 4720;
    private static final int CLIENT_PORT = 50_000;
    private static final long CLIENT_MAC = 0x02_00_00_00_00_01L;
    private static final long SERVER_MAC = 0x02_00_00_00_00_02L;
    private static final IpAddress CLIENT = IpAddress.v4(0x0A00_0001);
    private static final IpAddress SERVER = IpAddress.v4(0x0A00_0002);
    private static final long LINK_RATE_BPS = 1_000_000_000L;
    private static final long STEP_NANOS = 2_000;
    private static final int STREAM_BYTES = 60_000;
    private static final int CYCLES_MAX = 200_000;

    /** Two hosts of several loops. What a client's loop sends comes to the server's loop that is shifted by some. */
    private static final class World implements AutoCloseable {
        private final int loopCount;
        private final List<FramePool> pools = new ArrayList<>();
        private final List<HostStack> clients = new ArrayList<>();
        private final List<HostStack> servers = new ArrayList<>();
        private final List<StreamProbe> accepted = new ArrayList<>();
        private final List<StreamProbe> opened = new ArrayList<>();
        private final List<NodeAgent> agents = new ArrayList<>();
        private final SeededRandom random = new SeededRandom(7);
        private long nowNanos;

        World(int loopCount, int shift) {
            this.loopCount = loopCount;
            SteeredPort.Group clientGroup = new SteeredPort.Group(loopCount, LINK_RATE_BPS);
            SteeredPort.Group serverGroup = new SteeredPort.Group(loopCount, LINK_RATE_BPS);
            List<MemoryLink> links = new ArrayList<>();
            for (int i = 0; i < 2 * loopCount; i++) {
                pools.add(new FramePool(1024, 2048, true));
            }
            for (int i = 0; i < loopCount; i++) {
                links.add(new MemoryLink(
                        MemoryLink.info("client", CLIENT_MAC, 1500, LINK_RATE_BPS),
                        pools.get(i),
                        MemoryLink.info("server", SERVER_MAC, 1500, LINK_RATE_BPS),
                        pools.get(loopCount + (i + shift) % loopCount)));
            }
            for (int i = 0; i < loopCount; i++) {
                clients.add(join(clientGroup, links.get(i).left(), pools.get(i), CLIENT_MAC, CLIENT));
                MemoryLink link = links.get(Math.floorMod(i - shift, loopCount));
                servers.add(join(serverGroup, link.right(), pools.get(loopCount + i), SERVER_MAC, SERVER));
                servers.get(i).listen(SERVER_PORT, connection -> {
                    StreamProbe probe = new StreamProbe(2, STREAM_BYTES, 1);
                    accepted.add(probe);
                    return probe;
                });
            }
        }

        private HostStack join(
                SteeredPort.Group group, MemoryLink.MemoryPort port, FramePool pool, long mac, IpAddress address) {
            HostConfig config =
                    HostConfig.builder(mac, List.of(address), LINK_RATE_BPS).build();
            HostStack host = new HostStack(
                    config, pool, List.of(ExpressPass.weir().newFactory(random.split())), random::nextLong);
            SteeredPort steered = group.join(
                    port,
                    pool,
                    wasTaken -> host.counters()
                            .increment(wasTaken ? CounterId.FRAMES_HANDED_OVER : CounterId.DROP_HANDED_OVER),
                    host.network()::setLinkShare);
            CycleMonitor monitor = new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, CycleMonitor.GAP_NANOS_MIN);
            agents.add(new NodeAgent(
                    "loop" + agents.size(),
                    List.of(new NodeBinding(host, List.of(steered))),
                    () -> nowNanos,
                    new LoopTasks(problem -> {
                        throw new AssertionError(problem);
                    }),
                    monitor));
            return host;
        }

        /** Opens a connection from a port of the loop's. */
        void connect(int loopIndex) {
            Path path;
            int port = CLIENT_PORT + opened.size();
            do {
                path = Path.from(CLIENT_MAC, CLIENT, port).to(SERVER_MAC, SERVER, SERVER_PORT);
                port += 100;
            } while (FlowSteering.loopOf(path, loopCount) != loopIndex);
            StreamProbe probe = new StreamProbe(1, STREAM_BYTES, 2);
            clients.get(loopIndex).tick(nowNanos);
            clients.get(loopIndex).connect(path, probe);
            opened.add(probe);
        }

        void runToTheEnd() {
            for (int cycle = 0; cycle < CYCLES_MAX && !isOver(); cycle++) {
                nowNanos += STEP_NANOS;
                agents.forEach(NodeAgent::doWork);
            }
            assertTrue(isOver(), "some connections did not end");
        }

        private boolean isOver() {
            return clients.stream().allMatch(host -> host.connectionCount() == 0)
                    && servers.stream().allMatch(host -> host.connectionCount() == 0);
        }

        long sum(List<HostStack> hosts, CounterId id) {
            return hosts.stream().mapToLong(host -> host.counters().get(id)).sum();
        }

        @Override
        public void close() {
            clients.forEach(HostStack::close);
            servers.forEach(HostStack::close);
            pools.forEach(pool -> assertEquals(pool.frameCount(), pool.available(), "frames left"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "2, 1", "4, 0", "4, 1", "8, 3"})
    void pollReceive_manyConnections_eachIsWholeAndOfItsLoop(int loopCount, int shift) {
        try (World world = new World(loopCount, shift)) {
            for (int i = 0; i < 4 * loopCount; i++) {
                world.connect(i % loopCount);
            }
            world.runToTheEnd();
            assertEquals(world.opened.size(), world.accepted.size());
            for (List<StreamProbe> probes : List.of(world.opened, world.accepted)) {
                for (StreamProbe probe : probes) {
                    assertEquals(STREAM_BYTES, probe.receivedBytes());
                    assertEquals(-1, probe.firstMismatch());
                    assertEquals(CloseReason.FINISHED, probe.closeReason());
                }
            }
            for (HostStack server : world.servers) {
                assertEquals(4, server.counters().get(CounterId.CONNECTIONS_OPENED));
            }
            assertEquals(0, world.sum(world.servers, CounterId.DROP_TAG));
            boolean isHandedOver = world.sum(world.servers, CounterId.FRAMES_HANDED_OVER) > 0;
            assertEquals(shift > 0, isHandedOver);
        }
    }

    @Test
    void pollReceive_sameRunAgain_isTheSame() {
        assertEquals(fingerprint(), fingerprint());
    }

    private static String fingerprint() {
        try (World world = new World(4, 1)) {
            for (int i = 0; i < 8; i++) {
                world.connect(i % 4);
            }
            world.runToTheEnd();
            StringBuilder text = new StringBuilder();
            text.append(world.nowNanos);
            world.clients.forEach(host -> text.append(host.counters()));
            world.servers.forEach(host -> text.append(host.counters()));
            return text.toString();
        }
    }

    /** Loops meter credits each: what they grant together must not exceed the link by more than a first interval. */
    @Test
    void share_allLoopsReceive_togetherTheyAskForTheLink() {
        for (int loopCount : new int[] {1, 2, 4}) {
            try (World world = new World(loopCount, 0)) {
                for (int i = 0; i < 16; i++) {
                    world.connect(i % loopCount);
                }
                world.runToTheEnd();
                long bits = 16L * STREAM_BYTES * 8;
                long leastNanos = bits * 1_000_000_000L / LINK_RATE_BPS;
                // A transport whose loops each took the whole link would be done in a part of that time.
                assertTrue(world.nowNanos > leastNanos * 9 / 10, loopCount + " loops: " + world.nowNanos);
            }
        }
    }

    @Test
    void pollReceive_anyNumberOfFramesForOtherLoops_wakesEachOfThemOnce() {
        FramePool pool = new FramePool(256, 2048, true);
        List<CountingWaiter> waiters = new ArrayList<>();
        List<SteeredPort> ports = new ArrayList<>();
        SteeredPort.Group group = new SteeredPort.Group(3, LINK_RATE_BPS);
        MemoryLink link = null;
        for (int i = 0; i < 3; i++) {
            MemoryLink own = new MemoryLink(
                    MemoryLink.info("client", CLIENT_MAC, 1500, LINK_RATE_BPS),
                    pool,
                    MemoryLink.info("server", SERVER_MAC, 1500, LINK_RATE_BPS),
                    pool);
            link = i == 0 ? own : link;
            waiters.add(new CountingWaiter());
            ports.add(group.join(own.right(), pool, wasTaken -> assertTrue(wasTaken), (sent, received, now) -> {}));
            ports.get(i).setWaiter(waiters.get(i));
        }
        for (int round = 1; round <= 5; round++) {
            for (int frames = 0; frames < round; frames++) {
                link.left().transmit(frameOf(pool, 1));
                link.left().transmit(frameOf(pool, 2));
            }
            ports.get(0).pollReceive(new Sink(), 0, 64, 0);
            for (int other = 1; other < 3; other++) {
                assertEquals(round, waiters.get(other).wakes.get(), round + " frames for loop " + other);
                assertEquals(round, ports.get(other).pollReceive(new Sink(), 0, 64, 0));
            }
        }
        assertEquals(0, waiters.get(0).wakes.get());
        assertEquals(pool.frameCount(), pool.available());
    }

    /** {@return a frame of a connection that is loop {@code loopIndex}'s, of three} */
    private static Frame frameOf(FramePool pool, int loopIndex) {
        int port = CLIENT_PORT;
        Path path = Path.from(CLIENT_MAC, CLIENT, port).to(SERVER_MAC, SERVER, SERVER_PORT);
        while (FlowSteering.loopOf(path, 3) != loopIndex) {
            port++;
            path = Path.from(CLIENT_MAC, CLIENT, port).to(SERVER_MAC, SERVER, SERVER_PORT);
        }
        Frame frame = pool.allocate();
        HeaderTemplate template = new HeaderTemplate(path);
        template.begin(frame, 0);
        template.finish(frame, 20, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        return frame;
    }

    private static final class Sink implements UntimedNode {
        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
        }

        @Override
        public Egress egress(int portIndex) {
            throw new AssertionError("nothing is polled");
        }
    }
}
