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
    private final List<Long> rests = new ArrayList<>();
    private final List<Long> slices = new ArrayList<>();
    /** What helpers do while the loop's thread stands by. */
    private Runnable meanwhile = () -> {};
    /** Whether another thread ends a slice soon. */
    private boolean isWoken;

    private final CycleLock cycleLock = new CycleLock();
    private final LoopTasks tasks = new LoopTasks(problem -> {
        throw new AssertionError(problem);
    });
    private long nowNanos;
    private long oversleptNanos;
    private long asleepNanos;
    private long deadlineNanos = NEVER;
    /** How often the Node was asked when it has something to do. */
    private int askedCount;

    private final CycleMonitor monitor = new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, NEVER);
    private final NodeAgent agent =
            new NodeAgent("test", List.of(new NodeBinding(new Timer(), List.of())), this::read, tasks, monitor);
    private final LoopSleep loopSleep = new LoopSleep(new RecordingWaiter(), true);
    private final BackOff backOff = new BackOff(agent, tasks, loopSleep, this::read, monitor, cycleLock);

    private long read() {
        nowNanos += MICROSECOND;
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
        assertEquals(List.of(1_000_000_000L), sleeps);
    }

    @Test
    void idle_somebodyElseRunsTheLoop_doesNotSleep() throws InterruptedException {
        Thread helper = new Thread(cycleLock::take);
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
    void idle_losesItsCoreAgainAndAgain_sleepsAtOnceUntilCalm() {
        int cyclesBefore = cyclesUntilSleep();
        loseTheCore(13);
        rests.clear();
        sleeps.clear();
        assertEquals(1, cyclesUntilSleep());
        assertEquals(List.of(1_000_000_000L), sleeps);
        assertEquals(List.of(), rests, "nothing is due");
        asleepNanos = 10 * MILLISECOND;
        cyclesUntilSleep();
        work();
        assertEquals(cyclesBefore, cyclesUntilSleep(), "calm again");
    }

    @Test
    void idle_theCoreIsSharedAndADeadlineIsNear_restsUntilAFrame() {
        loseTheCore(13);
        rests.clear();
        deadlineNanos = nowNanos + 30 * MICROSECOND;
        agent.doWork();
        backOff.idle(0);
        assertEquals(List.of(40 * MICROSECOND), rests);
    }

    @Test
    void idle_theCoreIsSharedAndSomebodyElseRunsTheLoop_asksNothingOfIt() throws InterruptedException {
        loseTheCore(13);
        agent.doWork();
        askedCount = 0;
        Thread helper = new Thread(cycleLock::take);
        helper.start();
        helper.join();
        backOff.idle(0);
        assertEquals(0, askedCount, "another thread may be in a cycle");
    }

    @Test
    void idle_losesItsCoreTwice_movesToAnotherAndGoesOn() {
        int[] moveCount = new int[1];
        backOff.setLeaveCpu(() -> moveCount[0]++);
        loseTheCore(1);
        assertEquals(0, moveCount[0]);
        loseTheCore(2);
        assertEquals(1, moveCount[0]);
        agent.doWork();
        backOff.idle(1);
        assertEquals(List.of(), rests);
    }

    @Test
    void idle_theCoreIsShared_restsWithLittleToDo() {
        loseTheCore(13);
        agent.doWork();
        backOff.idle(1);
        assertEquals(List.of(40 * MICROSECOND), rests);
    }

    @Test
    void idle_theCoreIsSharedAndABurstAtHand_goesOn() {
        loseTheCore(13);
        agent.doWork();
        backOff.idle(8);
        assertEquals(List.of(), rests);
    }

    @Test
    void idle_longCycles_areNoLoss() {
        for (int i = 0; i < 1_000; i++) {
            agent.doWork();
            nowNanos += 900 * MICROSECOND;
            agent.doWork();
            backOff.idle(1);
        }
        assertEquals(List.of(), rests);
    }

    @Test
    void idle_restWasTooLong_countsAsAPauseWithoutTheRest() {
        loseTheCore(13);
        long before = monitor.stallNanos();
        oversleptNanos = 3 * MILLISECOND;
        agent.doWork();
        backOff.idle(1);
        agent.doWork();
        long counted = monitor.stallNanos() - before;
        assertTrue(counted >= 3 * MILLISECOND && counted < 3 * MILLISECOND + 10 * MICROSECOND, counted + " ns");
    }

    @Test
    void idle_aTaskWaitsOnACrowdedCore_doesNotRest() {
        loseTheCore(13);
        agent.doWork();
        tasks.offer(now -> {});
        backOff.idle(1);
        assertEquals(List.of(), rests);
    }

    @Test
    void idle_helpersPoll_standsByForLongerAndLongerSlices() {
        loopSleep.enter();
        meanwhile = agent::doWork;
        for (int i = 0; i < 4; i++) {
            agent.doWork();
            backOff.idle(1);
        }
        assertEquals(List.of(50_000L, 100_000L, 200_000L, 200_000L), slices);
        assertEquals(List.of(), sleeps);
        assertEquals(0, monitor.stallCount(), "nobody lost a core");
    }

    @Test
    void idle_helperHasLeft_pollsAgainAndSleeps() {
        loopSleep.enter();
        meanwhile = () -> {
            meanwhile = () -> {};
            loopSleep.leave();
        };
        agent.doWork();
        backOff.idle(1);
        int cycles = cyclesUntilSleep();
        assertEquals(1, slices.size());
        assertTrue(cycles > 90, cycles + " cycles");
        assertEquals(0, monitor.stallCount(), "nobody lost a core");
    }

    @Test
    void idle_helperWithoutACore_runsACycleAfterEachShortSlice() {
        loopSleep.enter();
        for (int i = 0; i < 3; i++) {
            agent.doWork();
            backOff.idle(0);
        }
        assertEquals(List.of(50_000L, 50_000L, 50_000L), slices);
    }

    @Test
    void idle_wokenWhileHelpersPoll_goesOnForLongerAndLonger() {
        loopSleep.enter();
        assertEquals(100, cyclesAfterWakeUp(), 5);
        assertEquals(200, cyclesAfterWakeUp(), 5);
        assertEquals(400, cyclesAfterWakeUp(), 5);
    }

    @Test
    void idle_longSleepBringsNothing_sleepsAgainAtOnce() {
        asleepNanos = 500 * MILLISECOND;
        cyclesUntilSleep();
        assertEquals(1, cyclesUntilSleep());
    }

    @Test
    void idle_shortSleepBringsNothing_pollsAgain() {
        asleepNanos = MILLISECOND;
        int cycles = cyclesUntilSleep();
        assertEquals(cycles, cyclesUntilSleep());
    }

    @Test
    void idle_longSleepBringsWork_pollsAfterIt() {
        int cycles = cyclesUntilSleep();
        asleepNanos = 500 * MILLISECOND;
        work();
        assertEquals(cycles, cyclesUntilSleep());
        work();
        assertEquals(cycles, cyclesUntilSleep());
    }

    @Test
    void idle_firstCyclesAfterLongSleepsAreSlow_areNoLoss() {
        assertEquals(0, movesAfterSleepsOf(500 * MILLISECOND));
        work();
        assertEquals(List.of(), rests);
    }

    @Test
    void idle_firstCyclesAfterShortSleepsAreSlow_areLosses() {
        assertTrue(movesAfterSleepsOf(5 * MILLISECOND) > 0);
    }

    /** {@return how often the loop leaves its core when each of 60 sleeps ends with work and two slow cycles} */
    private int movesAfterSleepsOf(long nanos) {
        int[] moveCount = new int[1];
        backOff.setLeaveCpu(() -> moveCount[0]++);
        asleepNanos = nanos;
        for (int i = 0; i < 60; i++) {
            cyclesUntilSleep();
            for (int j = 0; j < 2; j++) {
                agent.doWork();
                nowNanos += 2 * MILLISECOND;
                backOff.idle(1);
            }
        }
        return moveCount[0];
    }

    private void work() {
        agent.doWork();
        backOff.idle(1);
    }

    /** {@return how many cycles of a microsecond the loop's thread runs after a slice that is cut short} */
    private int cyclesAfterWakeUp() {
        isWoken = true;
        meanwhile = agent::doWork;
        int before = slices.size();
        int cycles = 0;
        for (; slices.size() <= before + 1 && cycles < 10_000; cycles++) {
            agent.doWork();
            backOff.idle(0);
            isWoken = slices.size() == before;
        }
        slices.clear();
        return cycles;
    }

    @Test
    void idle_burstsWhileHelpersPoll_doesNotStandBy() {
        loopSleep.enter();
        for (int i = 0; i < 100; i++) {
            agent.doWork();
            loopSleep.noteWork(8, agent.nowNanos());
            backOff.idle(8);
        }
        assertEquals(List.of(), slices);
    }

    @Test
    void idle_aTaskWaitsAndHelpersPoll_doesNotStandBy() {
        loopSleep.enter();
        agent.doWork();
        tasks.offer(now -> {});
        backOff.idle(0);
        assertEquals(List.of(), slices);
    }

    @Test
    void idle_helpIsRefused_doesNotStandBy() {
        loopSleep.enter();
        loopSleep.refuseHelp();
        agent.doWork();
        backOff.idle(0);
        assertEquals(List.of(), slices);
    }

    @Test
    void idle_alwaysWork_yieldsInTurns() {
        int[] yieldCount = new int[1];
        backOff.setYielding(() -> yieldCount[0]++);
        work();
        long startNanos = nowNanos;
        yieldCount[0] = 0;
        while (nowNanos - startNanos < 30 * BackOff.TURN_NANOS) {
            work();
        }
        assertEquals(30, yieldCount[0], 1);
    }

    @Test
    void idle_alwaysWorkAfterASleep_yieldsATurnLater() {
        int[] yieldCount = new int[1];
        asleepNanos = MILLISECOND;
        cyclesUntilSleep();
        backOff.setYielding(() -> yieldCount[0]++);
        long startNanos = nowNanos;
        while (nowNanos - startNanos < BackOff.TURN_NANOS - 5 * MICROSECOND) {
            work();
        }
        assertEquals(0, yieldCount[0]);
    }

    @Test
    void idle_alwaysWorkAndAThreadThatComputes_keepsTheCore() {
        loseTheCore(13);
        int[] yieldCount = new int[1];
        backOff.setYielding(() -> yieldCount[0]++);
        long startNanos = nowNanos;
        while (nowNanos - startNanos < 9 * MILLISECOND) {
            agent.doWork();
            backOff.idle(8);
        }
        assertEquals(0, yieldCount[0], "a yield would cost a time slice");
    }

    private void loseTheCore(int times) {
        for (int i = 0; i < times; i++) {
            agent.doWork();
            nowNanos += 4 * MILLISECOND;
            agent.doWork();
            backOff.idle(8);
        }
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
            tasks.offer(now -> {});
            backOff.idle(0);
        }
        assertEquals(List.of(), sleeps);
    }

    private final class RecordingWaiter implements Waiter {
        @Override
        public void await(long timeoutNanos) {
            if (timeoutNanos == 40 * MICROSECOND) {
                rests.add(timeoutNanos);
                nowNanos += timeoutNanos + oversleptNanos;
            } else {
                sleeps.add(timeoutNanos);
                nowNanos += asleepNanos;
            }
        }

        @Override
        public void standBy(long timeoutNanos) {
            slices.add(timeoutNanos);
            long endNanos = nowNanos + timeoutNanos;
            for (boolean isOver = false; !isOver; isOver = isWoken || nowNanos >= endNanos) {
                nowNanos += 10 * MICROSECOND;
                meanwhile.run();
            }
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
            askedCount++;
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
