package io.weir.transport.wire;

import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Big-endian fields of a frame's memory, and 32-bit counters that wrap.
 *
 * <p>Only assertions, with which tests run, check a field against the end of the buffer: a frame has some hundred
 * fields, and a check of each took a tenth of all its time. So each caller knows that the field is there. What arrives
 * is checked as a whole: {@link io.weir.transport.frame.Frame#setExtent} against its slot, {@link Datagram} and
 * {@link PassingFrame} against its length, {@link WholeFrame#isValid} against its type. What leaves begins with {@link
 * HeaderTemplate#begin}, which makes sure that there is room for any header.
 *
 * <p>Frames lie in direct memory, and only there: where memory may also be an array, the compiler takes each field that
 * is written for a change of any object, and reads all of them again. That took a fifteenth of a frame's time.
 */
final class Bytes {
    static final long U32 = 0xFFFF_FFFFL;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Bytes() {}

    static int u8(UnsafeBuffer buffer, int index) {
        return UnsafeApi.getByte(null, address(buffer, index, Byte.BYTES)) & 0xFF;
    }

    static int u16(UnsafeBuffer buffer, int index) {
        return ordered(UnsafeApi.getShort(null, address(buffer, index, Short.BYTES))) & 0xFFFF;
    }

    static int i32(UnsafeBuffer buffer, int index) {
        return ordered(UnsafeApi.getInt(null, address(buffer, index, Integer.BYTES)));
    }

    static long u32(UnsafeBuffer buffer, int index) {
        return i32(buffer, index) & U32;
    }

    static long i64(UnsafeBuffer buffer, int index) {
        return ordered(UnsafeApi.getLong(null, address(buffer, index, Long.BYTES)));
    }

    static void put8(UnsafeBuffer buffer, int index, int value) {
        UnsafeApi.putByte(null, address(buffer, index, Byte.BYTES), (byte) value);
    }

    static void put16(UnsafeBuffer buffer, int index, int value) {
        UnsafeApi.putShort(null, address(buffer, index, Short.BYTES), ordered((short) value));
    }

    static void put32(UnsafeBuffer buffer, int index, int value) {
        UnsafeApi.putInt(null, address(buffer, index, Integer.BYTES), ordered(value));
    }

    /** Puts a quantity that saturates rather than wraps. */
    static void putSaturated32(UnsafeBuffer buffer, int index, long value) {
        put32(buffer, index, (int) Math.min(value, U32));
    }

    static void put64(UnsafeBuffer buffer, int index, long value) {
        UnsafeApi.putLong(null, address(buffer, index, Long.BYTES), ordered(value));
    }

    /** Copies some bytes: of so few, a call that copies any number costs more than the copy. */
    static void copyFew(UnsafeBuffer from, int fromIndex, UnsafeBuffer to, int toIndex, int length) {
        copyFew(null, address(from, fromIndex, length), address(to, toIndex, length), length);
    }

    /** Copies all of an array of some bytes. */
    static void copyFew(byte[] from, UnsafeBuffer to, int toIndex) {
        copyFew(from, BufferUtil.ARRAY_BASE_OFFSET, address(to, toIndex, from.length), from.length);
    }

    private static void copyFew(byte[] from, long fromAddress, long toAddress, int length) {
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES) {
            UnsafeApi.putLong(null, toAddress + done, UnsafeApi.getLong(from, fromAddress + done));
        }
        if ((length & Integer.BYTES) != 0) {
            UnsafeApi.putInt(null, toAddress + done, UnsafeApi.getInt(from, fromAddress + done));
            done += Integer.BYTES;
        }
        if ((length & Short.BYTES) != 0) {
            UnsafeApi.putShort(null, toAddress + done, UnsafeApi.getShort(from, fromAddress + done));
            done += Short.BYTES;
        }
        if ((length & 1) != 0) {
            UnsafeApi.putByte(null, toAddress + done, UnsafeApi.getByte(from, fromAddress + done));
        }
    }

    /** {@return where a field of a buffer of direct memory is} */
    static long address(UnsafeBuffer buffer, int index, int length) {
        assert index >= 0 && index <= buffer.capacity() - length
                : "bytes " + index + " to " + (index + length) + " of a buffer of " + buffer.capacity();
        if (buffer.byteArray() != null) {
            throw new IllegalArgumentException("a buffer over an array of " + buffer.capacity()
                    + " bytes holds no frame: use ByteBuffer.allocateDirect");
        }
        return buffer.addressOffset() + index;
    }

    private static short ordered(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    private static int ordered(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    private static long ordered(long value) {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }
}
