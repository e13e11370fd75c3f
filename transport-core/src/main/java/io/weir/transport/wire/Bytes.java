package io.weir.transport.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Big-endian fields of a buffer, and 32-bit counters that wrap. */
final class Bytes {
    static final long U32 = 0xFFFF_FFFFL;

    private Bytes() {}

    static int u8(UnsafeBuffer buffer, int index) {
        return buffer.getByte(index) & 0xFF;
    }

    static int u16(UnsafeBuffer buffer, int index) {
        return buffer.getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }

    static int i32(UnsafeBuffer buffer, int index) {
        return buffer.getInt(index, ByteOrder.BIG_ENDIAN);
    }

    static long u32(UnsafeBuffer buffer, int index) {
        return i32(buffer, index) & U32;
    }

    static long i64(UnsafeBuffer buffer, int index) {
        return buffer.getLong(index, ByteOrder.BIG_ENDIAN);
    }

    static void put8(UnsafeBuffer buffer, int index, int value) {
        buffer.putByte(index, (byte) value);
    }

    static void put16(UnsafeBuffer buffer, int index, int value) {
        buffer.putShort(index, (short) value, ByteOrder.BIG_ENDIAN);
    }

    static void put32(UnsafeBuffer buffer, int index, int value) {
        buffer.putInt(index, value, ByteOrder.BIG_ENDIAN);
    }

    /** Puts a quantity that saturates rather than wraps. */
    static void putSaturated32(UnsafeBuffer buffer, int index, long value) {
        put32(buffer, index, (int) Math.min(value, U32));
    }

    static void put64(UnsafeBuffer buffer, int index, long value) {
        buffer.putLong(index, value, ByteOrder.BIG_ENDIAN);
    }
}
