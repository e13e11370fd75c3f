package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests {@link EventLoop}: who may run a cycle, and when nobody may any more. */
class EventLoopTest {
    /** A waiter that only counts how often it was called. */
    private static final class CountingWaiter implements Waiter {
        private final AtomicInteger wakes = new AtomicInteger();

        @Override
        public void await(long timeoutNanos) {}

        @Override
        public void rest(long nanos) {}

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
    void help_taskFails_endsTheLoopAndIsNotTriedAgain() {
        EventLoop loop = loop(IdleMode.BACK_OFF);
        IllegalStateException fault = new IllegalStateException("broken");
        loop.execute(now -> {
            throw fault;
        });
        loop.execute(now -> {
            throw new AssertionError("run after a fault");
        });
        assertEquals(0, loop.help());
        assertSame(fault, loop.failure());
        assertEquals(0, loop.help());
        loop.close();
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
}
