package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.EgressListener;
import io.weir.transport.node.Node;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTrace.Span;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link PausingNode} about a Node that notes what happens to it and when. */
class PausingNodeTest {
    /** Awake for 1 us, off the core for 200 us. */
    private static final PauseTrace TRACE = new PauseTrace("t", "", List.of(new Span(1_000, 200_000)));

    private static final long END_NANOS = 201_000;
    private static final int BURST_FRAMES = 64;

    private final FramePool pool = new FramePool(256, 2048);
    private final Probe probe = new Probe();
    private PausingNode pausing = pausing(Pauses.RING_FRAMES, 0);

    private PausingNode pausing(int ringFrames, long workNanos) {
        return new PausingNode(
                probe, Pauses.NONE.withTrace(TRACE).withRingFrames(ringFrames).withWorkNanos(workNanos), 0);
    }

    @AfterEach
    void allFrames_areBack() {
        pausing.close();
        probe.leaving.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    /** Notes everything, and releases what it gets. */
    private static final class Probe implements Node, Egress {
        private final List<String> log = new ArrayList<>();
        private final FrameQueue leaving = new FrameQueue();
        private long deadlineNanos = Deadline.NO_DEADLINE;

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            log.add("frame " + nowNanos);
            frame.release();
        }

        @Override
        public void onTimeout(long nowNanos) {
            log.add("time-out " + nowNanos);
            deadlineNanos = Deadline.NO_DEADLINE;
        }

        @Override
        public long nextTimeoutNanos() {
            return deadlineNanos;
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
        public void onPause(long pauseNanos, long nowNanos) {
            log.add("pause of " + pauseNanos + " " + nowNanos);
        }

        @Override
        public void onCaughtUp(long nowNanos) {
            log.add("caught up " + nowNanos);
        }

        @Override
        public boolean setEgressListener(EgressListener listener) {
            return true;
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            return leaving.poll();
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return leaving.peek() == null ? Deadline.NO_DEADLINE : nowNanos;
        }
    }

    @Test
    void onFrame_running_isSeenAtOnce() {
        pausing.onFrame(0, pool.allocate(), 999);
        assertEquals(List.of("frame 999"), probe.log);
    }

    @Test
    void onTimeout_atTheEndOfAPause_followsTheOrderOfTheEventLoop() {
        probe.deadlineNanos = 5_000;
        pausing.onFrame(0, pool.allocate(), 1_000);
        pausing.onFrame(0, pool.allocate(), END_NANOS - 1);
        assertFalse(pausing.isRunning(1_000));
        pausing.defer(() -> probe.log.add("asked"));
        pausing.onTimeout(5_000);
        assertEquals(List.of(), probe.log);
        assertEquals(END_NANOS, pausing.nextTimeoutNanos());
        pausing.onTimeout(END_NANOS);
        assertEquals(
                List.of(
                        "pause of 200000 201000",
                        "asked",
                        "frame 201000",
                        "frame 201000",
                        "caught up 201000",
                        "time-out 201000"),
                probe.log);
        assertEquals(2 * END_NANOS, pausing.nextTimeoutNanos());
        assertTrue(pausing.isRunning(END_NANOS));
        assertEquals(new PauseResult("n", 1, 200_000, 200_000, 0), pausing.result("n"));
    }

    @Test
    void onFrame_inAPauseWithFramesFromBefore_waitsToo() {
        pausing = pausing(Pauses.RING_FRAMES, 600);
        pausing.onFrame(0, pool.allocate(), 0);
        pausing.onFrame(0, pool.allocate(), 500);
        assertEquals(600, pausing.nextTimeoutNanos());
        pausing.onFrame(0, pool.allocate(), 1_500);
        assertEquals(END_NANOS, pausing.nextTimeoutNanos());
    }

    @Test
    void onTimeout_moreFramesThanABurst_takesOneBurstACycle() {
        for (int i = 0; i < BURST_FRAMES + 3; i++) {
            pausing.onFrame(0, pool.allocate(), 2_000);
        }
        pausing.onTimeout(END_NANOS);
        assertEquals(1 + BURST_FRAMES, probe.log.size());
        assertEquals(END_NANOS + 1, pausing.nextTimeoutNanos());
        pausing.onTimeout(END_NANOS + 1);
        assertEquals(
                List.of("frame 201001", "frame 201001", "frame 201001", "caught up 201001"),
                probe.log.subList(1 + BURST_FRAMES, probe.log.size()));
    }

    @Test
    void onFrame_ringFull_isLostAndCounted() {
        pausing = pausing(2, 0);
        for (int i = 0; i < 5; i++) {
            pausing.onFrame(0, pool.allocate(), 2_000);
        }
        pausing.onTimeout(END_NANOS);
        assertEquals(List.of("pause of 200000 201000", "frame 201000", "frame 201000", "caught up 201000"), probe.log);
        assertEquals(3, pausing.result("n").ringDrops());
    }

    @Test
    void pollTransmit_inAPause_givesNothingUntilItsEnd() {
        List<Integer> ready = new ArrayList<>();
        assertTrue(pausing.setEgressListener(ready::add));
        probe.leaving.add(pool.allocate());
        assertEquals(500, pausing.egress(0).nextTransmitNanos(500));
        assertNull(pausing.egress(0).pollTransmit(1_000));
        assertEquals(Deadline.NO_DEADLINE, pausing.egress(0).nextTransmitNanos(1_000));
        pausing.onTimeout(END_NANOS);
        assertEquals(List.of(0), ready);
        Frame frame = pausing.egress(0).pollTransmit(END_NANOS);
        assertNotNull(frame);
        frame.release();
    }

    @Test
    void onTimeout_idleNode_learnsOfEachPauseThatIsLongEnough() {
        PauseTrace trace = new PauseTrace("t", "", List.of(new Span(10, 99_999), new Span(1, 100_000)));
        pausing = new PausingNode(probe, Pauses.NONE.withTrace(trace).withRingFrames(1), 0);
        assertEquals(100_009, pausing.nextTimeoutNanos());
        pausing.onTimeout(100_009);
        assertEquals(200_010, pausing.nextTimeoutNanos());
        pausing.onTimeout(200_010);
        assertEquals(List.of("pause of 100000 200010", "caught up 200010"), probe.log);
        assertEquals(new PauseResult("n", 2, 199_999, 100_000, 0), pausing.result("n"));
    }

    @Test
    void onFrame_frameCostsTime_othersWaitForIt() {
        pausing = pausing(Pauses.RING_FRAMES, 300);
        pausing.onFrame(0, pool.allocate(), 0);
        pausing.onFrame(0, pool.allocate(), 100);
        pausing.onFrame(0, pool.allocate(), 200);
        assertEquals(300, pausing.nextTimeoutNanos());
        pausing.onTimeout(300);
        assertEquals(List.of("frame 0", "frame 300", "frame 300"), probe.log);
        pausing.onFrame(0, pool.allocate(), 899);
        assertEquals(900, pausing.nextTimeoutNanos());
    }

    @Test
    void toldNanosMin_isThatOfTheEventLoop() {
        assertEquals(CycleMonitor.PAUSE_NANOS_MIN, PausingNode.TOLD_NANOS_MIN);
    }
}
