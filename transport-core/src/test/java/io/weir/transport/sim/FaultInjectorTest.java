package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link FaultInjector} with numbered frames of equal length, one every 1000 ns. */
class FaultInjectorTest {
    private static final long RATE_BPS = 1_000_000_000L;
    private static final int LENGTH_BYTES = 101;
    private static final long FRAME_NANOS = 1_000;
    private static final long PROPAGATION_NANOS = 5_000;
    private static final int COUNT = 10_000;

    private final FramePool pool = new FramePool(256, 2048, true);
    private final Simulator simulator = new Simulator();
    private final Source source = new Source();
    private final Sink sink = new Sink();
    private final FaultInjector injector = new FaultInjector(new SeededRandom(7), Payload.CARRIED);

    private void play() {
        play(injector);
    }

    private void play(FaultInjector fault) {
        SimNode from = simulator.add("from", source);
        SimNode to = simulator.add("to", sink);
        simulator.connect(from.port(0), to.port(0), RATE_BPS, PROPAGATION_NANOS);
        from.link(0).setFault(fault);
        for (long now = 0; now <= COUNT * FRAME_NANOS * 2; now += 50_000) {
            simulator.run(now);
            assertEquals(pool.frameCount() - pool.available(), simulator.framesInFlight());
        }
    }

    @AfterEach
    void everyFrame_isBackInThePool() {
        simulator.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onDeparture_noFault_deliversEachInOrderAfterSerializationAndPropagation() {
        play();
        assertEquals(COUNT, sink.numbers.size());
        for (int i = 0; i < COUNT; i++) {
            assertEquals(i, sink.numbers.get(i));
            assertEquals((i + 1) * FRAME_NANOS + PROPAGATION_NANOS, sink.nanos.get(i));
        }
    }

    @Test
    void impair_loss_losesThatShareOfItsTimeOnly() {
        injector.impair(2_000 * FRAME_NANOS, 6_000 * FRAME_NANOS, Impairment.NONE.withLoss(250_000));
        play();
        assertEquals(COUNT - injector.framesLost(), sink.numbers.size());
        assertEquals(1_000.0, (double) injector.framesLost(), 100);
        assertEquals(2_000, sink.numbers.subList(0, 2_000).size());
        assertEquals(1_999, sink.numbers.get(1_999));
        assertEquals(
                COUNT - 4_000,
                sink.numbers.stream().filter(n -> n < 2_000 || n >= 6_000).count());
    }

    @Test
    void impair_bursts_loseFramesInARow() {
        injector.impair(0, Long.MAX_VALUE, Impairment.NONE.withBursts(10_000, 100_000));
        play();
        int gapCount = 0;
        for (int i = 1; i < sink.numbers.size(); i++) {
            gapCount += sink.numbers.get(i) == sink.numbers.get(i - 1) + 1 ? 0 : 1;
        }
        double framesPerBurst = (double) injector.framesLost() / gapCount;
        assertEquals(10, framesPerBurst, 3);
    }

    @Test
    void impair_duplicates_arriveTwice() {
        injector.impair(0, Long.MAX_VALUE, Impairment.NONE.withDuplicates(100_000));
        play();
        assertEquals(COUNT + injector.framesCopied(), sink.numbers.size());
        assertEquals(COUNT / 10.0, (double) injector.framesCopied(), 150);
        assertEquals(COUNT, sink.numbers.stream().distinct().count());
    }

    @Test
    void impair_reordering_holdsSomeBackUpToTheLimit() {
        injector.impair(0, Long.MAX_VALUE, Impairment.NONE.withReordering(200_000, 10_000));
        play();
        long overtakenCount = 0;
        long heldNanosMax = 0;
        for (int i = 0; i < COUNT; i++) {
            int number = sink.numbers.get(i);
            heldNanosMax = Math.max(heldNanosMax, sink.nanos.get(i) - (number + 1) * FRAME_NANOS - PROPAGATION_NANOS);
            overtakenCount += i > 0 && number < sink.numbers.get(i - 1) ? 1 : 0;
        }
        assertEquals(COUNT, sink.numbers.stream().distinct().count());
        assertTrue(overtakenCount > COUNT / 20, overtakenCount + " overtaken");
        assertTrue(heldNanosMax > 9_000 && heldNanosMax <= 10_000, heldNanosMax + " ns");
        assertEquals(COUNT / 5.0, (double) injector.framesDelayed(), 200);
    }

    @Test
    void impair_delay_isAddedToEveryFrame() {
        injector.impair(0, Long.MAX_VALUE, Impairment.NONE.withDelayNanos(3_000));
        play();
        for (int i = 0; i < COUNT; i++) {
            assertEquals((i + 1) * FRAME_NANOS + PROPAGATION_NANOS + 3_000, sink.nanos.get(i));
        }
    }

    @Test
    void impair_corruption_changesOneToFourBytes() {
        injector.impair(0, Long.MAX_VALUE, Impairment.NONE.withCorruption(100_000));
        play();
        assertEquals(COUNT / 10.0, (double) injector.framesDamaged(), 150);
        long damaged = sink.wrongBytes.stream().filter(count -> count > 0).count();
        // A quarter are words that change places: in these frames mostly equal ones.
        assertEquals(injector.framesDamaged() * 0.75, (double) damaged, 50);
        assertTrue(sink.wrongBytes.stream().allMatch(count -> count <= 4));
    }

    @Test
    void impair_corruptionWithoutChecksums_losesTheFrame() {
        FaultInjector unchecked = new FaultInjector(new SeededRandom(7), Payload.ELIDED)
                .impair(0, Long.MAX_VALUE, Impairment.NONE.withCorruption(100_000));
        play(unchecked);
        assertEquals(COUNT - unchecked.framesDamaged(), sink.numbers.size());
        assertTrue(sink.wrongBytes.stream().allMatch(count -> count == 0));
    }

    @Test
    void cut_once_losesAllOfThatTime() {
        injector.cut(1_000 * FRAME_NANOS, 3_000 * FRAME_NANOS, 3_000 * FRAME_NANOS, 0);
        play();
        assertEquals(COUNT - 2_000, sink.numbers.size());
        assertFalse(sink.numbers.contains(1_000));
        assertFalse(sink.numbers.contains(2_999));
        assertTrue(sink.numbers.contains(3_000));
    }

    @Test
    void cut_againAndAgain_flaps() {
        injector.cut(0, Long.MAX_VALUE, 10 * FRAME_NANOS, 100 * FRAME_NANOS);
        play();
        assertEquals(COUNT * 9 / 10, sink.numbers.size());
        assertTrue(sink.numbers.stream().allMatch(number -> number % 100 >= 10));
    }

    @Test
    void replay_oldFrames_comeAgainIntact() {
        injector.replay(0, Long.MAX_VALUE, 50_000);
        play();
        assertEquals(COUNT / 20.0, (double) injector.framesCopied(), 100);
        assertEquals(COUNT + injector.framesCopied(), sink.numbers.size());
        assertTrue(sink.wrongBytes.stream().allMatch(count -> count == 0));
        int highest = -1;
        int ageMax = 0;
        for (int number : sink.numbers) {
            highest = Math.max(highest, number);
            ageMax = Math.max(ageMax, highest - number);
        }
        assertTrue(ageMax > 100, ageMax + " frames old");
    }

    @Test
    void onDeparture_poolEmpty_makesNoCopies() {
        FrameHoard hoard = new FrameHoard(pool);
        hoard.takeAllBut(16);
        assertEquals(240, hoard.framesHeld());
        injector.impair(
                0, Long.MAX_VALUE, Impairment.NONE.withDuplicates(1_000_000).withDelayNanos(50 * FRAME_NANOS));
        SimNode from = simulator.add("from", source);
        SimNode to = simulator.add("to", sink);
        simulator.connect(from.port(0), to.port(0), RATE_BPS, PROPAGATION_NANOS);
        from.link(0).setFault(injector);
        simulator.run(1_000 * FRAME_NANOS);
        assertTrue(injector.framesCopied() < 500, injector.framesCopied() + " copies");
        assertTrue(sink.numbers.size() > 100);
        hoard.giveBack();
    }

    /** Sends numbered frames as fast as the link takes them, while there are frames. */
    private final class Source implements UntimedNode, Egress {
        private int nextNumber;

        @Override
        public Frame pollTransmit(long nowNanos) {
            Frame frame = nextNumber < COUNT ? pool.allocate() : null;
            if (frame != null) {
                frame.setExtent(0, LENGTH_BYTES);
                frame.buffer().setMemory(0, LENGTH_BYTES, (byte) 0x55);
                frame.buffer().putInt(0, nextNumber++);
            }
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return nextNumber < COUNT ? nowNanos : Deadline.NO_DEADLINE;
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
        }

        @Override
        public Egress egress(int portIndex) {
            return this;
        }
    }

    /** Notes what arrives. */
    private static final class Sink implements UntimedNode, Egress {
        private final FrameQueue none = new FrameQueue();
        private final List<Integer> numbers = new ArrayList<>();
        private final List<Long> nanos = new ArrayList<>();
        private final List<Integer> wrongBytes = new ArrayList<>();

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            numbers.add(frame.buffer().getInt(0));
            nanos.add(nowNanos);
            int wrong = frame.buffer().getInt(0) < 0 || frame.buffer().getInt(0) >= COUNT ? 1 : 0;
            for (int i = 4; i < LENGTH_BYTES; i++) {
                wrong += frame.buffer().getByte(i) == 0x55 ? 0 : 1;
            }
            wrongBytes.add(wrong);
            frame.release();
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            return none.poll();
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return Deadline.NO_DEADLINE;
        }

        @Override
        public Egress egress(int portIndex) {
            return this;
        }
    }
}
