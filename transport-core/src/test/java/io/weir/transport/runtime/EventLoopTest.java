package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.testing.Background;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link EventLoop}: who may run a cycle, and when nobody may any more. */
class EventLoopTest {
    /** A waiter that only counts how often it was called. */
    private static final class CountingWaiter implements Waiter {
        private final AtomicInteger wakes = new AtomicInteger();

        @Override
        public void await(long timeoutNanos) {}

        @Override
        public void wake() {
            wakes.incrementAndGet();
        }

        @Override
        public void close() {}
    }

    private static EventLoop loop(IdleMode idleMode) {
        return new EventLoop("test", List.of(), idleMode, new CountingWaiter(), () -> {});
    }

    @Test
    void help_nobodyRunsTheLoop_runsACycleHere() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        List<Thread> ran = new ArrayList<>();
        loop.execute(now -> ran.add(Thread.currentThread()));
        assertEquals(1, loop.help());
        assertEquals(List.of(Thread.currentThread()), ran);
        assertEquals(0, loop.help(), "nothing is left to do");
        loop.close();
    }

    @Test
    void help_insideACycle_doesNothing() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        List<Integer> work = new ArrayList<>();
        loop.execute(now -> work.add(loop.help()));
        loop.help();
        assertEquals(List.of(0), work);
        loop.close();
    }

    @Test
    void invokedBy_clockOfTheApplication_isTheLoopsTime() {
        long[] nanos = {5};
        EventLoop loop = EventLoop.invokedBy(() -> nanos[0], "test", List.of(), () -> {});
        loop.start();
        List<Long> seen = new ArrayList<>();
        loop.execute(seen::add);
        loop.runOnce();
        nanos[0] = 70;
        loop.execute(seen::add);
        loop.runOnce();
        assertEquals(List.of(5L, 70L), seen);
        assertEquals(70, loop.nowNanos());
        loop.close();
    }

    @Test
    void portFailure_invokerThatRunsNoCycle_isWhatThePortSaysNow() {
        TestPort port = new TestPort();
        long[] nanos = {5};
        EventLoop loop = EventLoop.invokedBy(
                () -> nanos[0], "test", List.of(new NodeBinding(new TestNode(null), List.of(port))), () -> {});
        loop.start();
        loop.runOnce();
        assertNull(loop.portFailure());
        port.failure = "interface test is down";
        assertEquals("test: interface test is down", loop.portFailure());
        loop.runOnce();
        port.failure = null;
        assertNull(loop.portFailure());
        loop.close();
    }

    @Test
    void help_busySpinOrInvoker_leavesTheLoopToItsThread() {
        for (IdleMode mode : List.of(IdleMode.BUSY_SPIN, IdleMode.INVOKER)) {
            EventLoop loop = loop(mode);
            loop.execute(now -> {
                throw new AssertionError("run by a helper");
            });
            assertEquals(0, loop.help());
            loop.close();
        }
    }

    @Test
    void help_afterStopSharing_leavesTheLoopToItsThread() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        loop.stopSharing();
        loop.execute(now -> {
            throw new AssertionError("run by a helper");
        });
        assertEquals(0, loop.help());
        loop.close();
    }

    @Test
    void stopSharing_insideAHelpersCycle_doesNotWaitForItself() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        loop.execute(now -> loop.stopSharing());
        assertEquals(1, loop.help());
        assertEquals(0, loop.help());
        loop.close();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // yielding only makes it likelier that a fault shows
    void stopSharing_twiceDuringAHelpersCycle_bothWaitForItsEnd() throws Exception {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        CountDownLatch isInCycle = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        loop.execute(now -> {
            isInCycle.countDown();
            awaitQuietly(goesOn);
        });
        CompletableFuture<Integer> helped = Background.run(loop::help);
        isInCycle.await();
        CountDownLatch began = new CountDownLatch(2);
        List<CompletableFuture<Boolean>> stopped = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            stopped.add(Background.run(() -> {
                began.countDown();
                loop.stopSharing();
                return loop.offer(now -> {});
            }));
        }
        began.await();
        // Long enough for one that does not wait to offer its task.
        for (int i = 0; i < 200 && stopped.stream().noneMatch(CompletableFuture::isDone); i++) {
            Thread.yield();
        }
        goesOn.countDown();
        assertEquals(1, helped.get(), "a task that came after stopSharing() was run by a helper");
        for (CompletableFuture<Boolean> each : stopped) {
            assertTrue(each.get());
        }
        loop.close();
    }

    @Test
    void stopSharing_whileAThreadBeginsToHelp_leavesLaterTasksToTheLoopsThread() throws Exception {
        for (int round = 0; round < 500; round++) {
            EventLoop loop = loop(IdleMode.BACK_OFF);
            AtomicInteger polls = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Integer> helped = Background.run(() -> {
                int work = 0;
                while (!isOver.get()) {
                    work += loop.help();
                    polls.incrementAndGet();
                }
                return work;
            });
            awaitAtLeast(100, polls);
            loop.stopSharing();
            loop.offer(now -> {});
            // The poll that was going on, and a whole one.
            awaitAtLeast(polls.get() + 2, polls);
            isOver.set(true);
            assertEquals(0, helped.get(), "round " + round);
            loop.close();
        }
    }

    @Test
    void help_taskThrowsAnErrorOfTheMachine_endsTheLoopAndNothingElseIsRun() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        OutOfMemoryError fault = new OutOfMemoryError("planted");
        List<Throwable> told = new ArrayList<>();
        loop.execute(now -> {
            throw fault;
        });
        loop.execute(new LoopTask() {
            @Override
            public void run(long nowNanos) {
                throw new AssertionError("run after a fault");
            }

            @Override
            public void onLoopEnded(Throwable failure) {
                told.add(failure);
            }
        });
        assertEquals(0, loop.help());
        assertSame(fault, loop.failure());
        assertEquals(0, loop.help());
        loop.close();
        assertEquals(List.of(fault), told);
    }

    @Test
    void help_taskThrowsAnException_isToldAndTheNextOneRuns() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        List<Throwable> told = new ArrayList<>();
        loop.setTaskFaultListener(told::add);
        IllegalStateException fault = new IllegalStateException("broken");
        List<Long> ran = new ArrayList<>();
        loop.execute(now -> {
            throw fault;
        });
        loop.execute(ran::add);
        assertEquals(2, loop.help());
        assertEquals(List.of(fault), told);
        assertEquals(1, ran.size());
        assertNull(loop.failure());
        loop.close();
    }

    // ---- what ends a loop

    /** What a Node throws, and where. */
    static List<Throwable> faults() {
        return List.of(
                new OutOfMemoryError("planted"),
                new StackOverflowError("planted"),
                new AssertionError("planted"),
                new NoClassDefFoundError("planted"),
                new IllegalStateException("planted"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void fault_inANode_endsTheLoopInOrder(Throwable fault) throws Exception {
        for (IdleMode mode : List.of(IdleMode.BACK_OFF, IdleMode.BUSY_SPIN)) {
            TestPort port = new TestPort();
            TestNode node = new TestNode(fault);
            List<String> stopped = new CopyOnWriteArrayList<>();
            EventLoop loop =
                    new EventLoop("test", List.of(new NodeBinding(node, List.of(port))), mode, new ParkWaiter(), () -> {
                        stopped.add("nodes");
                        throw new IllegalStateException("cannot be stopped either");
                    });
            loop.start();
            port.arrivals.set(1);
            // Wakes it; one that has found the frame already has ended.
            loop.offer(now -> {});
            assertTrue(loop.awaitEnd(Long.MAX_VALUE / 4));
            assertSame(fault, loop.failure());
            assertEquals(List.of("nodes"), stopped);
            assertEquals(1, port.closed.get(), "the port is closed although the Nodes could not be stopped");
            RejectedExecutionException refused =
                    assertThrows(RejectedExecutionException.class, () -> loop.execute(now -> {}));
            assertSame(fault, refused.getCause());
            loop.close();
            assertEquals(1, port.closed.get());
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void fault_inAnInvokersCycle_reachesTheCallerAndEndsTheLoop(Throwable fault) {
        TestPort port = new TestPort();
        TestNode node = new TestNode(fault);
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(node, List.of(port))),
                IdleMode.INVOKER,
                new CountingWaiter(),
                () -> {});
        loop.start();
        port.arrivals.set(1);
        assertSame(fault, assertThrows(Throwable.class, loop::runOnce));
        assertSame(fault, loop.failure());
        assertEquals(1, port.closed.get());
        IllegalStateException again = assertThrows(IllegalStateException.class, loop::runOnce);
        assertSame(fault, again.getCause());
    }

    @Test
    void fault_inAHelpersCycle_isEndedByTheLoopsOwnThread() {
        TestPort port = new TestPort();
        SleepingWaiter waiter = new SleepingWaiter();
        Error fault = new OutOfMemoryError("planted");
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(new TestNode(fault), List.of(port))),
                IdleMode.BACK_OFF,
                waiter,
                () -> {});
        loop.start();
        waiter.awaitSleep();
        port.arrivals.set(1);
        loop.help();
        assertTrue(loop.awaitEnd(Long.MAX_VALUE / 4), "nobody told the sleeping thread");
        assertSame(fault, loop.failure());
        assertEquals(1, port.closed.get());
    }

    @Test
    void interrupt_ofTheLoopsThread_doesNotEndIt() throws Exception {
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, new ParkWaiter(), () -> {});
        loop.start();
        loop.execute(now -> Thread.currentThread().interrupt());
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        loop.execute(now -> ran.complete(true));
        assertTrue(ran.get());
        assertNull(loop.failure());
        loop.close();
    }

    @Test
    void close_fromWithinATask_endsAfterTheCycleAndDoesNotWaitForItself() {
        for (IdleMode mode : List.of(IdleMode.BACK_OFF, IdleMode.BUSY_SPIN)) {
            TestPort port = new TestPort();
            EventLoop loop = new EventLoop(
                    "test",
                    List.of(new NodeBinding(new TestNode(null), List.of(port))),
                    mode,
                    new ParkWaiter(),
                    () -> {});
            loop.start();
            List<Integer> closedThen = new CopyOnWriteArrayList<>();
            loop.execute(now -> {
                loop.close();
                closedThen.add(port.closed.get());
            });
            assertTrue(loop.awaitEnd(Long.MAX_VALUE / 4));
            assertEquals(List.of(0), closedThen);
            assertEquals(1, port.closed.get());
        }
    }

    @Test
    void execute_whileTheLoopEnds_everyTaskRunsOrIsTold() throws Exception {
        for (int round = 0; round < 20; round++) {
            EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, new ParkWaiter(), () -> {});
            loop.start();
            AtomicInteger handled = new AtomicInteger();
            LoopTask counted = new LoopTask() {
                @Override
                public void run(long nowNanos) {
                    handled.incrementAndGet();
                }

                @Override
                public void onLoopEnded(Throwable failure) {
                    handled.incrementAndGet();
                }
            };
            CompletableFuture<Integer> asked = Background.run(() -> {
                int count = 0;
                while (loop.offer(counted)) {
                    count++;
                }
                return count;
            });
            loop.close();
            assertEquals(asked.get(), handled.get());
        }
    }

    @Test
    void execute_fromWithinACycleWithoutRoom_isRefusedWithTheLimit() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        List<String> refusals = new ArrayList<>();
        loop.execute(now -> {
            try {
                for (int i = 0; i <= LoopTasks.CAPACITY; i++) {
                    loop.execute(later -> {});
                }
            } catch (RejectedExecutionException e) {
                refusals.add(e.getMessage());
            }
        });
        loop.help();
        assertEquals(1, refusals.size());
        assertTrue(refusals.get(0).contains("65536 tasks"), refusals.get(0));
        loop.close();
    }

    // ---- a helper and the owner

    @Test
    void help_makesADeadlineWhileTheOwnerSleeps_wakesItForThat() throws Exception {
        TestPort port = new TestPort();
        TestNode node = new TestNode(null);
        SleepingWaiter waiter = new SleepingWaiter();
        EventLoop loop = new EventLoop(
                "test", List.of(new NodeBinding(node, List.of(port))), IdleMode.BACK_OFF, waiter, () -> {});
        loop.start();
        waiter.awaitSleep();
        // A frame that the owner does not learn of, because a helper takes it; it makes a deadline.
        port.arrivals.set(1);
        assertEquals(1, loop.help());
        node.timedOut.get();
        assertSame(node.timedOutBy, loopThread(loop), "the deadline was the sleeping owner's to keep");
        loop.close();
    }

    @Test
    void offerAndHelp_ownerAsleep_runsTheTaskHereAndLetsItSleep() {
        SleepingWaiter waiter = new SleepingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        loop.start();
        waiter.awaitSleep();
        List<Thread> ran = new ArrayList<>();
        assertTrue(loop.offerAndHelp(now -> ran.add(Thread.currentThread())));
        assertEquals(List.of(Thread.currentThread()), ran);
        assertEquals(0, waiter.wakes.get());
        loop.close();
    }

    @Test
    void offerAndHelp_afterStopSharing_leavesTheTaskToTheLoopsThread() {
        SleepingWaiter waiter = new SleepingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        loop.start();
        waiter.awaitSleep();
        loop.stopSharing();
        CompletableFuture<Boolean> ranOnLoop = new CompletableFuture<>();
        loop.offerAndHelp(now -> ranOnLoop.complete(loop.isLoopThread()));
        assertTrue(ranOnLoop.join());
        loop.close();
    }

    @Test
    void help_ownerSleptMeanwhile_isNoPause() throws Exception {
        long[] nowNanos = {0};
        SleepingWaiter waiter = new SleepingWaiter();
        EventLoop loop =
                new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {}, () -> nowNanos[0] += 1_000);
        loop.start();
        waiter.awaitSleep();
        nowNanos[0] += 100 * DEADLINE_NANOS;
        loop.help();
        assertEquals(0, loop.monitor().stallCount());
        loop.close();
    }

    @Test
    void help_foundNothingWhileTheOwnerSleptOn_isNoPauseLater() {
        long[] nowNanos = {0};
        SleepingWaiter waiter = new SleepingWaiter();
        TestNode node = new TestNode(null);
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(node, List.of(new TestPort()))),
                IdleMode.BACK_OFF,
                waiter,
                () -> {},
                () -> nowNanos[0] += 1_000);
        loop.start();
        waiter.awaitSleep();
        assertEquals(0, loop.help());
        nowNanos[0] += 100 * DEADLINE_NANOS;
        loop.help();
        assertEquals(0, loop.monitor().stallCount());
        assertEquals(0, node.pausedNanos, "nobody was to run the Node");
        loop.close();
    }

    @Test
    void beginHelping_anotherThreadThanTheInvoker_doesNotKeepThatFromItsFrames() {
        StandingWaiter waiter = new StandingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.INVOKER, waiter, () -> {});
        loop.start();
        waiter.wake();
        loop.beginHelping();
        loop.runOnceAndIdle(1);
        loop.endHelping();
        assertEquals(0, waiter.isStandingBy.availablePermits(), "it can run no cycle");
        loop.close();
    }

    @Test
    void endHelpingToSleep_ownerStandsBy_isWoken() throws InterruptedException {
        StandingWaiter waiter = new StandingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        loop.beginHelping();
        loop.start();
        waiter.isStandingBy.acquire();
        loop.endHelpingToSleep();
        waiter.isOver.acquire();
        loop.close();
    }

    /** A waiter of which one slice lasts until it is woken. */
    private static final class StandingWaiter implements Waiter {
        private final Semaphore isStandingBy = new Semaphore(0);
        private final Semaphore permits = new Semaphore(0);
        private final Semaphore isOver = new Semaphore(0);

        @Override
        public void await(long timeoutNanos) {
            permits.acquireUninterruptibly();
        }

        @Override
        public void standBy(long timeoutNanos) {
            isStandingBy.release();
            permits.acquireUninterruptibly();
            isOver.release();
        }

        @Override
        public void wake() {
            permits.release();
        }

        @Override
        public void close() {}
    }

    private static void awaitAtLeast(int wanted, AtomicInteger count) {
        while (count.get() < wanted) {
            Thread.onSpinWait();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Thread loopThread(EventLoop loop) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.stopSharing();
        loop.execute(now -> thread.complete(Thread.currentThread()));
        return thread.get();
    }

    @Test
    void help_afterClose_touchesNothing() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        loop.execute(now -> {
            throw new AssertionError("run after closing");
        });
        loop.close();
        assertEquals(0, loop.help());
        assertNull(loop.failure());
    }

    @Test
    void execute_loopsThreadAndHelpersTakeTurns_everyTaskRunsOnceAndAlone() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        loop.start();
        int taskCount = 20_000;
        // Not atomic on purpose: only one cycle runs at a time, and each sees what the one before wrote.
        int[] sum = new int[1];
        CompletableFuture<Void> done = new CompletableFuture<>();
        for (int i = 0; i < taskCount; i++) {
            loop.execute(now -> {
                if (++sum[0] == taskCount) {
                    done.complete(null);
                }
            });
            loop.help();
        }
        done.join();
        assertEquals(taskCount, sum[0]);
        loop.close();
    }

    /** A waiter whose thread sleeps until it is woken, however long it asked for. */
    private static final class SleepingWaiter implements Waiter {
        private final Semaphore permits = new Semaphore(0);
        private final CountDownLatch asleep = new CountDownLatch(1);
        private final AtomicInteger wakes = new AtomicInteger();

        void awaitSleep() {
            awaitQuietly(asleep);
        }

        @Override
        public void await(long timeoutNanos) {
            if (asleep.getCount() == 0 && timeoutNanos < DEADLINE_NANOS * 2) {
                // A deadline that it knows of.
                LockSupport.parkNanos(timeoutNanos);
                return;
            }
            asleep.countDown();
            permits.acquireUninterruptibly();
        }

        @Override
        public void wake() {
            wakes.incrementAndGet();
            permits.release();
        }

        @Override
        public void close() {}
    }

    private static final long DEADLINE_NANOS = 1_000_000;

    /** A port that says that frames came, without any. */
    private static final class TestPort implements NetPort {
        private final AtomicInteger arrivals = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private volatile String failure;

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int count = arrivals.getAndSet(0);
            if (count > 0) {
                node.onFrame(portIndex, null, nowNanos);
            }
            return count;
        }

        @Override
        public int transmitCapacity() {
            return 0;
        }

        @Override
        public void transmit(Frame frame) {}

        @Override
        public void flush() {}

        @Override
        public PortInfo info() {
            return MemoryLink.info("test", 1, 1500, 1_000_000_000L);
        }

        @Override
        public String failure() {
            return failure;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /** A Node that fails when a frame comes, or has a deadline then. */
    private static final class TestNode implements Node {
        private final Throwable fault;
        private final CompletableFuture<Boolean> timedOut = new CompletableFuture<>();
        private volatile Thread timedOutBy;
        private long deadlineNanos = Deadline.NO_DEADLINE;
        private long pausedNanos;

        TestNode(Throwable fault) {
            this.fault = fault;
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            if (fault instanceof Error error) {
                throw error;
            }
            if (fault != null) {
                throw (RuntimeException) fault;
            }
            deadlineNanos = nowNanos + DEADLINE_NANOS;
        }

        @Override
        public void onTimeout(long nowNanos) {
            deadlineNanos = Deadline.NO_DEADLINE;
            timedOutBy = Thread.currentThread();
            timedOut.complete(true);
        }

        @Override
        public long nextTimeoutNanos() {
            return deadlineNanos;
        }

        @Override
        public Egress egress(int portIndex) {
            return new Egress() {
                @Override
                public Frame pollTransmit(long nowNanos) {
                    return null;
                }

                @Override
                public long nextTransmitNanos(long nowNanos) {
                    return Deadline.NO_DEADLINE;
                }
            };
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {
            pausedNanos += pauseNanos;
        }
    }
}
