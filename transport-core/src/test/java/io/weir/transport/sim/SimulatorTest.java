package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Simulator}, {@link SimNode} and {@link SimLink}. */
class SimulatorTest {
    private static final long MILLISECOND = 1_000_000;

    /** {@return a hash over every byte of every frame that starts on a link, and over the time} */
    private static long traceHash(long seed) {
        long[] hash = {1};
        try (TestNetwork network = new TestNetwork(seed, 1_000_000_000L, ExpressPass.weir())
                .impaired(
                        Fault.Impairment.NONE
                                .withLoss(50_000)
                                .withDuplicates(10_000)
                                .withReordering(20_000, 50_000)
                                .withCorruption(10_000),
                        Long.MAX_VALUE)
                .star(4, 5_000, builder -> builder)) {
            network.simulator().setTrace((link, frame, now) -> {
                long h = hash[0] * 31 + now;
                for (int i = 0; i < frame.length(); i++) {
                    h = h * 0x9E3779B97F4A7C15L + frame.buffer().getByte(frame.offset() + i);
                }
                hash[0] = h;
            });
            for (int i = 0; i < 3; i++) {
                network.connect(i * 100_000L, 1 + i, 4, new StreamProbe(i, 100_000, i), new StreamProbe(i, 50_000, i));
            }
            network.simulator().run(50 * MILLISECOND);
            return hash[0] * 31 + network.simulator().eventCount();
        }
    }

    @Test
    void run_sameSeed_givesTheSameTrace() {
        for (long seed = 1; seed <= 5; seed++) {
            assertEquals(traceHash(seed), traceHash(seed));
        }
        assertNotEquals(traceHash(1), traceHash(2));
    }

    @Test
    void run_equalTimes_happenInTheOrderOfTheirScheduling() {
        List<Integer> order = new ArrayList<>();
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(1_000)) {
            for (int i = 0; i < 50; i++) {
                int number = i;
                network.simulator().at(1_000 - i / 10 * 100L, network.host(1), () -> order.add(number));
            }
            network.simulator().run(1_000);
        }
        List<Integer> expected = new ArrayList<>();
        for (int tens = 4; tens >= 0; tens--) {
            for (int i = 0; i < 10; i++) {
                expected.add(10 * tens + i);
            }
        }
        assertEquals(expected, order);
    }

    @Test
    void link_frames_arriveAfterSerializationAndPropagation() {
        List<Long> departures = new ArrayList<>();
        long[] opened = new long[1];
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(10_000)) {
            network.simulator().setTrace((link, frame, now) -> departures.add(now));
            network.connect(0, 1, 2, new StreamProbe(1, 0, 2), new StreamProbe(2, 0, 1));
            network.simulator().run(MILLISECOND);
            opened[0] = departures.get(1);
        }
        // An OPEN of 114 B takes 912 ns, and the CHALLENGE leaves at once.
        assertEquals(0, departures.get(0));
        assertEquals(912 + 10_000, opened[0]);
    }

    @Test
    void link_filter_losesWhatItRefuses() {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(10_000)) {
            network.host(1).link(0).setFilter((frame, now) -> false);
            StreamProbe client = new StreamProbe(1, 100, 2);
            network.connect(0, 1, 2, client, new StreamProbe(2, 0, 1));
            network.simulator().run(100 * MILLISECOND);
            assertTrue(network.host(1).link(0).framesCarried() > 1);
            assertEquals(0, network.stack(2).connectionCount());
            assertEquals(-1, client.firstByteNanos());
        }
    }

    @Test
    void run_everyStep_theLedgerOfFramesIsExact() {
        try (TestNetwork network =
                new TestNetwork(3, 1_000_000_000L, ExpressPass.weir(), 512).star(3, 5_000, builder -> builder)) {
            network.connect(0, 1, 3, BulkFlow.sender(), BulkFlow.receiver());
            network.connect(0, 2, 3, BulkFlow.sender(), BulkFlow.receiver());
            for (long now = 0; now < 20 * MILLISECOND; now += 10_000) {
                network.simulator().run(now);
                int held = network.pool().frameCount() - network.pool().available();
                assertEquals(held, network.pool().count(FrameOwner.HELD));
                assertTrue(held < 100, held + " frames in a network that holds few");
            }
        }
    }

    @Test
    void connect_portTwice_isRefused() {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(10_000)) {
            SimPort a = network.host(1).port(0);
            SimPort b = network.host(2).port(0);
            assertThrows(IllegalStateException.class, () -> network.simulator().connect(a, b, 1_000_000_000L, 0));
        }
    }

    /** A Node that has one frame to send from the beginning, and a deadline that its departure sets. */
    private static final class Starter implements Node, Egress {
        private final List<String> log = new ArrayList<>();
        private final FramePool pool;
        private final long readyNanos;
        private long deadlineNanos;
        private boolean isSent;

        Starter(FramePool pool, long readyNanos, long deadlineNanos) {
            this.pool = pool;
            this.readyNanos = readyNanos;
            this.deadlineNanos = deadlineNanos;
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
            log.add(nowNanos + " frame");
            deadlineNanos = nowNanos;
            isSent = false;
        }

        @Override
        public void onTimeout(long nowNanos) {
            log.add(nowNanos + " timeout");
            deadlineNanos = Deadline.NO_DEADLINE;
        }

        @Override
        public long nextTimeoutNanos() {
            return deadlineNanos;
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            if (isSent || nowNanos < readyNanos) {
                return null;
            }
            log.add(nowNanos + " sends");
            isSent = true;
            deadlineNanos = nowNanos + 500;
            Frame frame = pool.allocate();
            frame.setExtent(0, Frame.LENGTH_BYTES_MIN);
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return isSent ? Deadline.NO_DEADLINE : Math.max(readyNanos, nowNanos);
        }

        @Override
        public Egress egress(int portIndex) {
            return this;
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {}
    }

    private static void play(Starter left, Starter right, long untilNanos) {
        Simulator simulator = new Simulator();
        SimNode leftNode = simulator.add("left", left);
        SimNode rightNode = simulator.add("right", right);
        simulator.connect(leftNode.port(0), rightNode.port(0), 1_000_000_000L, 10_000);
        simulator.run(untilNanos);
        simulator.close();
    }

    @Test
    void link_departureByItself_deadlineThatItSetsIsMet() {
        FramePool pool = new FramePool(8, 256);
        Starter left = new Starter(pool, 1_000, Deadline.NO_DEADLINE);
        play(left, new Starter(pool, Deadline.NO_DEADLINE, Deadline.NO_DEADLINE), 9_000);
        assertEquals(List.of("1000 sends", "1500 timeout"), left.log);
    }

    @Test
    void node_frameMakesSomethingDue_isDoneBeforeAnythingLeaves() {
        FramePool pool = new FramePool(8, 256);
        Starter right = new Starter(pool, 5_000, Deadline.NO_DEADLINE);
        play(new Starter(pool, 0, Deadline.NO_DEADLINE), right, 10_700);
        assertEquals(List.of("5000 sends", "5500 timeout", "10672 frame", "10672 timeout", "10672 sends"), right.log);
    }

    /** {@return when each frame started on which link, and how long it was} */
    private static List<String> departures(Payload payload) {
        List<String> departures = new ArrayList<>();
        try (TestNetwork network = new TestNetwork(4, 1_000_000_000L, ExpressPass.weir())
                .hostOptions(builder -> builder.payload(payload))
                .star(3, 5_000, builder -> builder)) {
            network.simulator()
                    .setTrace((link, frame, now) -> departures.add(
                            now + " " + link.from() + " " + frame.wireBytes() + " " + frame.frameBytes()));
            network.connect(0, 1, 3, BulkFlow.sender(), BulkFlow.receiver());
            network.connect(10_000, 2, 3, BulkFlow.sender(), BulkFlow.receiver());
            network.simulator().run(10 * MILLISECOND);
        }
        return departures;
    }

    @Test
    void run_payloadElided_sendsTheSameFramesAtTheSameTimes() {
        List<String> carried = departures(Payload.CARRIED);
        assertTrue(carried.size() > 2_000, carried.size() + " frames");
        assertEquals(carried, departures(Payload.ELIDED));
    }

    @Test
    void link_receiveDelay_holdsFramesBackInTheirOrder() {
        List<Long> sent = new ArrayList<>();
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(10_000)) {
            network.simulator().setTrace((link, frame, now) -> sent.add(now));
            network.host(2).setReceiveDelay(() -> 7_000);
            network.connect(0, 1, 2, new StreamProbe(1, 0, 2), new StreamProbe(2, 0, 1));
            network.simulator().run(MILLISECOND);
        }
        assertEquals(912 + 10_000 + 7_000, sent.get(1));
    }
}
