package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.StreamBytes;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link ReceiveBuffer}, against the stream that it must give and a bit for each byte that has come. */
@SuppressWarnings("ThreadPriorityCheck") // a thread that finds nothing to do lets the other on
class ReceiveBufferTest {
    private static final long SEED = 4;
    private static final int CAPACITY = 4096;

    private final ReceiveBuffer buffer = new ReceiveBuffer(CAPACITY, 8);
    private final UnsafeBuffer segment = new UnsafeBuffer(new byte[CAPACITY]);

    private boolean accept(long start, int length) {
        StreamBytes.fill(segment, 0, length, SEED, start);
        return buffer.accept(start, segment, 0, length);
    }

    @Test
    void fits_edgesOfTheWindow_areExact() {
        assertTrue(buffer.fits(0, CAPACITY));
        assertFalse(buffer.fits(0, CAPACITY + 1));
        assertFalse(buffer.fits(-1, 10));
        assertFalse(buffer.fits(Long.MAX_VALUE - 1, Long.MIN_VALUE + 50), "an end that overflowed");
        accept(0, 100);
        buffer.consume(100);
        assertTrue(buffer.fits(CAPACITY, CAPACITY + 100));
    }

    @Test
    void accept_inOrder_isReadable() {
        assertTrue(accept(0, 1000));
        assertEquals(1000, buffer.readableBytes());
        ByteBuffer target = ByteBuffer.allocate(400);
        assertEquals(400, buffer.read(target));
        assertEquals(400, StreamBytes.match(new UnsafeBuffer(target.array()), 0, 400, SEED, 0));
        assertEquals(600, buffer.readableBytes());
        assertEquals(CAPACITY - 600, buffer.windowBytes());
    }

    @Test
    void readBuffer_anotherThreadReadUpToTheEndOfAChunk_isNull() {
        ReceiveBuffer shared = new ReceiveBuffer(2 * BufferBudget.CHUNK_BYTES, 8);
        UnsafeBuffer chunk = new UnsafeBuffer(new byte[BufferBudget.CHUNK_BYTES]);
        assertNull(shared.readBuffer());
        shared.accept(0, chunk, 0, BufferBudget.CHUNK_BYTES);
        assertEquals(BufferBudget.CHUNK_BYTES, shared.contiguousBytes());
        // Between the stack's count of what waits and its look at it.
        assertEquals(BufferBudget.CHUNK_BYTES, shared.read(ByteBuffer.allocate(BufferBudget.CHUNK_BYTES)));
        assertNull(shared.readBuffer());
    }

    @Test
    void accept_early_countsAgainstTheRoomButNotTheWindow() {
        accept(1000, 500);
        assertEquals(0, buffer.readableBytes());
        assertEquals(CAPACITY, buffer.windowBytes());
        assertEquals(CAPACITY - 1500, buffer.freeBytes());
        assertEquals(1500, buffer.extentOffset());
        accept(0, 1000);
        assertEquals(1500, buffer.inOrderOffset());
    }

    @Test
    void accept_oneGapTooMany_isRefusedAndChangesNothing() {
        for (int i = 0; i < 8; i++) {
            assertTrue(accept(100 + 200L * i, 100));
        }
        assertFalse(accept(100 + 200L * 8, 100));
        assertEquals(100 + 200 * 7 + 100, buffer.extentOffset());
        assertTrue(accept(0, 100));
        assertEquals(200, buffer.inOrderOffset());
    }

    @Test
    void skip_bytesThatWentPastTheRing_countAsRead() {
        buffer.skip(1000);
        assertEquals(1000, buffer.inOrderOffset());
        assertEquals(1000, buffer.readOffset());
        assertEquals(0, buffer.readableBytes());
        accept(1000, 100);
        assertEquals(100, buffer.readableBytes());
        assertEquals(100, StreamBytes.match(buffer.readBuffer(), buffer.readIndex(), 100, SEED, 1000));
    }

    @Test
    void operations_random_giveTheStreamInOrder() {
        SeededRandom random = new SeededRandom(8);
        BitSet come = new BitSet();
        ByteBuffer target = ByteBuffer.allocate(1500);
        for (int i = 0; i < 50_000; i++) {
            long inOrder = buffer.inOrderOffset();
            int start = (int) Math.max(0, inOrder - 300 + random.nextInt(3000));
            int length = random.nextInt(1424);
            if (buffer.fits(start, start + (long) length) && accept(start, length)) {
                come.set(start, start + length);
            }
            assertEquals(come.nextClearBit(0), buffer.inOrderOffset());
            assertEquals(come.length(), Math.max(buffer.extentOffset(), 0));
            assertTrue(buffer.windowBytes() >= 0 && buffer.freeBytes() >= 0);
            if (random.nextInt(3) == 0) {
                long at = buffer.readOffset();
                target.clear().limit(random.nextInt(1500));
                int count = buffer.read(target);
                assertEquals(count, StreamBytes.match(new UnsafeBuffer(target.array()), 0, count, SEED, at));
            }
        }
        assertTrue(buffer.readOffset() > 100_000, "the stream moved on");
    }

    @Test
    void trim_allRead_holdsNothingAndKeepsThePromise() {
        BufferBudget budget = new BufferBudget(1 << 20);
        ReceiveBuffer growing = new ReceiveBuffer(1 << 18, 1 << 14, 8, new BufferShare(budget));
        growing.grow();
        growing.accept(0, segment, 0, 1000);
        growing.trim();
        assertEquals(BufferBudget.CHUNK_BYTES, budget.bytesInUse(), "not while a byte is unread");
        growing.consume(1000);
        growing.trim();
        assertEquals(0, budget.bytesInUse());
        assertEquals(1 << 14, growing.limitBytes());
        assertTrue(growing.fits(1000, 1000 + (1 << 15)), "was promised");
        assertFalse(growing.fits(1000, 1001 + (1 << 15)));
    }

    @Test
    void accept_noMemoryLeft_isRefusedUntilThereIs() {
        BufferBudget budget = new BufferBudget(2 * BufferBudget.CHUNK_BYTES);
        ReceiveBuffer hog = new ReceiveBuffer(1 << 16, 1 << 16, 8, new BufferShare(budget));
        assertTrue(hog.accept(0, segment, 0, 100));
        assertTrue(hog.accept(20_000, segment, 0, 100));
        ReceiveBuffer starved = new ReceiveBuffer(1 << 16, 1 << 16, 8, new BufferShare(budget));
        assertFalse(starved.accept(0, segment, 0, 100));
        assertTrue(starved.isStarved());
        assertEquals(0, starved.windowBytes());
        assertEquals(0, starved.extentOffset());
        hog.detach(false);
        assertTrue(starved.accept(0, segment, 0, 100));
        starved.detach(true);
        assertEquals(BufferBudget.CHUNK_BYTES, budget.bytesInUse());
        starved.read(ByteBuffer.allocate(100));
        starved.finishReading(false);
        assertEquals(0, budget.bytesInUse());
    }

    @Test
    void read_byAnotherThread_givesTheStreamWhateverTheInterleaving() throws InterruptedException {
        long total = 8_000_000;
        BufferBudget budget = new BufferBudget(1 << 22);
        ReceiveBuffer shared = new ReceiveBuffer(1 << 18, 1 << 14, 64, new BufferShare(budget));
        long[] wrongAt = {-1};
        Thread reader = new Thread(() -> {
            SeededRandom random = new SeededRandom(13);
            ByteBuffer target = ByteBuffer.allocate(40_000);
            for (long at = 0; at < total && wrongAt[0] < 0; ) {
                target.clear().limit(1 + random.nextInt(39_999));
                int count = shared.read(target);
                if (StreamBytes.match(new UnsafeBuffer(target.array()), 0, count, SEED, at) != count) {
                    wrongAt[0] = at;
                }
                at += count;
                if (count == 0) {
                    Thread.yield();
                }
            }
        });
        reader.setDaemon(true);
        reader.start();
        SeededRandom random = new SeededRandom(14);
        while (shared.inOrderOffset() < total && reader.isAlive()) {
            long start = shared.inOrderOffset() + (random.nextInt(3) == 0 ? random.nextInt(20_000) : 0);
            int length = (int) Math.min(Math.max(0, total - start), 1 + random.nextInt(CAPACITY - 1));
            StreamBytes.fill(segment, 0, length, SEED, start);
            if (shared.fits(start, start + length)) {
                shared.accept(start, segment, 0, length);
            }
            if (random.nextInt(16) == 0) {
                shared.grow();
            } else if (random.nextInt(64) == 0) {
                shared.trim();
            }
        }
        reader.join();
        assertEquals(-1, wrongAt[0]);
        shared.trim();
        assertEquals(0, budget.bytesInUse());
    }
}
