package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link PollWaiter}. */
@EnabledOnOs(OS.LINUX)
class PollWaiterTest {
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    @Test
    void await_wokenBefore_returnsWithoutSleeping() throws Exception {
        try (PollWaiter waiter = new PollWaiter()) {
            waiter.wake();
            waiter.wake();
            waiter.await(LONG_NANOS);
            assertEquals(0, waiter.sleepCount());
        }
    }

    @Test
    void await_noTimeLeft_returnsWithoutSleeping() throws Exception {
        try (PollWaiter waiter = new PollWaiter()) {
            waiter.await(0);
            waiter.await(-5);
            assertEquals(0, waiter.sleepCount());
        }
    }

    @Test
    void await_nothingHappens_returnsWhenTimeIsUp() throws Exception {
        try (PollWaiter waiter = new PollWaiter()) {
            long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(2);
            long startNanos = System.nanoTime();
            waiter.await(timeoutNanos);
            assertTrue(System.nanoTime() - startNanos >= timeoutNanos);
            assertEquals(1, waiter.sleepCount());
        }
    }

    @Test
    void wake_whileAsleep_endsTheSleep() throws Exception {
        try (PollWaiter waiter = new PollWaiter()) {
            long startNanos = System.nanoTime();
            AtomicInteger rounds = new AtomicInteger();
            Thread loop = new Thread(() -> {
                for (int i = 0; i < 5; i++) {
                    waiter.await(LONG_NANOS);
                    rounds.incrementAndGet();
                }
            });
            loop.start();
            while (rounds.get() < 5) {
                waiter.wake();
                Thread.onSpinWait();
            }
            loop.join();
            assertTrue(System.nanoTime() - startNanos < 5 * LONG_NANOS, "the loop slept through its wake-ups");
        }
    }

    @Test
    void wake_manyItemsHandedOver_noneWaitsForATimeout() throws Exception {
        int items = 200_000;
        AtomicInteger handed = new AtomicInteger();
        try (PollWaiter waiter = new PollWaiter()) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < items; i++) {
                    handed.lazySet(i + 1);
                    waiter.wake();
                }
            });
            producer.start();
            long startNanos = System.nanoTime();
            int seen = 0;
            int timeouts = 0;
            while (seen < items) {
                long beforeNanos = System.nanoTime();
                waiter.await(LONG_NANOS);
                int now = handed.get();
                timeouts += now == seen && System.nanoTime() - beforeNanos >= LONG_NANOS ? 1 : 0;
                seen = now;
            }
            producer.join();
            assertEquals(0, timeouts, "wake-ups were lost");
            assertTrue(System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(60));
        }
    }

    @Test
    void await_descriptorBecomesReadable_returns() throws Exception {
        int port = Libc.eventfd();
        UnsafeBuffer one = NativeMemory.allocate(Long.BYTES);
        one.putLong(0, 1);
        try (PollWaiter waiter = new PollWaiter(-1, port)) {
            Libc.writeLong(port, NativeMemory.address(one));
            long startNanos = System.nanoTime();
            waiter.await(LONG_NANOS);
            assertTrue(System.nanoTime() - startNanos < LONG_NANOS);
            assertEquals(1, waiter.sleepCount());

            waiter.forget(port);
            waiter.await(1_000);
            assertEquals(2, waiter.sleepCount());
        } finally {
            Libc.close(port);
        }
    }

    @Test
    void wake_afterClose_isHarmless() throws Exception {
        PollWaiter waiter = new PollWaiter();
        waiter.close();
        waiter.close();
        assertDoesNotThrow(waiter::wake);
    }
}
