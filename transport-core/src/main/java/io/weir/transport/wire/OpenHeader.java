package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Opens a connection. The tag is the one that the initiator demands in all frames sent to it. Padded to {@link
 * AcceptHeader#BYTES}, so that no reply is larger than what caused it. Switches that meter credits change byte 40.
 *
 * <pre>
 *  0                14         15     16         18    20               24        28       40       41           45
 *  +-- header ------+----------+------+----------+-----+----------------+---------+--------+--------+------------+- -
 *  |                | protocol | pause| protocols| MTU | receive window | backlog | cookie | frames | round trip | 0
 *  +----------------+----------+------+----------+-----+----------------+---------+--------+--------+------------+- -
 * </pre>
 */
public final class OpenHeader {
    /** Bytes with padding. */
    public static final int BYTES = AcceptHeader.BYTES;

    /** Flag: the cookie field returns the cookie of a {@link FrameType#CHALLENGE}. */
    public static final int FLAG_COOKIE = 1;
    /** Flag: the cookie field holds a token from an earlier connection. */
    public static final int FLAG_TOKEN = 2;
    /** Flag: the initiator has data, and asks for credits. */
    public static final int FLAG_CREDIT_REQUEST = 4;
    /** Flag: takes acknowledgements and credits that ride on data. */
    public static final int FLAG_TAKES_RIDERS = 8;

    private static final int PROTOCOL = 14;
    private static final int PAUSE = 15;
    private static final int PROTOCOLS = 16;
    private static final int MTU = 18;
    private static final int RECEIVE_WINDOW = 20;
    private static final int BACKLOG = 24;
    private static final int COOKIE = 28;
    static final int CREDIT_FRAMES = 40;
    private static final int ROUND_TRIP = 41;

    private OpenHeader() {}

    /** {@return the code of the protocol that the initiator would like} */
    public static int protocol(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PROTOCOL);
    }

    /** {@return the protocols that the initiator can speak: bit n for code n} */
    public static int protocols(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + PROTOCOLS);
    }

    /** {@return the largest IP packet that the initiator can take} */
    public static int mtuBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + MTU);
    }

    /** {@return the receive window of the initiator} */
    public static long receiveWindowBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + RECEIVE_WINDOW);
    }

    /** {@return bytes that wait at the initiator: a hint} */
    public static long backlogBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + BACKLOG);
    }

    /** {@return how long the pauses of the frame's sender are, as a {@link PauseCode}} */
    public static int pauseCode(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PAUSE);
    }

    /** Writes how long the pauses of the frame's sender are. */
    public static void pauseCode(UnsafeBuffer buffer, int at, int code) {
        Bytes.put8(buffer, at + PAUSE, code);
    }

    /**
     * {@return how many frames one credit may grant, as far as the frame's sender and the switches on its way let it}
     */
    public static int creditFrames(UnsafeBuffer buffer, int at) {
        return Math.min(Bytes.u8(buffer, at + CREDIT_FRAMES) + 1, CreditHeader.FRAMES_MAX);
    }

    /** Writes how many frames one credit may grant, less one: a switch that meters credits makes it 0. */
    public static void creditFrames(UnsafeBuffer buffer, int at, int frames) {
        Bytes.put8(buffer, at + CREDIT_FRAMES, frames - 1);
    }

    /** {@return the round trip to the responder in nanoseconds, as the initiator has measured it; 0 if it has not} */
    public static long roundTripNanos(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + ROUND_TRIP);
    }

    /** Writes the round trip to the responder, or 0 if none has been measured. */
    public static void roundTripNanos(UnsafeBuffer buffer, int at, long nanos) {
        Bytes.putSaturated32(buffer, at + ROUND_TRIP, nanos);
    }

    /** {@return where the cookie stands} */
    public static int cookieAt(int at) {
        return at + COOKIE;
    }

    /** Writes prefix and padding; the other fields have separate writers. */
    public static void write(UnsafeBuffer buffer, int at, int flags, long tag) {
        WeirHeader.writePrefix(buffer, at, FrameType.OPEN, flags, tag);
        buffer.setMemory(at + PROTOCOL, BYTES - PROTOCOL, (byte) 0);
    }

    /** Writes what the initiator speaks and can take. */
    public static void offer(UnsafeBuffer buffer, int at, int protocol, int protocols, int mtuBytes) {
        Bytes.put8(buffer, at + PROTOCOL, protocol);
        Bytes.put16(buffer, at + PROTOCOLS, protocols);
        Bytes.put16(buffer, at + MTU, mtuBytes);
    }

    /** Writes the receive window and the backlog hint. */
    public static void amounts(UnsafeBuffer buffer, int at, long receiveWindowBytes, long backlogBytes) {
        Bytes.putSaturated32(buffer, at + RECEIVE_WINDOW, receiveWindowBytes);
        Bytes.putSaturated32(buffer, at + BACKLOG, backlogBytes);
    }
}
