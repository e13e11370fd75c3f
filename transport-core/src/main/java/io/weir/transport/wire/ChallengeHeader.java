package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The cookie that an initiator must return before the responder keeps any state. The tag is the initiator's.
 *
 * <pre>
 *  0                14       26
 *  +-- header ------+--------+
 *  |                | cookie |
 *  +----------------+--------+
 * </pre>
 */
public final class ChallengeHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 14 + Cookie.BYTES;

    private ChallengeHeader() {}

    /** {@return where the cookie stands} */
    public static int cookieAt(int at) {
        return at + WeirHeader.BYTES;
    }

    /** Writes all but the cookie. */
    public static void write(UnsafeBuffer buffer, int at, long tag) {
        WeirHeader.writePrefix(buffer, at, FrameType.CHALLENGE, 0, tag);
        WeirHeader.packetNumber(buffer, at, 0);
    }
}
