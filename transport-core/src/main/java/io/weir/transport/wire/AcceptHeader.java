package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Accepts an opening. The tag in the prefix is the initiator's; the one in the body is what the responder demands in
 * all frames sent to it from now on. Switches that meter credits change byte 46.
 *
 * <pre>
 *  0                14              22         23    24    26               30        34      46     47
 *  +-- header ------+---------------+----------+-----+-----+----------------+---------+-------+------+------+
 *  |                | responder tag | protocol |pause| MTU | receive window | backlog | token |frames| wait |
 *  +----------------+---------------+----------+-----+-----+----------------+---------+-------+------+------+
 * </pre>
 */
public final class AcceptHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 48;

    /** Flag: the responder has data, and asks for credits. */
    public static final int FLAG_CREDIT_REQUEST = 4;
    /** Flag: takes acknowledgements and credits that ride on data. */
    public static final int FLAG_TAKES_RIDERS = 8;
    /** Flag: what the opening asked credits for confirms the connection, and no frame has to do so before. */
    public static final int FLAG_DATA_CONFIRMS = 16;

    /** Flag: grants the initiator the first credit of its flow, a standing one. */
    public static final int FLAG_GRANT = 32;

    /** The number of the credit that {@link #FLAG_GRANT} grants. */
    public static final int GRANTED_SEQUENCE = 1;

    private static final int RESPONDER_TAG = 14;
    private static final int PROTOCOL = 22;
    private static final int PAUSE = 23;
    private static final int MTU = 24;
    private static final int RECEIVE_WINDOW = 26;
    private static final int BACKLOG = 30;
    private static final int TOKEN = 34;
    static final int CREDIT_FRAMES = 46;
    private static final int WAIT = 47;

    private AcceptHeader() {}

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

    /** {@return how long the first credit may wait for its turn at the responder, coded as a {@link PauseCode}} */
    public static int waitCode(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + WAIT);
    }

    /** Writes how long the first credit may wait for its turn at the responder, coded as a {@link PauseCode}. */
    public static void waitCode(UnsafeBuffer buffer, int at, int code) {
        Bytes.put8(buffer, at + WAIT, code);
    }

    /** {@return the tag that the responder demands} */
    public static long responderTag(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + RESPONDER_TAG);
    }

    /** {@return the code of the protocol that the connection will speak} */
    public static int protocol(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PROTOCOL);
    }

    /** {@return the largest IP packet that the responder can take} */
    public static int mtuBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + MTU);
    }

    /** {@return the receive window of the responder} */
    public static long receiveWindowBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + RECEIVE_WINDOW);
    }

    /** {@return bytes that wait at the responder: a hint} */
    public static long backlogBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + BACKLOG);
    }

    /** {@return where the token for a later connection stands} */
    public static int tokenAt(int at) {
        return at + TOKEN;
    }

    /** Writes prefix, responder tag and padding; the other fields have separate writers. */
    public static void write(UnsafeBuffer buffer, int at, int flags, long tag, long responderTag) {
        WeirHeader.writePrefix(buffer, at, FrameType.ACCEPT, flags, tag);
        buffer.setMemory(at + RESPONDER_TAG, BYTES - RESPONDER_TAG, (byte) 0);
        Bytes.put64(buffer, at + RESPONDER_TAG, responderTag);
    }

    /** Writes what the connection will speak and the responder can take. */
    public static void choice(UnsafeBuffer buffer, int at, int protocol, int mtuBytes) {
        Bytes.put8(buffer, at + PROTOCOL, protocol);
        Bytes.put16(buffer, at + MTU, mtuBytes);
    }

    /** Writes the receive window and the backlog hint. */
    public static void amounts(UnsafeBuffer buffer, int at, long receiveWindowBytes, long backlogBytes) {
        Bytes.putSaturated32(buffer, at + RECEIVE_WINDOW, receiveWindowBytes);
        Bytes.putSaturated32(buffer, at + BACKLOG, backlogBytes);
    }
}
