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

    /** Where the high half of a word of eight bytes is in it. */
    private static final int HIGH_AT = LITTLE_ENDIAN ? Integer.BYTES : 0;

    /** Bytes that are added in one go, for the processor to work at side by side. */
    private static final int STRIDE_BYTES = 64;

    private InternetChecksum() {}

    /** {@return {@code sum} plus the unfolded sum of {@code length} bytes; all pieces but the last of even length} */
    public static long add(long sum, UnsafeBuffer buffer, int at, int length) {
        // One check for all that follows: one for each word took longer than the sum.
        buffer.boundsCheck(at, length);
        long address = Bytes.address(buffer, at, length);
        // The low halves of all words are their sum without its high halves: exact modulo 2^64, and below that.
        // A high half is loaded for itself: a processor has more room for loads than for shifts. There are two sums of
        // each, since one would wait for its own additions.
        long evenWords = 0;
        long oddWords = 0;
        long evenHigh = 0;
        long oddHigh = 0;
        // Loops over a long are not unrolled.
        for (int left = length & -STRIDE_BYTES; left > 0; left -= STRIDE_BYTES) {
            evenWords += UnsafeApi.getLong(null, address);
            evenHigh += UnsafeApi.getInt(null, address + HIGH_AT) & Bytes.U32;
            oddWords += UnsafeApi.getLong(null, address + 8);
            oddHigh += UnsafeApi.getInt(null, address + 8 + HIGH_AT) & Bytes.U32;
            evenWords += UnsafeApi.getLong(null, address + 16);
            evenHigh += UnsafeApi.getInt(null, address + 16 + HIGH_AT) & Bytes.U32;
            oddWords += UnsafeApi.getLong(null, address + 24);
            oddHigh += UnsafeApi.getInt(null, address + 24 + HIGH_AT) & Bytes.U32;
            evenWords += UnsafeApi.getLong(null, address + 32);
            evenHigh += UnsafeApi.getInt(null, address + 32 + HIGH_AT) & Bytes.U32;
            oddWords += UnsafeApi.getLong(null, address + 40);
            oddHigh += UnsafeApi.getInt(null, address + 40 + HIGH_AT) & Bytes.U32;
            evenWords += UnsafeApi.getLong(null, address + 48);
            evenHigh += UnsafeApi.getInt(null, address + 48 + HIGH_AT) & Bytes.U32;
            oddWords += UnsafeApi.getLong(null, address + 56);
            oddHigh += UnsafeApi.getInt(null, address + 56 + HIGH_AT) & Bytes.U32;
            address += STRIDE_BYTES;
        }
        long high = evenHigh + oddHigh;
        long total = sum + (evenWords + oddWords - (high << 32)) + high;
        for (int left = length & (STRIDE_BYTES - 8); left > 0; left -= 8) {
            long word = UnsafeApi.getLong(null, address);
            total += (word & Bytes.U32) + (word >>> 32);
            address += 8;
        }
        if ((length & 4) != 0) {
            total += UnsafeApi.getInt(null, address) & Bytes.U32;
            address += 4;
        }
        if ((length & 2) != 0) {
            total += UnsafeApi.getShort(null, address) & 0xFFFF;
            address += 2;
        }
        if ((length & 1) != 0) {
            int octet = UnsafeApi.getByte(null, address) & 0xFF;
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
