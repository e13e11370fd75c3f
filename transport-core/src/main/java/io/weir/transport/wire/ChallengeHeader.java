package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The cookie that an initiator must return before the responder keeps any state. The tag is the initiator's.
 *
 * <pre>
 *  0                14       26     27
 *  +-- header ------+--------+------+
 *  |                | cookie | pause|
 *  +----------------+--------+------+
 * </pre>
 */
public final class ChallengeHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 14 + Cookie.BYTES + 1;

    private static final int PAUSE = 14 + Cookie.BYTES;

    private ChallengeHeader() {}

    /** {@return where the cookie stands} */
    public static int cookieAt(int at) {
        return at + WeirHeader.BYTES;
    }

    /** {@return how long the pauses of the frame's sender are, as a {@link PauseCode}} */
    public static int pauseCode(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PAUSE);
    }

    /** Writes all but the cookie. */
    public static void write(UnsafeBuffer buffer, int at, long tag, int pauseCode) {
        Bytes.put8(buffer, at + PAUSE, pauseCode);
        WeirHeader.writePrefix(buffer, at, FrameType.CHALLENGE, 0, tag);
        WeirHeader.packetNumber(buffer, at, 0);
    }
}
