package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import org.junit.jupiter.api.Test;

/** Tests {@link FrameRing}. */
class FrameRingTest {
    private static final int SLOTS = 8;
    private static final int FRAME_BYTES = 256;

    private final FramePool pool = new FramePool(4, FRAME_BYTES);
    private final FrameRing ring = new FrameRing(SLOTS, FRAME_BYTES);

    private void write(int value, int offset, int length) {
        Frame frame = pool.allocate();
        frame.setExtent(offset, length);
        frame.buffer().setMemory(offset, length, (byte) value);
        ring.write(frame);
        frame.release();
    }

    private void requireNext(int value, int length) {
        assertTrue(ring.hasNext());
        Frame frame = pool.allocate();
        ring.readInto(frame);
        assertEquals(length, frame.length());
        for (int i = 0; i < length; i++) {
            assertEquals((byte) value, frame.buffer().getByte(frame.offset() + i), "byte " + i);
        }
        frame.release();
    }

    @Test
    void read_framesOfAllLengths_areThoseWrittenInTheirOrder() {
        for (int length = 0; length <= FRAME_BYTES; length++) {
            write(length, 0, length);
            write(length + 1, (FRAME_BYTES - length) / 2, length);
            requireNext(length, length);
            requireNext(length + 1, length);
            assertFalse(ring.hasNext());
        }
    }

    @Test
    void freeCount_fullAndEmptied_isWhatIsLeft() {
        assertEquals(SLOTS, ring.freeCount());
        for (int i = 0; i < SLOTS; i++) {
            write(i, 0, FRAME_BYTES);
            assertEquals(SLOTS - i - 1, ring.freeCount());
        }
        for (int i = 0; i < SLOTS; i++) {
            requireNext(i, FRAME_BYTES);
            assertEquals(i + 1, ring.freeCount());
        }
    }

    @Test
    void read_byAnotherThread_getsEveryFrameInItsOrder() throws InterruptedException {
        int count = 20_000;
        Thread writer = new Thread(() -> {
            for (int i = 0; i < count; i++) {
                while (ring.freeCount() == 0) {
                    Thread.yield();
                }
                write(i, 0, 1 + i % FRAME_BYTES);
            }
        });
        writer.start();
        FramePool readerPool = new FramePool(1, FRAME_BYTES);
        for (int i = 0; i < count; i++) {
            while (!ring.hasNext()) {
                Thread.yield();
            }
            Frame frame = readerPool.allocate();
            ring.readInto(frame);
            assertEquals(1 + i % FRAME_BYTES, frame.length());
            assertEquals((byte) i, frame.buffer().getByte(0));
            assertEquals((byte) i, frame.buffer().getByte(frame.length() - 1));
            frame.release();
        }
        writer.join();
        assertFalse(ring.hasNext());
    }

    @Test
    void new_slotsThatAreNoPowerOfTwo_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new FrameRing(12, FRAME_BYTES));
    }
}
