package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of a stream that follow from a seed and their offset, so that any piece can be made and checked anywhere.
 */
public final class StreamBytes {
    private StreamBytes() {}

    /** {@return the byte at {@code offset} of the stream with this seed} */
    public static byte at(long seed, long offset) {
        return (byte) (word(seed, offset) >>> (8 * (offset & 7)));
    }

    /** {@return the eight bytes around {@code offset}, the first one lowest} */
    private static long word(long seed, long offset) {
        return new SeededRandom(seed + (offset >>> 3)).nextLong();
    }

    /** Writes {@code length} bytes of the stream, from {@code offset} on. */
    public static void fill(MutableDirectBuffer target, int index, int length, long seed, long offset) {
        int i = 0;
        while (i < length) {
            if (length - i >= Long.BYTES && ((offset + i) & 7) == 0) {
                target.putLong(index + i, word(seed, offset + i), ByteOrder.LITTLE_ENDIAN);
                i += Long.BYTES;
            } else {
                target.putByte(index + i, at(seed, offset + i));
                i++;
            }
        }
    }

    /**
     * {@return how many of {@code length} bytes are those of the stream from {@code offset} on, up to the first wrong
     * one}
     */
    public static int match(DirectBuffer source, int index, int length, long seed, long offset) {
        int i = 0;
        while (i < length) {
            if (length - i >= Long.BYTES
                    && ((offset + i) & 7) == 0
                    && source.getLong(index + i, ByteOrder.LITTLE_ENDIAN) == word(seed, offset + i)) {
                i += Long.BYTES;
            } else if (source.getByte(index + i) == at(seed, offset + i)) {
                i++;
            } else {
                return i;
            }
        }
        return length;
    }
}
