package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.SeededRandom;
import io.weir.transport.testing.StreamBytes;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link SendBuffer}, against the stream that it must hold. */
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
}
