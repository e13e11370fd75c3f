package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Asks the receiver of the stream for credits.
 *
 * <pre>
 *  0                14             18                       22
 *  +-- header ------+--------------+------------------------+
 *  |                | backlog      | highest credit received|
 *  +----------------+--------------+------------------------+
 * </pre>
 */
public final class RequestHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 22;

    /** Flag: credits are answer enough; nothing is in flight, and the window is open. */
    public static final int FLAG_CREDITS_ANSWER = 1;

    /** Flag: repeats what the receiver has been told, since no credit came in time. */
    public static final int FLAG_REPEATED = 2;

    private RequestHeader() {}

    /** {@return bytes that wait at the sender, saturated at 2^32 - 1: a hint} */
    public static long backlogBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + 14);
    }

    /** {@return the low 32 bits of the highest number of all credits that have come, 0 before the first} */
    public static int creditSequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + 18);
    }

    /** Writes all but the packet number. */
    public static void write(UnsafeBuffer buffer, int at, int flags, long tag, long backlogBytes, long creditSequence) {
        WeirHeader.writePrefix(buffer, at, FrameType.REQUEST, flags, tag);
        Bytes.putSaturated32(buffer, at + 14, backlogBytes);
        Bytes.put32(buffer, at + 18, (int) creditSequence);
    }
}
