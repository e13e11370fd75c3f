package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * What all Weir frames share: version and type, flags, and the tag that the receiver demands; after those, in every
 * frame but a credit, the packet number.
 *
 * <pre>
 *  0       1       2                                       10              14
 *  +-------+-------+---------------------------------------+---------------+
 *  |ver|typ| flags | tag                                   | packet number |
 *  +-------+-------+---------------------------------------+---------------+
 * </pre>
 */
public final class WeirHeader {
    /** The version that this build speaks. */
    public static final int VERSION = 1;

    /** Bytes of the part that credits have too. */
    public static final int PREFIX_BYTES = 10;

    /** Bytes up to and with the packet number. */
    public static final int BYTES = 14;

    private static final int FLAGS = 1;
    private static final int TAG = 2;
    private static final int PACKET_NUMBER = 10;

    /** What no frame has as its tag. */
    public static final long NO_TAG = 0;

    private WeirHeader() {}

    /** {@return the version} */
    public static int version(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at) >>> 4;
    }

    /** {@return the frame type, or null for one that this build does not know} */
    public static FrameType type(UnsafeBuffer buffer, int at) {
        return FrameType.of(Bytes.u8(buffer, at));
    }

    /** {@return the flags, whose meaning is the type's} */
    public static int flags(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + FLAGS);
    }

    /** {@return the tag} */
    public static long tag(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + TAG);
    }

    /**
     * {@return the tag of a frame of which {@code length} bytes are left, or {@link #NO_TAG} if it is none of ours, or
     * too few are}
     */
    public static long quotedTag(UnsafeBuffer buffer, int at, int length) {
        boolean isOurs = length >= PREFIX_BYTES && version(buffer, at) == VERSION && type(buffer, at) != null;
        return isOurs ? tag(buffer, at) : NO_TAG;
    }

    /** {@return the low 32 bits of the packet number} */
    public static int packetNumber(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + PACKET_NUMBER);
    }

    /** Writes the prefix. */
    public static void writePrefix(UnsafeBuffer buffer, int at, FrameType type, int flags, long tag) {
        Bytes.put8(buffer, at, VERSION << 4 | type.code());
        Bytes.put8(buffer, at + FLAGS, flags);
        Bytes.put64(buffer, at + TAG, tag);
    }

    /** Sets a flag in a prefix that has been written. */
    static void addFlag(UnsafeBuffer buffer, int at, int flag) {
        Bytes.put8(buffer, at + FLAGS, flags(buffer, at) | flag);
    }

    /** Writes the packet number. */
    public static void packetNumber(UnsafeBuffer buffer, int at, long number) {
        Bytes.put32(buffer, at + PACKET_NUMBER, (int) number);
    }
}
