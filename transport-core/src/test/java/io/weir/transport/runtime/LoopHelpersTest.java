package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Background;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests {@link LoopHelpers} by loops that threads which wait for them run. */
class LoopHelpersTest {
    @Test
    void help_nobodyRunsTheLoop_runsACycleHere() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        List<Thread> ran = new ArrayList<>();
        loop.execute(now -> ran.add(Thread.currentThread()));
        assertEquals(1, loop.helpers().help());
        assertEquals(List.of(Thread.currentThread()), ran);
        assertEquals(0, loop.helpers().help(), "nothing is left to do");
        loop.close();
    }

    @Test
    void help_insideACycle_doesNothing() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        List<Integer> work = new ArrayList<>();
        loop.execute(now -> work.add(loop.helpers().help()));
        loop.helpers().help();
        assertEquals(List.of(0), work);
        loop.close();
    }

    @Test
    void help_busySpinOrInvoker_leavesTheLoopToItsThread() {
        for (IdleMode mode : List.of(IdleMode.BUSY_SPIN, IdleMode.INVOKER)) {
            EventLoop loop = LoopFakes.loop(mode);
            loop.execute(now -> {
                throw new AssertionError("run by a helper");
            });
            assertEquals(0, loop.helpers().help());
            loop.close();
        }
    }

    @Test
    void help_afterStopSharing_leavesTheLoopToItsThread() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        loop.helpers().stopSharing();
        loop.execute(now -> {
            throw new AssertionError("run by a helper");
        });
        assertEquals(0, loop.helpers().help());
        loop.close();
    }

    @Test
    void stopSharing_insideAHelpersCycle_doesNotWaitForItself() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        loop.execute(now -> loop.helpers().stopSharing());
        assertEquals(1, loop.helpers().help());
        assertEquals(0, loop.helpers().help());
        loop.close();
    }

    @Test
    void stopSharing_againInACycleOfTheLoopsThread_wakesNobody() {
        LoopFakes.CountingWaiter waiter = new LoopFakes.CountingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        CompletableFuture<Integer> woken = new CompletableFuture<>();
        loop.execute(now -> {
            loop.helpers().stopSharing();
            int before = waiter.wakes.get();
            loop.helpers().stopSharing();
            woken.complete(waiter.wakes.get() - before);
        });
        loop.start();
        assertEquals(0, woken.join());
        loop.close();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // yielding only makes it likelier that a fault shows
    void stopSharing_twiceDuringAHelpersCycle_bothWaitForItsEnd() throws Exception {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        CountDownLatch isInCycle = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        loop.execute(now -> {
            isInCycle.countDown();
            awaitQuietly(goesOn);
        });
        CompletableFuture<Integer> helped = Background.run(loop.helpers()::help);
        isInCycle.await();
        CountDownLatch began = new CountDownLatch(2);
        List<CompletableFuture<Boolean>> stopped = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            stopped.add(Background.run(() -> {
                began.countDown();
                loop.helpers().stopSharing();
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
            EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
            AtomicInteger polls = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Integer> helped = Background.run(() -> {
                int work = 0;
                while (!isOver.get()) {
                    work += loop.helpers().help();
                    polls.incrementAndGet();
                }
                return work;
            });
            awaitAtLeast(100, polls);
            loop.helpers().stopSharing();
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
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
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
        assertEquals(0, loop.helpers().help());
        assertSame(fault, loop.failure());
        assertEquals(0, loop.helpers().help());
        loop.close();
        assertEquals(List.of(fault), told);
    }

    @Test
    void help_taskThrowsAnException_isToldAndTheNextOneRuns() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        List<Throwable> told = new ArrayList<>();
        loop.setTaskFaultListener(told::add);
        IllegalStateException fault = new IllegalStateException("broken");
        List<Long> ran = new ArrayList<>();
        loop.execute(now -> {
            throw fault;
        });
        loop.execute(ran::add);
        assertEquals(2, loop.helpers().help());
        assertEquals(List.of(fault), told);
        assertEquals(1, ran.size());
        assertNull(loop.failure());
        loop.close();
    }

    @Test
    void help_makesADeadlineWhileTheOwnerSleeps_wakesItForThat() throws Exception {
        LoopFakes.TestPort port = new LoopFakes.TestPort();
        LoopFakes.TestNode node = new LoopFakes.TestNode(null);
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
        EventLoop loop = new EventLoop(
                "test", List.of(new NodeBinding(node, List.of(port))), IdleMode.BACK_OFF, waiter, () -> {});
        loop.start();
        waiter.awaitSleep();
        // A frame that the owner does not learn of, because a helper takes it; it makes a deadline.
        port.arrivals.set(1);
        assertEquals(1, loop.helpers().help());
        node.timedOut.get();
        assertSame(node.timedOutBy, loopThread(loop), "the deadline was the sleeping owner's to keep");
        loop.close();
    }

    @Test
    void offerAndHelp_ownerAsleep_runsTheTaskHereAndLetsItSleep() {
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
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
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        loop.start();
        waiter.awaitSleep();
        loop.helpers().stopSharing();
        CompletableFuture<Boolean> ranOnLoop = new CompletableFuture<>();
        loop.offerAndHelp(now -> ranOnLoop.complete(loop.isLoopThread()));
        assertTrue(ranOnLoop.join());
        loop.close();
    }

    @Test
    void help_ownerSleptMeanwhile_isNoPause() throws Exception {
        long[] nowNanos = {0};
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
        EventLoop loop =
                new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {}, () -> nowNanos[0] += 1_000);
        loop.start();
        waiter.awaitSleep();
        nowNanos[0] += 100 * LoopFakes.DEADLINE_NANOS;
        loop.helpers().help();
        assertEquals(0, loop.monitor().stallCount());
        loop.close();
    }

    @Test
    void help_foundNothingWhileTheOwnerSleptOn_isNoPauseLater() {
        long[] nowNanos = {0};
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
        LoopFakes.TestNode node = new LoopFakes.TestNode(null);
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(node, List.of(new LoopFakes.TestPort()))),
                IdleMode.BACK_OFF,
                waiter,
                () -> {},
                () -> nowNanos[0] += 1_000);
        loop.start();
        waiter.awaitSleep();
        assertEquals(0, loop.helpers().help());
        nowNanos[0] += 100 * LoopFakes.DEADLINE_NANOS;
        loop.helpers().help();
        assertEquals(0, loop.monitor().stallCount());
        assertEquals(0, node.pausedNanos, "nobody was to run the Node");
        loop.close();
    }

    @Test
    void enter_anotherThreadThanTheInvoker_doesNotKeepThatFromItsFrames() {
        StandingWaiter waiter = new StandingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.INVOKER, waiter, () -> {});
        loop.start();
        waiter.wake();
        loop.helpers().enter();
        loop.runOnceAndIdle(1);
        loop.helpers().leave();
        assertEquals(0, waiter.isStandingBy.availablePermits(), "it can run no cycle");
        loop.close();
    }

    @Test
    void leaveToSleep_ownerStandsBy_isWoken() throws InterruptedException {
        StandingWaiter waiter = new StandingWaiter();
        EventLoop loop = new EventLoop("test", List.of(), IdleMode.BACK_OFF, waiter, () -> {});
        loop.helpers().enter();
        loop.start();
        waiter.isStandingBy.acquire();
        loop.helpers().leaveToSleep();
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

    private static Thread loopThread(EventLoop loop) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.helpers().stopSharing();
        loop.execute(now -> thread.complete(Thread.currentThread()));
        return thread.get();
    }

    @Test
    void help_afterClose_touchesNothing() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
        loop.execute(now -> {
            throw new AssertionError("run after closing");
        });
        loop.close();
        assertEquals(0, loop.helpers().help());
        assertNull(loop.failure());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
