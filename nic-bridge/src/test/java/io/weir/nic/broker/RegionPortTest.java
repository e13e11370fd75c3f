package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.AllocationWindows;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.testing.Background;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests ports over a real region and bell, with both sides in this process. */
@EnabledOnOs(OS.LINUX)
class RegionPortTest {
    private static final RegionLayout LAYOUT = new RegionLayout(16, 1514);
    private static final long FOREVER_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** The port looks for the other side at this time, and at no later one. */
    private static final long PROBE_NANOS = Long.MAX_VALUE / 2;

    private final FramePool nearPool = new FramePool(32, 2048);
    private final FramePool farPool = new FramePool(32, 2048);
    private final SinkNode sink = new SinkNode();
    private RegionPort near;
    private RegionPort far;
    /** The memory once more, as a hostile process has it. */
    private UnsafeBuffer third;

    @BeforeEach
    void open() throws NicException {
        int memory = SharedRegion.create(LAYOUT);
        int[] bells = Bell.pair();
        near = port(nearPool, memory, bells[0], 0);
        far = port(farPool, memory, bells[1], 1);
        third = new UnsafeBuffer(Libc.mmap(memory, LAYOUT.regionBytes(), 0), LAYOUT.regionBytes());
        Libc.close(memory);
    }

    private static RegionPort port(FramePool pool, int memory, int bell, int side) throws NicException {
        return new RegionPort(
                MemoryLink.info("test", 0, 1500, 0), pool, SharedRegion.map(LAYOUT, memory), new Bell(bell), side);
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
        Libc.munmap(third.addressOffset(), LAYOUT.regionBytes());
        sink.releaseAll();
        assertEquals(32, nearPool.available());
        assertEquals(32, farPool.available());
    }

    private void send(RegionPort port, FramePool pool, int lengthBytes) {
        Frame frame = pool.allocate();
        frame.setExtent(0, lengthBytes);
        port.transmit(frame);
        port.flush();
    }

    @Test
    void transmit_bothWays_arrives() {
        send(near, nearPool, 1514);
        send(far, farPool, 60);
        assertEquals(1, far.pollReceive(sink, 0, 64, 0));
        Frame longest = sink.poll();
        assertEquals(1514, longest.length());
        longest.release();
        assertEquals(1, near.pollReceive(sink, 3, 64, 0));
        Frame frame = sink.poll();
        assertEquals(60, frame.length());
        assertEquals(3, frame.ingressPort());
        frame.release();
    }

    @Test
    void transmit_noRoom_dropsAndCounts() {
        assertEquals(16, near.transmitCapacity());
        for (int i = 0; i < 17; i++) {
            send(near, nearPool, 100);
        }
        assertEquals(0, near.transmitCapacity());
        assertEquals(1, near.droppedCount());
        assertNull(near.failure());
    }

    @Test
    void failure_otherSideClosed_isNoticedByALoopThatNeverSleeps() {
        send(far, farPool, 100);
        far.close();
        assertEquals(1, near.pollReceive(sink, 0, 64, PROBE_NANOS));
        assertEquals("the process on the other side of test has ended", near.failure());
        assertEquals(0, near.transmitCapacity());
        send(near, nearPool, 100);
    }

    @Test
    void failure_lengthThatCannotBe_isCountedAndEndsThePort() {
        send(far, farPool, 100);
        third.putInt(LAYOUT.ringBytes() + RegionLayout.SLOTS, -1);
        assertEquals(0, near.pollReceive(sink, 0, 64, 0));
        assertNotNull(near.failure());
        assertEquals(1, near.badIndexCount());
        send(far, farPool, 100);
        assertEquals(0, near.pollReceive(sink, 0, 64, 0));
    }

    @Test
    void failure_readersCountThatCannotBe_isCountedAndEndsThePort() {
        third.putLong(RegionLayout.READ, 5);
        assertEquals(0, near.transmitCapacity());
        assertEquals(1, near.badIndexCount());
    }

    @Test
    void await_frameSentLater_isWoken() throws Exception {
        try (RegionWaiter waiter = new RegionWaiter(-1)) {
            waiter.add(near);
            CompletableFuture<Integer> received = Background.run(() -> {
                int count = 0;
                while (count == 0) {
                    waiter.await(FOREVER_NANOS);
                    count = near.pollReceive(sink, 0, 64, 0);
                }
                return count;
            });
            send(far, farPool, 100);
            assertEquals(1, received.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void flush_anyNumberOfFramesForAReaderThatSleeps_ringsOnce() {
        int epoll = Libc.epollCreate();
        assertEquals(0, Libc.epollAddReadable(epoll, near.pollFileDescriptor()));
        for (int frames = 1; frames <= 5; frames++) {
            assertTrue(near.requestWake());
            for (int i = 0; i < frames; i++) {
                Frame frame = farPool.allocate();
                frame.setExtent(0, 100);
                far.transmit(frame);
            }
            assertFalse(isRung(epoll, near), "rung before the flush");
            far.flush();
            assertTrue(isRung(epoll, near), frames + " frames");
            near.onBell();
            assertFalse(isRung(epoll, near), "rung twice");
            // Some are left: the thread must not sleep.
            assertEquals(1, near.pollReceive(sink, 0, 1, 0));
            assertEquals(frames == 1, near.requestWake());
            near.cancelWake();
            near.pollReceive(sink, 0, 64, 0);
            sink.releaseAll();
        }
        Libc.close(epoll);
    }

    @Test
    void cancelWake_nothingCameBetweenTwoSleeps_theOtherSideStillRings() {
        assertTrue(near.requestWake());
        near.cancelWake();
        assertTrue(near.requestWake());
        near.cancelWake();
        send(far, farPool, 100);
        // Nothing of it is read: the bell is what the next sleep ends by.
        assertTrue(near.requestWake());
        near.cancelWake();
        assertTrue(near.onBell(), "nobody rang");
        assertFalse(near.requestWake(), "there is a frame, and nobody rings for it any more");
        near.cancelWake();
        send(far, farPool, 100);
        assertFalse(near.onBell(), "rung while awake");
        assertEquals(2, near.pollReceive(sink, 0, 64, 0));
    }

    @Test
    void cancelWake_framesCameBetweenTwoSleeps_theOtherSideDoesNotRing() {
        for (int i = 0; i < 3; i++) {
            assertTrue(near.requestWake());
            near.cancelWake();
            near.onBell();
            send(far, farPool, 100);
            near.onBell();
            assertEquals(1, near.pollReceive(sink, 0, 64, 0));
        }
        assertTrue(near.requestWake());
        near.cancelWake();
        send(far, farPool, 100);
        assertFalse(near.onBell(), "a system call for a loop that is awake");
        assertEquals(1, near.pollReceive(sink, 0, 64, 0));
    }

    @Test
    void requestWake_afterABellWasHeard_asksOnceMore() {
        for (int i = 0; i < 3; i++) {
            assertTrue(near.requestWake());
            send(far, farPool, 100);
            assertTrue(near.onBell(), "nobody rang for frame " + i);
            assertEquals(1, near.pollReceive(sink, 0, 64, 0));
        }
    }

    @Test
    void probe_takesABellThatAnotherThreadSleepsBy_wakesThat() throws Exception {
        try (RegionWaiter waiter = new RegionWaiter(-1)) {
            waiter.add(near);
            assertTrue(near.requestWake());
            send(far, farPool, 100);
            // A helper's cycle takes the bell and reads the frame.
            assertEquals(1, near.pollReceive(sink, 0, 64, PROBE_NANOS));
            CompletableFuture<Void> sleep = Background.run(() -> waiter.await(FOREVER_NANOS));
            sleep.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
            waiter.remove(near);
        }
    }

    private static boolean isRung(int epoll, RegionPort port) {
        return Libc.epollNext(epoll, NativeMemory.allocate(16)) == port.pollFileDescriptor();
    }

    @Test
    void await_manyFramesOneByOne_missesNone() throws Exception {
        int count = 5_000;
        try (RegionWaiter nearWaiter = new RegionWaiter(-1);
                RegionWaiter farWaiter = new RegionWaiter(-1)) {
            nearWaiter.add(near);
            farWaiter.add(far);
            // Each answers the other, and sleeps in between: a wake-up that is lost stops both.
            CompletableFuture<Void> answers = Background.run(() -> pingPong(far, farWaiter, farPool, count, false));
            pingPong(near, nearWaiter, nearPool, count, true);
            answers.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void pingPong(RegionPort port, RegionWaiter waiter, FramePool pool, int count, boolean isFirst) {
        SinkNode own = new SinkNode();
        for (int i = 0; i < count; i++) {
            if (isFirst) {
                send(port, pool, 100);
            }
            for (int received = 0; received == 0; ) {
                waiter.await(FOREVER_NANOS);
                received = port.pollReceive(own, 0, 64, 0);
                own.releaseAll();
            }
            if (!isFirst) {
                send(port, pool, 100);
            }
        }
    }

    @Test
    void await_otherSideEnds_returnsAndSleepsAfter() throws Exception {
        try (RegionWaiter waiter = new RegionWaiter(-1)) {
            waiter.add(near);
            far.close();
            Deadline.await("the end to be noticed", () -> {
                waiter.await(FOREVER_NANOS);
                return near.failure() != null;
            });
            // The bell stays readable now, and must not keep the loop awake: only this ends the sleep.
            CompletableFuture<Void> sleep = Background.run(() -> waiter.await(FOREVER_NANOS));
            waiter.wake();
            sleep.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
            waiter.remove(near);
        }
    }

    @Test
    void map_memoryOfAnotherLength_isRefused() throws Exception {
        int memory = SharedRegion.create(new RegionLayout(16, 100));
        try {
            assertThrows(NicException.class, () -> SharedRegion.map(LAYOUT, memory));
        } finally {
            Libc.close(memory);
        }
    }

    @Test
    void frames_steadyState_allocateNothing() {
        Runnable window = () -> {
            for (int i = 0; i < 1_000; i++) {
                Frame frame = nearPool.allocate();
                frame.setExtent(0, 100);
                near.transmit(frame);
                near.flush();
                far.pollReceive(sink, 0, 64, 0);
                sink.poll().release();
            }
        };
        for (int i = 0; i < 40; i++) {
            window.run();
        }
        AllocationWindows.of(10, window).requireNothingInSteadyState();
    }

    @Test
    void close_twice_isHarmless() {
        near.close();
        near.close();
        send(near, nearPool, 100);
        assertEquals(0, near.pollReceive(sink, 0, 64, 0));
        assertFalse(near.hasNext());
    }
}
