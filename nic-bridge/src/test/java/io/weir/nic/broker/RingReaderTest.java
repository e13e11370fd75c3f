package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.Deadline;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.testing.Background;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests both sides of a ring, and what a hostile other side can do to each. */
class RingReaderTest {
    private static final RegionLayout LAYOUT = new RegionLayout(8, 200);
    private static final int GUARD_BYTES = 4096;
    private static final byte GUARD = (byte) 0xA7;

    /** The ring with a guard before and behind it. */
    private final UnsafeBuffer memory = NativeMemory.allocate(LAYOUT.ringBytes() + 2 * GUARD_BYTES);

    private final UnsafeBuffer ring = new UnsafeBuffer(memory, GUARD_BYTES, LAYOUT.ringBytes());
    private final RingWriter writer = new RingWriter(LAYOUT, ring);
    private final RingReader reader = new RingReader(LAYOUT, ring);
    private final FramePool pool = new FramePool(4, 256);

    private boolean write(int lengthBytes, long mark) {
        return write(writer, pool, lengthBytes, mark);
    }

    private static boolean write(RingWriter to, FramePool from, int lengthBytes, long mark) {
        Frame frame = from.allocate();
        frame.setExtent(16, lengthBytes);
        frame.buffer().putLong(16, mark);
        boolean isWritten = to.offer(frame);
        frame.release();
        return isWritten;
    }

    private long readMark() {
        Frame frame = pool.allocate();
        assertTrue(reader.hasNext() && reader.readInto(frame));
        long mark = frame.buffer().getLong(frame.offset());
        frame.release();
        return mark;
    }

    @Test
    void readInto_framesOfAllLengths_areAsWrittenManyTimesRound() {
        for (int i = 0; i < 100; i++) {
            assertTrue(write(8 + i, i));
            assertTrue(write(200, -i));
            assertEquals(i, readMark());
            assertEquals(-i, readMark());
        }
        assertFalse(reader.hasNext());
        assertEquals(8, writer.freeCount());
        assertEquals(4, pool.available());
    }

    @Test
    void offer_ringFull_isRefusedUntilOneIsRead() {
        for (int i = 0; i < 8; i++) {
            assertTrue(write(64, i));
        }
        assertEquals(0, writer.freeCount());
        assertFalse(write(64, 8));
        assertEquals(0, readMark());
        assertTrue(write(64, 8));
        for (int i = 1; i <= 8; i++) {
            assertEquals(i, readMark());
        }
    }

    @Test
    void offer_frameLongerThanASlot_isRefused() {
        assertFalse(write(201, 0));
        assertFalse(reader.hasNext());
        assertFalse(writer.isBroken());
    }

    /** A ring whose other side is as quick as can be: it acts at the very moment at which this side lets it. */
    private static final class QuickRing extends UnsafeBuffer {
        private int published = -1;
        private Runnable onPublished = () -> {};

        QuickRing() {
            super(NativeMemory.allocate(LAYOUT.ringBytes()));
        }

        /** Runs {@code action} whenever the counter at {@code index} is published. */
        void when(int index, Runnable action) {
            published = index;
            onPublished = action;
        }

        @Override
        public void putLongRelease(int index, long value) {
            super.putLongRelease(index, value);
            if (index == published) {
                onPublished.run();
            }
        }
    }

    @Test
    void readInto_slotIsWrittenAgainAtOnce_frameIsWhole() {
        QuickRing quick = new QuickRing();
        write(new RingWriter(LAYOUT, quick), pool, 64, 7);
        quick.when(RegionLayout.READ, () -> quick.setMemory(RegionLayout.SLOTS, LAYOUT.slotBytes(), GUARD));
        RingReader from = new RingReader(LAYOUT, quick);
        Frame frame = pool.allocate();
        assertTrue(from.hasNext() && from.readInto(frame));
        assertEquals(64, frame.length());
        assertEquals(7, frame.buffer().getLong(frame.offset()));
        frame.release();
    }

    @Test
    void offer_slotIsReadAtOnce_frameIsWhole() {
        QuickRing quick = new QuickRing();
        RingReader from = new RingReader(LAYOUT, quick);
        Frame read = pool.allocate();
        quick.when(RegionLayout.WRITTEN, () -> assertTrue(from.hasNext() && from.readInto(read)));
        write(new RingWriter(LAYOUT, quick), pool, 64, 7);
        assertEquals(64, read.length());
        assertEquals(7, read.buffer().getLong(read.offset()));
        read.release();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 9, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE})
    void hasNext_countThatCannotBe_breaksTheRing(long written) {
        ring.putLong(RegionLayout.WRITTEN, written);
        assertFalse(reader.hasNext());
        assertTrue(reader.isBroken());
        ring.putLong(RegionLayout.WRITTEN, 1);
        assertFalse(reader.hasNext());
    }

    @Test
    void hasNext_countThatGoesBack_breaksTheRing() {
        write(64, 1);
        assertEquals(1, readMark());
        ring.putLong(RegionLayout.WRITTEN, 0);
        assertFalse(reader.hasNext());
        assertTrue(reader.isBroken());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 201, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void readInto_lengthThatCannotBe_breaksTheRing(int lengthBytes) {
        write(64, 1);
        write(64, 2);
        ring.putInt(RegionLayout.SLOTS, lengthBytes);
        Frame frame = pool.allocate();
        assertTrue(reader.hasNext());
        assertFalse(reader.readInto(frame));
        assertTrue(reader.isBroken());
        assertFalse(reader.hasNext());
    }

    @ParameterizedTest
    @CsvSource({"3, 2", "3, 4", "3, -1", "3, 9223372036854775807", "0, 1"})
    void freeCount_readersCountThatCannotBe_breaksTheRing(long before, long read) {
        for (int i = 0; i < 3; i++) {
            write(64, i);
        }
        ring.putLong(RegionLayout.READ, before);
        int free = writer.freeCount();
        assertEquals(8 - 3 + (int) before, free);
        ring.putLong(RegionLayout.READ, before == 0 ? 4 : read);
        assertEquals(0, writer.freeCount());
        assertTrue(writer.isBroken());
        assertFalse(write(64, 9));
    }

    @Test
    void takeWakeRequest_onceAskedFor_isGivenOnce() {
        assertFalse(writer.takeWakeRequest());
        assertTrue(reader.requestWake());
        assertTrue(writer.takeWakeRequest());
        assertFalse(writer.takeWakeRequest());
    }

    @Test
    void requestWake_aFrameIsThere_saysNotToSleep() {
        write(64, 1);
        assertFalse(reader.requestWake());
        reader.cancelWake();
        assertFalse(writer.takeWakeRequest());
    }

    /** Scribbles over the whole ring between operations. Whatever it does, the guards stay, and nothing throws. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void ring_hostileOtherSide_neverLeadsOutside(long seed) {
        memory.setMemory(0, GUARD_BYTES, GUARD);
        memory.setMemory(GUARD_BYTES + LAYOUT.ringBytes(), GUARD_BYTES, GUARD);
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            RingWriter freshWriter = new RingWriter(LAYOUT, ring);
            RingReader freshReader = new RingReader(LAYOUT, ring);
            for (int i = 0; i < 20; i++) {
                scribble(random);
                write(freshWriter, pool, 8 + random.nextInt(200), random.nextLong());
                freshWriter.freeCount();
                Frame frame = pool.allocate();
                if (freshReader.hasNext() && freshReader.readInto(frame)) {
                    assertTrue(frame.length() <= 200, "seed " + seed);
                }
                frame.release();
            }
        }
        for (int i = 0; i < GUARD_BYTES; i++) {
            assertEquals(GUARD, memory.getByte(i), "seed " + seed);
            assertEquals(GUARD, memory.getByte(GUARD_BYTES + LAYOUT.ringBytes() + i), "seed " + seed);
        }
        assertEquals(4, pool.available());
    }

    private void scribble(Random random) {
        long value = random.nextBoolean() ? random.nextInt(20) - 5 : random.nextLong();
        switch (random.nextInt(5)) {
            case 0 -> ring.putLong(RegionLayout.WRITTEN, value);
            case 1 -> ring.putLong(RegionLayout.READ, value);
            case 2 -> ring.putInt(RegionLayout.SLOTS + random.nextInt(8) * LAYOUT.slotBytes(), (int) value);
            case 3 -> ring.putByte(random.nextInt(ring.capacity()), (byte) value);
            default -> ring.putInt(RegionLayout.WAKE, (int) value);
        }
    }

    /** Two threads with other pauses at each seed: every frame arrives once, in order and whole. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @SuppressWarnings("ThreadPriorityCheck") // the other thread may need this one's core
    void ring_twoThreads_keepsOrder(long seed) throws Exception {
        int count = 50_000;
        CompletableFuture<Void> writing = Background.run(() -> writeMany(seed, count));
        Random random = new Random(-seed);
        Deadline deadline = Deadline.of("all frames of seed " + seed, () -> "");
        for (long next = 0; next < count; ) {
            if (reader.hasNext()) {
                Frame frame = pool.allocate();
                assertTrue(reader.readInto(frame), "seed " + seed);
                assertEquals(next, frame.buffer().getLong(0), "seed " + seed);
                assertEquals(8 + next % 190, frame.length(), "seed " + seed);
                frame.release();
                next++;
            } else if (random.nextInt(4) == 0) {
                Thread.yield();
                deadline.check();
            }
        }
        writing.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
        assertFalse(reader.isBroken() || writer.isBroken(), "seed " + seed);
    }

    @SuppressWarnings("ThreadPriorityCheck") // likewise
    private void writeMany(long seed, int count) {
        FramePool own = new FramePool(1, 256);
        Random random = new Random(seed);
        Deadline deadline = Deadline.of("room for all frames of seed " + seed, () -> "");
        for (long next = 0; next < count; ) {
            if (write(writer, own, (int) (8 + next % 190), next)) {
                next++;
            } else if (random.nextInt(4) == 0) {
                Thread.yield();
                deadline.check();
            }
        }
    }
}
