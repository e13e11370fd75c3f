package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A credit: the right to send one data frame. 18 bytes, so that over IPv4 it is a minimum Ethernet frame; padded at random
 * by up to 8 bytes more.
 *
 * <pre>
 *  0               10                14              18
 *  +-- prefix -----+-----------------+---------------+- - - -
 *  |               | credit sequence | low 32 of ack | padding
 *  +---------------+-----------------+---------------+- - - -
 * </pre>
 *
 * <p>The acknowledgement is a hint: no check sequence protects it, so it moves the sender's window and frees nothing.
 */
public final class CreditHeader {
    /** Bytes without padding. */
    public static final int BYTES = 18;

    /** Flag: the sender may keep this credit for its first frame after being idle. */
    public static final int FLAG_STANDING = 1;

    private CreditHeader() {}

    /** {@return the low 32 bits of the credit's number} */
    public static int sequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + 10);
    }

    /** {@return the low 32 bits of the stream offset up to which all data has arrived} */
    public static int ackLow32(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + 14);
    }

    /** Writes a whole credit. */
    public static void write(UnsafeBuffer buffer, int at, long tag, int flags, long sequence, long ackOffset) {
        WeirHeader.writePrefix(buffer, at, FrameType.CREDIT, flags, tag);
        Bytes.put32(buffer, at + 10, (int) sequence);
        Bytes.put32(buffer, at + 14, (int) ackOffset);
    }

    /** {@return whether it may be kept for the first frame after being idle} */
    public static boolean isStanding(UnsafeBuffer buffer, int at) {
        return (WeirHeader.flags(buffer, at) & FLAG_STANDING) != 0;
    }
}
