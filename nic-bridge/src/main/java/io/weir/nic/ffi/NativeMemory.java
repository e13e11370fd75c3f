package io.weir.nic.ffi;

import io.weir.transport.frame.BufferAccess;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory for the structures that the C library reads and writes: direct, zeroed, in the machine's byte order.
 *
 * <p>An address outlives its buffer's reachability: a caller that passes {@link #address} on keeps the buffer
 * reachable until it returns ({@link Reference#reachabilityFence}). The methods of {@link Libc} that take buffers do
 * so.
 */
public final class NativeMemory {
    private NativeMemory() {}

    /** {@return a zeroed buffer of {@code lengthBytes}} */
    public static UnsafeBuffer allocate(int lengthBytes) {
        // Whatever asks the kernel before a pool is made gets here first.
        BufferAccess.open();
        return new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
    }

    /** {@return a buffer that holds {@code text} and the zero that ends it} */
    public static UnsafeBuffer text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        UnsafeBuffer buffer = allocate(bytes.length + 1);
        buffer.putBytes(0, bytes);
        return buffer;
    }

    /** {@return the bytes of a zero-terminated text of at most {@code lengthBytesMax} at {@code offset}} */
    public static String textAt(UnsafeBuffer buffer, int offset, int lengthBytesMax) {
        int length = 0;
        while (length < lengthBytesMax && buffer.getByte(offset + length) != 0) {
            length++;
        }
        return buffer.getStringWithoutLengthUtf8(offset, length);
    }

    /** {@return what {@code call} gives for the buffer's address; the buffer stays reachable meanwhile} */
    public static long call(UnsafeBuffer buffer, LongUnaryOperator call) {
        try {
            return call.applyAsLong(address(buffer));
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    /** {@return where {@code buffer} begins in the process's memory} */
    public static long address(UnsafeBuffer buffer) {
        return buffer.addressOffset();
    }
}
