package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The bytes of a stream that follow from a seed and their offset, so that any piece can be made and checked anywhere. */
public final class StreamBytes {
    private StreamBytes() {}

    /** {@return the byte at {@code offset} of the stream with this seed} */
    public static byte at(long seed, long offset) {
        long word = new SeededRandom(seed + (offset >>> 3)).nextLong();
        return (byte) (word >>> (8 * (offset & 7)));
    }

    /** Writes {@code length} bytes of the stream, from {@code offset} on. */
    public static void fill(MutableDirectBuffer target, int index, int length, long seed, long offset) {
        for (int i = 0; i < length; i++) {
            target.putByte(index + i, at(seed, offset + i));
        }
    }

    /** {@return how many of {@code length} bytes are those of the stream from {@code offset} on, up to the first wrong one} */
    public static int match(DirectBuffer source, int index, int length, long seed, long offset) {
        for (int i = 0; i < length; i++) {
            if (source.getByte(index + i) != at(seed, offset + i)) {
                return i;
            }
        }
        return length;
    }
}
