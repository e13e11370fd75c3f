package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Background;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link EventLoop}: who may run a cycle, and when nobody may any more. */
class EventLoopTest {
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
        LoopFakes.TestPort port = new LoopFakes.TestPort();
        long[] nanos = {5};
        EventLoop loop = EventLoop.invokedBy(
                () -> nanos[0],
                "test",
                List.of(new NodeBinding(new LoopFakes.TestNode(null), List.of(port))),
                () -> {});
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
            LoopFakes.TestPort port = new LoopFakes.TestPort();
            LoopFakes.TestNode node = new LoopFakes.TestNode(fault);
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
        LoopFakes.TestPort port = new LoopFakes.TestPort();
        LoopFakes.TestNode node = new LoopFakes.TestNode(fault);
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(node, List.of(port))),
                IdleMode.INVOKER,
                new LoopFakes.CountingWaiter(),
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
        LoopFakes.TestPort port = new LoopFakes.TestPort();
        LoopFakes.SleepingWaiter waiter = new LoopFakes.SleepingWaiter();
        Error fault = new OutOfMemoryError("planted");
        EventLoop loop = new EventLoop(
                "test",
                List.of(new NodeBinding(new LoopFakes.TestNode(fault), List.of(port))),
                IdleMode.BACK_OFF,
                waiter,
                () -> {});
        loop.start();
        waiter.awaitSleep();
        port.arrivals.set(1);
        loop.helpers().help();
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
            LoopFakes.TestPort port = new LoopFakes.TestPort();
            EventLoop loop = new EventLoop(
                    "test",
                    List.of(new NodeBinding(new LoopFakes.TestNode(null), List.of(port))),
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
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
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
        loop.helpers().help();
        assertEquals(1, refusals.size());
        assertTrue(refusals.get(0).contains("65536 tasks"), refusals.get(0));
        loop.close();
    }

    @Test
    void execute_loopsThreadAndHelpersTakeTurns_everyTaskRunsOnceAndAlone() {
        EventLoop loop = LoopFakes.loop(IdleMode.BACK_OFF);
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
            loop.helpers().help();
        }
        done.join();
        assertEquals(taskCount, sum[0]);
        loop.close();
    }
}
