package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A credit: the right to send one data frame, or several. 18 bytes, so that over IPv4 it is a minimum Ethernet frame;
 * padded at random by up to 8 bytes more.
 *
 * <pre>
 *  0               10                14              18
 *  +-- prefix -----+-----------------+---------------+- - - -
 *  |               | credit sequence | low 32 of ack | padding
 *  +---------------+-----------------+---------------+- - - -
 * </pre>
 *
 * <p>A credit for several frames uses up as many consecutive numbers, of which the header has the first. The high six
 * bits of the flags hold the count less one, so that every value is a count, and a credit for one frame looks as it
 * would without counts.
 *
 * <p>The acknowledgement is a hint: no check sequence protects it, so it moves the sender's window and frees nothing.
 */
public final class CreditHeader {
    /** Bytes without padding. */
    public static final int BYTES = 18;

    /** Flag: the sender may keep this credit for its first frame after being idle. */
    public static final int FLAG_STANDING = 1;

    /** The most frames that one credit may grant: what six bits hold. */
    public static final int FRAMES_MAX = 64;

    private static final int FRAMES_SHIFT = 2;
    private static final int FLAGS = 1;

    private CreditHeader() {}

    /** {@return the flags of a credit for {@code frames} frames, 1 to {@value #FRAMES_MAX}} */
    public static int withFrames(int flags, int frames) {
        return flags | (frames - 1) << FRAMES_SHIFT;
    }

    /** {@return how many frames a credit with these flags grants, at least 1} */
    public static int frames(int flags) {
        return ((flags & 0xFF) >>> FRAMES_SHIFT) + 1;
    }

    /** {@return how many frames the credit grants that a frame of the credit class holds} */
    public static int frames(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        boolean isV4 = Ethernet.type(buffer, frame.offset()) == Ethernet.TYPE_IPV4;
        int at = frame.offset() + (isV4 ? HeaderTemplate.BYTES_V4 : HeaderTemplate.BYTES_V6);
        return frames(Bytes.u8(buffer, at + FLAGS));
    }

    /** {@return the low 32 bits of the credit's first number} */
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

    /** Writes so many bytes of padding behind a credit, in words: a few more bytes of the slot may become 0. */
    public static void pad(UnsafeBuffer buffer, int at, int paddingBytes) {
        for (int i = 0; i < paddingBytes; i += Long.BYTES) {
            Bytes.put64(buffer, at + BYTES + i, 0);
        }
    }

    /** {@return whether it may be kept for the first frame after being idle} */
    public static boolean isStanding(UnsafeBuffer buffer, int at) {
        return (WeirHeader.flags(buffer, at) & FLAG_STANDING) != 0;
    }
}
