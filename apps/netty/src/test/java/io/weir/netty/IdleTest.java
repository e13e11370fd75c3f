package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.ForwardingInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.ParkWaiter;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.net.InetAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that an event loop without work sleeps, and what ends its sleep. */
class IdleTest {
    /** With nothing to do the loop sleeps for a second. */
    private static final long IDLE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(400);

    private static final int WAKE_UPS = 1_000;
    private static final int FRAMES = 256;
    private static final int FRAME_BYTES = 2_048;
    private static final long LINK_RATE_BPS = 10_000_000_000L;

    private final SleepyWaiter waiter = new SleepyWaiter();
    private EventLoopGroup group;

    @BeforeEach
    void open() throws Exception {
        FramePool left = new FramePool(FRAMES, FRAME_BYTES);
        FramePool right = new FramePool(FRAMES, FRAME_BYTES);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("mem0", 0x02_00_00_00_00_01L, 1_500, LINK_RATE_BPS),
                left,
                MemoryLink.info("mem1", 0x02_00_00_00_00_02L, 1_500, LINK_RATE_BPS),
                right);
        NetInterface port = new MemoryNetwork().attach(link.left(), InetAddress.getByName("10.78.0.1"));
        NetInterface watched = new ForwardingInterface(port) {
            @Override
            public Waiter newWaiter() {
                return waiter;
            }
        };
        TransportConfig config =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("idle", true),
                WeirIoHandler.newFactory(() -> Transport.open(watched, left, config)));
        group.submit(() -> {}).get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void execute_loopSleepsWithoutWork_endsTheSleepEachTime() throws Exception {
        for (int i = 0; i < WAKE_UPS; i++) {
            waiter.awaitLongSleep();
            int number = i;
            // Nothing but the wake-up ends that sleep.
            assertEquals(number, group.submit(() -> number).get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void schedule_loopSleepsWithoutWork_runsTheTask() throws Exception {
        waiter.awaitLongSleep();
        // Longer than a loop polls before it sleeps.
        assertEquals(
                1,
                group.schedule(() -> 1, 20, TimeUnit.MILLISECONDS)
                        .get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS));
    }

    /** One whose long sleeps only a wake-up ends: a loop that missed one would sleep until the guard against hangs. */
    private static final class SleepyWaiter implements Waiter {
        private final ParkWaiter waiter = new ParkWaiter();
        private final Semaphore longSleeps = new Semaphore(0);

        void awaitLongSleep() throws InterruptedException {
            assertTrue(
                    longSleeps.tryAcquire(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS), "the loop never sleeps");
        }

        @Override
        public void await(long timeoutNanos) {
            if (timeoutNanos < IDLE_NANOS_MIN) {
                waiter.await(timeoutNanos);
                return;
            }
            longSleeps.release();
            waiter.await(Deadline.HANG_GUARD.toNanos());
        }

        @Override
        public void wake() {
            waiter.wake();
        }

        @Override
        public void close() {
            waiter.close();
        }
    }
}
