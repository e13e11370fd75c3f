package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when a loop without work polls, yields and sleeps. The clock is the test's: a cycle takes a microsecond. */
class BackOffTest {
    private static final long MICROSECOND = 1_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Long> sleeps = new ArrayList<>();
    private final LoopTasks tasks = new LoopTasks();
    private long nowNanos;
    private long yieldNanos = MICROSECOND;
    private int readings;
    private long deadlineNanos = NEVER;
    private final NodeAgent agent = new NodeAgent(
            "test",
            List.of(new NodeBinding(new Timer(), List.of())),
            this::read,
            tasks,
            new CycleMonitor(NEVER, NEVER));
    private final BackOff backOff = new BackOff(
            agent, tasks, new RecordingWaiter(), this::readWhileIdle, new CycleMonitor(NEVER, NEVER), new Seat());

    private long read() {
        nowNanos += MICROSECOND;
        return nowNanos;
    }

    /** The first reading of a round of idling is before the yield, the second after it. */
    private long readWhileIdle() {
        nowNanos += readings++ == 1 ? yieldNanos : MICROSECOND;
        return nowNanos;
    }

    /** Runs cycles without work until the loop has slept once more, at most so many. */
    private int cyclesUntilSleep() {
        int before = sleeps.size();
        int cycles = 0;
        while (sleeps.size() == before && cycles < 1_000) {
            agent.doWork();
            readings = 0;
            backOff.idle(0);
            cycles++;
        }
        return cycles;
    }

    @Test
    void idle_nothingToDo_sleepsAfterAHundredMicroseconds() {
        long startNanos = nowNanos;
        cyclesUntilSleep();
        long awakeNanos = nowNanos - startNanos;
        assertTrue(awakeNanos >= 100 * MICROSECOND && awakeNanos <= 105 * MICROSECOND, awakeNanos + " ns");
        assertEquals(List.of(500_000_000L), sleeps);
    }

    @Test
    void idle_workNowAndThen_doesNotSleep() {
        for (int i = 0; i < 1_000; i++) {
            agent.doWork();
            backOff.idle(i % 30 == 0 ? 1 : 0);
        }
        assertEquals(List.of(), sleeps);
    }

    @Test
    void idle_yieldingTookASlice_sleepsSoonerForASecond() {
        cyclesUntilSleep();
        int cyclesBefore = cyclesUntilSleep();
        // Somebody else computes on this core.
        yieldNanos = 500 * MICROSECOND;
        cyclesUntilSleep();
        yieldNanos = MICROSECOND;
        int cyclesAfter = cyclesUntilSleep();
        assertEquals(11, cyclesAfter, "twenty microseconds of polling, two a cycle");
        assertTrue(cyclesBefore > cyclesAfter, cyclesBefore + " with yielding");
        nowNanos += 1_000_000_000;
        assertEquals(cyclesBefore, cyclesUntilSleep());
    }

    @Test
    void idle_deadlineIsNear_pollsForIt() {
        for (int i = 0; i < 100; i++) {
            deadlineNanos = nowNanos + 5 * MICROSECOND;
            agent.doWork();
            readings = 0;
            backOff.idle(0);
        }
        assertEquals(List.of(), sleeps);
    }

    @Test
    void idle_deadlineIsFar_sleepsUntilIt() {
        deadlineNanos = 200 * MICROSECOND;
        cyclesUntilSleep();
        assertEquals(1, sleeps.size());
        assertTrue(sleeps.get(0) <= 100 * MICROSECOND && sleeps.get(0) >= 90 * MICROSECOND, sleeps.toString());
    }

    @Test
    void idle_aTaskWaits_doesNotSleep() {
        for (int i = 0; i < 100; i++) {
            agent.doWork();
            tasks.add(now -> {});
            readings = 0;
            backOff.idle(0);
        }
        assertEquals(List.of(), sleeps);
    }

    private final class RecordingWaiter implements Waiter {
        @Override
        public void await(long timeoutNanos) {
            sleeps.add(timeoutNanos);
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }

    private final class Timer implements Node {
        @Override
        public void onFrame(int portIndex, Frame frame, long now) {
            frame.release();
        }

        @Override
        public void onTimeout(long now) {
            deadlineNanos = NEVER;
        }

        @Override
        public long nextTimeoutNanos() {
            return deadlineNanos;
        }

        @Override
        public Egress egress(int portIndex) {
            throw new IllegalArgumentException("no port " + portIndex);
        }

        @Override
        public int portCount() {
            return 0;
        }

        @Override
        public void onPause(long pauseNanos, long now) {}
    }
}
