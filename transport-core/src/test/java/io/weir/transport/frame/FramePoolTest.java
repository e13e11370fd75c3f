package io.weir.transport.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link FramePool} and the ownership of a {@link Frame}. */
class FramePoolTest {
    private static int sumOfOwners(FramePool pool) {
        int sum = 0;
        for (FrameOwner owner : FrameOwner.values()) {
            sum += pool.count(owner);
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {4_096, 16_384, 65_536})
    void allocate_everyPageSize_beginsWithAPage(int pageBytes) {
        ByteBuffer memory = FramePool.allocate(3, 2048, pageBytes);
        assertEquals(0, BufferUtil.address(memory) % pageBytes);
        assertEquals(3 * 2048, memory.capacity());
    }

    @Test
    void memory_ofEveryPool_beginsWithAPageOfThisSystem() {
        for (int i = 0; i < 20; i++) {
            FramePool pool = new FramePool(3, 2048);
            assertEquals(0, BufferUtil.address(pool.memory()) % UnsafeApi.pageSize());
        }
    }

    @Test
    void allocate_untilEmpty_givesEveryFrameOnceThenNull() {
        FramePool pool = new FramePool(3, 2048);
        Frame a = pool.allocate();
        Frame b = pool.allocate();
        Frame c = pool.allocate();
        assertEquals(0b111, 1 << a.index() | 1 << b.index() | 1 << c.index());
        assertNull(pool.allocate());
        assertEquals(0, pool.available());
        assertEquals(3, pool.count(FrameOwner.HELD));
    }

    @Test
    void allocate_reused_isEmptyAndTheLastReleased() {
        FramePool pool = new FramePool(4, 2048);
        Frame frame = pool.allocate();
        frame.setExtent(100, 200);
        frame.release();
        assertSame(frame, pool.allocate());
        assertEquals(0, frame.offset());
        assertEquals(0, frame.length());
    }

    @Test
    void allocate_toReceiveInto_comesFromThoseThatWereAndOthersStayWarm() {
        FramePool pool = new FramePool(4, 2048);
        Frame received = pool.allocate(FrameOwner.FILL);
        Frame written = pool.allocate();
        pool.release(written, FrameOwner.HELD);
        pool.release(received, FrameOwner.FILL);
        assertSame(written, pool.allocate());
        assertSame(received, pool.allocate(FrameOwner.FILL));
        assertEquals(2, pool.available());
    }

    @Test
    void allocate_toReceiveInto_givesTheLowestInWhateverOrderFramesCameBack() {
        int frameCount = 130;
        FramePool pool = new FramePool(frameCount, 2048);
        List<Frame> taken = new ArrayList<>();
        for (int i = 0; i < frameCount; i++) {
            taken.add(pool.allocate(FrameOwner.FILL));
        }
        SeededRandom random = new SeededRandom(1);
        TreeSet<Integer> free = new TreeSet<>();
        for (int round = 0; round < 1_000; round++) {
            for (int i = random.nextInt(taken.size() + 1); i > 0; i--) {
                Frame frame = taken.remove(random.nextInt(taken.size()));
                free.add(frame.index());
                pool.release(frame, FrameOwner.FILL);
            }
            for (int i = random.nextInt(free.size() + 1); i > 0; i--) {
                Frame frame = pool.allocate(FrameOwner.FILL);
                assertEquals(free.pollFirst(), frame.index());
                taken.add(frame);
            }
        }
    }

    @Test
    void allocate_noneLeftOfItsKind_takesTheOther() {
        FramePool pool = new FramePool(2, 2048);
        Frame a = pool.allocate(FrameOwner.FILL);
        Frame b = pool.allocate(FrameOwner.FILL);
        assertNull(pool.allocate(FrameOwner.FILL));
        pool.release(a, FrameOwner.FILL);
        pool.release(b, FrameOwner.FILL);
        assertSame(a, pool.allocate());
        assertSame(b, pool.allocate());
        assertNull(pool.allocate());
        b.release();
        assertSame(b, pool.allocate(FrameOwner.FILL));
        assertEquals(0, pool.available());
    }

    @Test
    void release_twice_throws() {
        FramePool pool = new FramePool(2, 2048);
        Frame frame = pool.allocate();
        frame.release();
        assertThrows(IllegalStateException.class, frame::release);
        assertEquals(2, pool.available());
    }

    @Test
    void release_whileTransmitted_throwsAndChangesNothing() {
        FramePool pool = new FramePool(2, 2048);
        Frame frame = pool.allocate();
        frame.transfer(FrameOwner.HELD, FrameOwner.TRANSMIT);
        assertThrows(IllegalStateException.class, frame::release);
        assertEquals(1, pool.count(FrameOwner.TRANSMIT));
        pool.release(frame, FrameOwner.TRANSMIT);
        assertEquals(2, pool.available());
    }

    @Test
    void release_frameOfAnotherPool_throws() {
        FramePool pool = new FramePool(2, 2048);
        Frame stranger = new FramePool(2, 2048).allocate();
        assertThrows(IllegalStateException.class, () -> pool.release(stranger, FrameOwner.HELD));
    }

    @Test
    void transfer_fromSomebodyElse_throws() {
        Frame frame = new FramePool(1, 2048).allocate();
        assertThrows(IllegalStateException.class, () -> frame.transfer(FrameOwner.FILL, FrameOwner.HELD));
        assertEquals(FrameOwner.HELD, frame.owner());
    }

    @Test
    void release_poisoned_overwritesTheWholeSlotAndNoOther() {
        FramePool pool = new FramePool(2, 2048, true);
        Frame frame = pool.allocate();
        Frame neighbour = pool.allocate();
        frame.buffer().setMemory(0, 2048, (byte) 1);
        neighbour.buffer().setMemory(0, 2048, (byte) 2);
        frame.release();
        for (int i = 0; i < 2048; i++) {
            assertEquals(FramePool.POISON, frame.buffer().getByte(i));
            assertEquals(2, neighbour.buffer().getByte(i));
        }
    }

    @Test
    void frameAt_anyByteOfASlot_isTheSlotsFrame() {
        FramePool pool = new FramePool(4, 2048);
        assertSame(pool.frame(2), pool.frameAt(2 * 2048));
        assertSame(pool.frame(2), pool.frameAt(3 * 2048 - 1));
        assertSame(pool.frame(3), pool.frameAt(3 * 2048));
        assertEquals(4 * 2048, pool.memory().capacity());
    }

    @Test
    void ledger_randomTransfers_alwaysAddsUp() {
        FramePool pool = new FramePool(64, 2048);
        SeededRandom random = new SeededRandom(1);
        Deque<Frame> frames = new ArrayDeque<>();
        FrameOwner[] owners = {FrameOwner.HELD, FrameOwner.FILL, FrameOwner.TRANSMIT};
        for (int i = 0; i < 10_000; i++) {
            if (random.nextInt(2) == 0) {
                Frame frame = pool.allocate(owners[random.nextInt(3)]);
                assertEquals(frame == null, frames.size() == 64);
                if (frame != null) {
                    frames.add(frame);
                }
            } else if (!frames.isEmpty()) {
                Frame frame = frames.poll();
                FrameOwner next = owners[random.nextInt(3)];
                frame.transfer(frame.owner(), next);
                pool.release(frame, next);
            }
            assertEquals(64, sumOfOwners(pool));
            assertEquals(pool.available(), pool.count(FrameOwner.FREE));
            assertEquals(frames.size(), 64 - pool.available());
        }
    }

    @Test
    void constructor_badSizes_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> new FramePool(0, 2048));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(1, 192));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(1, 3000));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(1, 131_072));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(1 << 20, 2048));
    }

    @Test
    void wireBytes_shortFrame_isPaddedToAMinimumFrame() {
        assertEquals(84, Frame.wireBytes(60));
        assertEquals(84, Frame.wireBytes(0));
        assertEquals(85, Frame.wireBytes(61));
        assertEquals(1538, Frame.wireBytes(1514));
    }

    @Test
    void setExtent_beyondTheSlot_fails() {
        Frame frame = new FramePool(1, 2048).allocate();
        assertThrows(IndexOutOfBoundsException.class, () -> frame.setExtent(2000, 49));
        assertThrows(IndexOutOfBoundsException.class, () -> frame.setExtent(-1, 10));
        frame.setExtent(2000, 48);
        assertNotNull(frame.pool());
        assertTrue(frame.length() == 48 && frame.offset() == 2000);
    }
}
