package io.weir.transport.wire;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ones' complement checksum of IP and UDP (RFC 1071) and its incremental update (RFC 1624).
 *
 * <p>Sums are unfolded longs in the machine's byte order, eight bytes a step: a ones' complement sum may be taken in
 * any byte order as long as its result is swapped once (RFC 1071, section 2 B).
 */
public final class InternetChecksum {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /** Bytes that are added in one go, for the processor to work at side by side. */
    private static final int STRIDE_BYTES = 64;

    private InternetChecksum() {}

    /** {@return {@code sum} plus the unfolded sum of {@code length} bytes; all pieces but the last of even length} */
    public static long add(long sum, UnsafeBuffer buffer, int at, int length) {
        // One check for all that follows: one for each word took longer than the sum.
        buffer.boundsCheck(at, length);
        byte[] array = buffer.byteArray();
        long address = buffer.addressOffset() + at;
        // The low halves of all words are their sum without its high halves: exact modulo 2^64, and below that.
        long words = 0;
        long high = 0;
        // Loops over a long are not unrolled.
        for (int left = length & -STRIDE_BYTES; left > 0; left -= STRIDE_BYTES) {
            long word0 = UnsafeApi.getLong(array, address);
            long word1 = UnsafeApi.getLong(array, address + 8);
            long word2 = UnsafeApi.getLong(array, address + 16);
            long word3 = UnsafeApi.getLong(array, address + 24);
            long word4 = UnsafeApi.getLong(array, address + 32);
            long word5 = UnsafeApi.getLong(array, address + 40);
            long word6 = UnsafeApi.getLong(array, address + 48);
            long word7 = UnsafeApi.getLong(array, address + 56);
            words += ((word0 + word1) + (word2 + word3)) + ((word4 + word5) + (word6 + word7));
            high += (((word0 >>> 32) + (word1 >>> 32)) + ((word2 >>> 32) + (word3 >>> 32)))
                    + (((word4 >>> 32) + (word5 >>> 32)) + ((word6 >>> 32) + (word7 >>> 32)));
            address += STRIDE_BYTES;
        }
        long total = sum + (words - (high << 32)) + high;
        for (int left = length & (STRIDE_BYTES - 8); left > 0; left -= 8) {
            long word = UnsafeApi.getLong(array, address);
            total += (word & Bytes.U32) + (word >>> 32);
            address += 8;
        }
        if ((length & 4) != 0) {
            total += UnsafeApi.getInt(array, address) & Bytes.U32;
            address += 4;
        }
        if ((length & 2) != 0) {
            total += UnsafeApi.getShort(array, address) & 0xFFFF;
            address += 2;
        }
        if ((length & 1) != 0) {
            int octet = UnsafeApi.getByte(array, address) & 0xFF;
            total += LITTLE_ENDIAN ? octet : octet << 8;
        }
        return total;
    }

    /** {@return {@code sum} plus a 16-bit number that stands in the packet in network order} */
    public static long add16(long sum, int value) {
        return sum + (LITTLE_ENDIAN ? Short.reverseBytes((short) value) & 0xFFFF : value & 0xFFFF);
    }

    /** {@return the checksum field's value for an unfolded sum} */
    public static int finish(long sum) {
        return ~fold(sum) & 0xFFFF;
    }

    /** {@return whether an unfolded sum that includes the checksum field says that nothing was damaged} */
    public static boolean isIntact(long sum) {
        return fold(sum) == 0xFFFF;
    }

    /**
     * {@return the checksum field's value after one 16-bit field of the data went from {@code before} to {@code after}}
     */
    public static int update16(int checksum, int before, int after) {
        // RFC 1624, equation 3: HC' = ~(~HC + ~m + m')
        int sum = (~checksum & 0xFFFF) + (~before & 0xFFFF) + (after & 0xFFFF);
        sum = (sum & 0xFFFF) + (sum >>> 16);
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return ~sum & 0xFFFF;
    }

    private static int fold(long sum) {
        long folded = (sum & Bytes.U32) + (sum >>> 32);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        folded = (folded & 0xFFFF) + (folded >>> 16);
        int result = (int) folded;
        return LITTLE_ENDIAN ? Short.reverseBytes((short) result) & 0xFFFF : result;
    }
}
