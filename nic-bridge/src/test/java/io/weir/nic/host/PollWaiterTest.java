package io.weir.nic.host;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.broker.Bell;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.Sleeps;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link PollWaiter}. */
@EnabledOnOs(OS.LINUX)
class PollWaiterTest {
    private static final long LONG_NANOS = Sleeps.LONG_NANOS;

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
    void standBy_aDescriptorIsReadable_sleepsAllTheSame() throws Exception {
        int[] bells = Bell.pair();
        // The end of the other side makes it readable.
        Libc.close(bells[1]);
        try (PollWaiter waiter = new PollWaiter(bells[0])) {
            long startNanos = System.nanoTime();
            waiter.await(LONG_NANOS);
            long standBySinceNanos = System.nanoTime();
            assertTrue(standBySinceNanos - startNanos < LONG_NANOS);
            long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(2);
            waiter.standBy(timeoutNanos);
            assertTrue(System.nanoTime() - standBySinceNanos >= timeoutNanos);
        } finally {
            Libc.close(bells[0]);
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
            AtomicBoolean isOver = new AtomicBoolean();
            Thread waker = new Thread(() -> {
                while (!isOver.get()) {
                    waiter.wake();
                    Thread.onSpinWait();
                }
            });
            waker.start();
            Sleeps.requireCutShort(waiter);
            isOver.set(true);
            waker.join();
        }
    }

    @Test
    void wake_manyItemsHandedOver_noSleepBeginsAfterAWakeUp() throws Exception {
        int items = 200_000;
        AtomicInteger handed = new AtomicInteger();
        AtomicInteger woken = new AtomicInteger();
        try (PollWaiter waiter = new PollWaiter()) {
            Thread producer = new Thread(() -> {
                for (int i = 0; i < items; i++) {
                    handed.lazySet(i + 1);
                    waiter.wake();
                    woken.lazySet(i + 1);
                }
            });
            producer.start();
            int seen = 0;
            int lost = 0;
            while (seen < items) {
                // The wake-up for an item that is not seen yet is over: it must have this call return without sleeping.
                boolean isWoken = woken.get() > seen;
                long sleepsBefore = waiter.sleepCount();
                waiter.await(LONG_NANOS);
                lost += isWoken && waiter.sleepCount() > sleepsBefore ? 1 : 0;
                seen = handed.get();
            }
            producer.join();
            assertEquals(0, lost, "wake-ups were lost");
        }
    }

    @Test
    void await_descriptorBecomesReadable_returns() throws Exception {
        int port = Libc.eventfd();
        UnsafeBuffer one = NativeMemory.allocate(Long.BYTES);
        one.putLong(0, 1);
        try (PollWaiter waiter = new PollWaiter(-1, port)) {
            Libc.writeLong(port, NativeMemory.address(one));
            Sleeps.requireCutShort(waiter);
            assertEquals(Sleeps.COUNT, waiter.sleepCount());

            waiter.forget(port);
            waiter.await(1_000);
            assertEquals(Sleeps.COUNT + 1, waiter.sleepCount());
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
