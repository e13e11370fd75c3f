package io.weir.transport.testing;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory for wire tests: exactly as long as asked for, so that a read beyond the end fails, and full of poison. */
public final class Slots {
    private static final byte POISON = (byte) 0xDB;

    private Slots() {}

    /** {@return poisoned direct memory of exactly this length} */
    public static UnsafeBuffer exact(int length) {
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        buffer.setMemory(0, length, POISON);
        return buffer;
    }

    /** {@return the first {@code length} bytes of {@code source}, in memory that ends there} */
    public static UnsafeBuffer truncated(UnsafeBuffer source, int length) {
        UnsafeBuffer copy = exact(length);
        copy.putBytes(0, source, 0, length);
        return copy;
    }
}
