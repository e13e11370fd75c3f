package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link LoopGathering} with the loops of a transport. */
class LoopGatheringTest {
    private static final int COUNT = 3;
    private static final int CHANCES = 100_000;
    private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(5);

    private Transport transport;

    private List<EventLoop> open(IdleMode mode) throws IOException {
        TransportConfig config =
                TransportConfig.builder().idleMode(mode).warmUpNanosMax(0).build();
        transport = Transport.open(
                MemoryNetwork.pairWithQueues(COUNT, 0, 64, 10_000_000_000L).get(0), config);
        return transport.loops();
    }

    private static void awaitOf(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void run_loopsWithThreads_noneDoesAnythingMeanwhile() throws Exception {
        List<EventLoop> loops = open(IdleMode.BACK_OFF);
        AtomicInteger tasks = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        assertTrue(new LoopGathering(loops, LONG_NANOS, () -> {
                    loops.forEach(loop -> loop.offer(now -> tasks.incrementAndGet()));
                    // Time in which a loop that does not wait would do its task.
                    for (int i = 0; i < CHANCES; i++) {
                        Thread.onSpinWait();
                    }
                    seen.set(tasks.get());
                })
                .run());
        assertEquals(0, seen.get());
    }

    @Test
    void run_oneThreadRunsAllLoops_needsNoOther() throws Exception {
        List<EventLoop> loops = open(IdleMode.INVOKER);
        AtomicInteger works = new AtomicInteger();
        CompletableFuture<Boolean> asking =
                Background.run(() -> new LoopGathering(loops, LONG_NANOS, works::incrementAndGet).run());
        while (!asking.isDone()) {
            transport.runOnce();
        }
        assertTrue(asking.get());
        transport.runOnce();
        assertEquals(1, works.get());
    }

    @Test
    void run_aLoopIsBusy_failsAndTheOthersGoOn() throws Exception {
        List<EventLoop> loops = open(IdleMode.BACK_OFF);
        CountDownLatch busy = new CountDownLatch(1);
        loops.get(1).offer(now -> awaitOf(busy));
        AtomicInteger works = new AtomicInteger();
        IOException e = assertThrows(
                IOException.class, () -> new LoopGathering(loops, 500_000_000, works::incrementAndGet).run());
        assertTrue(e.getMessage().startsWith("loops {1} of 3 had no time for 500 ms"), e.getMessage());
        CountDownLatch ran = new CountDownLatch(1);
        loops.get(0).offer(now -> ran.countDown());
        ran.await();
        busy.countDown();
        CountDownLatch late = new CountDownLatch(1);
        loops.get(1).offer(now -> late.countDown());
        late.await();
        assertEquals(0, works.get());
    }

    @Test
    void run_workFails_failsWithTheReason() throws Exception {
        List<EventLoop> loops = open(IdleMode.BACK_OFF);
        IOException e = assertThrows(IOException.class, () -> new LoopGathering(loops, LONG_NANOS, () -> {
                    throw new IOException("no such interface");
                })
                .run());
        assertEquals("no such interface", e.getMessage());
    }

    @Test
    void run_loopsHaveEnded_isLeft() throws Exception {
        List<EventLoop> loops = open(IdleMode.BACK_OFF);
        transport.close();
        assertFalse(new LoopGathering(loops, LONG_NANOS, () -> {}).run());
    }
}
