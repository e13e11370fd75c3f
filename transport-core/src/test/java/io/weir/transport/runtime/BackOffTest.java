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
    private static final long MILLISECOND = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Long> sleeps = new ArrayList<>();
    private final Seat seat = new Seat();
    private final LoopTasks tasks = new LoopTasks();
    private long nowNanos;
    private long yieldNanos = MICROSECOND;
    private long deadlineNanos = NEVER;
    private final NodeAgent agent = new NodeAgent(
            "test",
            List.of(new NodeBinding(new Timer(), List.of())),
            this::read,
            tasks,
            new CycleMonitor(NEVER, NEVER));
    private final BackOff backOff = new BackOff(
            agent, tasks, new RecordingWaiter(), this::readAfterYield, new CycleMonitor(NEVER, NEVER), seat);

    private long read() {
        nowNanos += MICROSECOND;
        return nowNanos;
    }

    private long readAfterYield() {
        nowNanos += yieldNanos;
        return nowNanos;
    }

    /** Runs cycles without work until the loop has slept once more, at most so many. */
    private int cyclesUntilSleep() {
        int before = sleeps.size();
        int cycles = 0;
        while (sleeps.size() == before && cycles < 1_000) {
            agent.doWork();
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
        assertTrue(awakeNanos >= 100 * MICROSECOND && awakeNanos < 105 * MICROSECOND, awakeNanos + " ns");
        assertEquals(List.of(500_000_000L), sleeps);
    }

    @Test
    void idle_somebodyElseRunsTheLoop_doesNotSleep() throws InterruptedException {
        Thread helper = new Thread(seat::take);
        helper.start();
        helper.join();
        for (int i = 0; i < 1_000; i++) {
            agent.doWork();
            backOff.idle(0);
        }
        assertEquals(List.of(), sleeps);
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
    void idle_yieldingTookASlice_sleepsSoonerForAWhile() {
        cyclesUntilSleep();
        int cyclesBefore = cyclesUntilSleep();
        // Somebody else computes on this core.
        yieldNanos = 500 * MICROSECOND;
        cyclesUntilSleep();
        yieldNanos = MICROSECOND;
        int cyclesAfter = cyclesUntilSleep();
        assertEquals(21, cyclesAfter, "twenty microseconds of polling");
        assertTrue(cyclesBefore > cyclesAfter, cyclesBefore + " with yielding");
        nowNanos += 10 * MILLISECOND;
        assertEquals(cyclesBefore, cyclesUntilSleep());
    }

    /** {@return for how long the loop does not yield after a yield that takes a slice} */
    private long pauseAfterCostlyYield() {
        yieldNanos = 500 * MICROSECOND;
        cyclesUntilSleep();
        yieldNanos = MICROSECOND;
        long startNanos = nowNanos;
        while (cyclesUntilSleep() == 21) {
            nowNanos += MILLISECOND;
        }
        return (nowNanos - startNanos) / MILLISECOND;
    }

    @Test
    void idle_everyYieldTakesASlice_yieldsEverMoreSeldomUpToOnceASecond() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            pauses.add(pauseAfterCostlyYield());
        }
        for (int i = 0; i < pauses.size(); i++) {
            long expected = Math.min(1_000, 10L << i);
            assertTrue(Math.abs(expected - pauses.get(i)) <= 2, pauses.toString());
        }
    }

    @Test
    void idle_yieldsHaveBeenCheapForLong_beginsWithAShortPauseAgain() {
        pauseAfterCostlyYield();
        pauseAfterCostlyYield();
        nowNanos += 100 * MILLISECOND;
        cyclesUntilSleep();
        assertTrue(pauseAfterCostlyYield() <= 12);
    }

    @Test
    void idle_deadlineIsNear_pollsForIt() {
        for (int i = 0; i < 100; i++) {
            deadlineNanos = nowNanos + 5 * MICROSECOND;
            agent.doWork();
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
