package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells the receiver of the stream that no more credits are wanted (CREDIT_STOP in ExpressPass).
 *
 * <pre>
 *  0                14                        18
 *  +-- header ------+-------------------------+
 *  |                | highest credit received |
 *  +----------------+-------------------------+
 * </pre>
 */
public final class StopHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 18;

    private StopHeader() {}

    /** {@return the low 32 bits of the highest number of all credits that have come} */
    public static int creditSequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + 14);
    }

    /** Writes all but the packet number. */
    public static void write(UnsafeBuffer buffer, int at, long tag, long creditSequence) {
        WeirHeader.writePrefix(buffer, at, FrameType.STOP, 0, tag);
        Bytes.put32(buffer, at + 14, (int) creditSequence);
    }
}
