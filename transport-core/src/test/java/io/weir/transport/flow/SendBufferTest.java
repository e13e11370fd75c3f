package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.StreamBytes;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link SendBuffer}, against the stream that it must hold. */
@SuppressWarnings("ThreadPriorityCheck") // a thread that finds nothing to do lets the other on
class SendBufferTest {
    private static final long SEED = 3;

    @Test
    void constructor_oddCapacity_isRoundedUp() {
        assertEquals(8192, new SendBuffer(5000).capacityBytes());
        assertEquals(4096, new SendBuffer(4096).freeBytes());
    }

    @Test
    void write_moreThanFits_takesWhatFits() {
        SendBuffer buffer = new SendBuffer(4096);
        UnsafeBuffer source = new UnsafeBuffer(new byte[5000]);
        assertEquals(4096, buffer.write(source, 0, 5000));
        assertEquals(0, buffer.write(source, 0, 5000));
        buffer.release(100);
        assertEquals(100, buffer.write(source, 0, 5000));
        assertEquals(4196, buffer.endOffset());
    }

    @Test
    void operations_random_keepTheStream() {
        SeededRandom random = new SeededRandom(5);
        SendBuffer buffer = new SendBuffer(4096);
        UnsafeBuffer scratch = new UnsafeBuffer(new byte[3000]);
        ByteBuffer direct = ByteBuffer.allocateDirect(3000);
        UnsafeBuffer target = new UnsafeBuffer(new byte[1500]);
        for (int i = 0; i < 20_000; i++) {
            long end = buffer.endOffset();
            int length = random.nextInt(3000);
            if (random.nextInt(2) == 0) {
                StreamBytes.fill(scratch, 0, length, SEED, end);
                assertEquals(end + buffer.write(scratch, 0, length), buffer.endOffset());
            } else {
                direct.clear().limit(length);
                StreamBytes.fill(new UnsafeBuffer(direct), 0, length, SEED, end);
                int written = buffer.write(direct);
                assertEquals(written, direct.position());
                assertEquals(end + written, buffer.endOffset());
            }
            long base = buffer.baseOffset();
            int held = (int) (buffer.endOffset() - base);
            assertEquals(4096 - held, buffer.freeBytes());
            int skip = random.nextInt(held + 1);
            int bytes = Math.min(1500, held - skip);
            buffer.copyTo(base + skip, target, 0, bytes);
            assertEquals(bytes, StreamBytes.match(target, 0, bytes, SEED, base + skip));
            buffer.release(base + random.nextInt(held + 1));
        }
    }

    @Test
    void trim_emptyBuffer_holdsNothingAndGoesOnWhereItWas() {
        BufferBudget budget = new BufferBudget(1 << 20);
        SendBuffer buffer = new SendBuffer(1 << 18, 1 << 14, new BufferShare(budget));
        UnsafeBuffer bytes = new UnsafeBuffer(new byte[3000]);
        assertEquals(0, budget.bytesInUse(), "nothing before the first byte");
        buffer.write(bytes, 0, 1000);
        buffer.trim();
        assertEquals(BufferBudget.CHUNK_BYTES, budget.bytesInUse(), "not while a byte is unacknowledged");
        buffer.release(1000);
        buffer.grow();
        buffer.trim();
        assertEquals(0, budget.bytesInUse());
        assertEquals(1 << 14, buffer.limitBytes());
        StreamBytes.fill(bytes, 0, 3000, SEED, 1000);
        assertEquals(3000, buffer.write(bytes, 0, 3000));
        UnsafeBuffer target = new UnsafeBuffer(new byte[3000]);
        buffer.copyTo(1000, target, 0, 3000);
        assertEquals(3000, StreamBytes.match(target, 0, 3000, SEED, 1000));
    }

    @Test
    void write_noMemoryLeft_takesNothingUntilThereIs() {
        BufferBudget budget = new BufferBudget(2 * BufferBudget.CHUNK_BYTES);
        SendBuffer hog = new SendBuffer(1 << 16, 1 << 16, new BufferShare(budget));
        UnsafeBuffer bytes = new UnsafeBuffer(new byte[1 << 16]);
        assertEquals(2 * BufferBudget.CHUNK_BYTES, hog.write(bytes, 0, 1 << 16));
        SendBuffer buffer = new SendBuffer(1 << 16, 1 << 16, new BufferShare(budget));
        assertEquals(0, buffer.write(bytes, 0, 100));
        assertEquals(0, buffer.freeBytes());
        assertEquals(true, buffer.isStarved());
        hog.close();
        assertEquals(100, buffer.write(bytes, 0, 100));
        buffer.close();
        assertEquals(0, budget.bytesInUse());
    }

    /**
     * A writer's thread against a stack that copies, releases and trims: whatever the interleaving, the bytes are the
     * stream.
     */
    @Test
    void operations_ofTwoThreads_keepTheStreamAndLeaveNoMemory() throws InterruptedException {
        long total = 8_000_000;
        BufferBudget budget = new BufferBudget(1 << 22);
        SendBuffer buffer = new SendBuffer(1 << 18, 1 << 14, new BufferShare(budget));
        Thread writer = new Thread(() -> {
            SeededRandom random = new SeededRandom(11);
            UnsafeBuffer source = new UnsafeBuffer(new byte[40_000]);
            for (long at = 0; at < total; ) {
                int length = (int) Math.min(total - at, 1 + random.nextInt(random.nextInt(2) == 0 ? 100 : 40_000));
                StreamBytes.fill(source, 0, length, SEED, at);
                for (int done = 0; done < length; ) {
                    int count = buffer.write(source, done, length - done);
                    done += count;
                    if (count == 0) {
                        Thread.yield();
                    }
                }
                at += length;
            }
        });
        writer.setDaemon(true);
        writer.start();
        SeededRandom random = new SeededRandom(12);
        UnsafeBuffer target = new UnsafeBuffer(new byte[40_000]);
        while (buffer.baseOffset() < total) {
            long base = buffer.baseOffset();
            int held = (int) (buffer.endOffset() - base);
            int bytes = Math.min(held, 1 + random.nextInt(39_999));
            buffer.copyTo(base, target, 0, bytes);
            assertEquals(bytes, StreamBytes.match(target, 0, bytes, SEED, base));
            buffer.release(base + bytes);
            switch (random.nextInt(8)) {
                case 0 -> buffer.trim();
                case 1 -> buffer.grow();
                default -> Thread.onSpinWait();
            }
        }
        writer.join();
        buffer.trim();
        assertEquals(0, budget.bytesInUse());
    }
}
