package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Refuses an opening, or ends a connection at once. Its tag is what the receiver demands; with the reasons {@link
 * #UNKNOWN} and {@link #ENDED} it is what the receiver had sent, as the packet number is, which proves that the answer
 * is from somebody who has seen that frame.
 *
 * <pre>
 *  0                14       15
 *  +-- header ------+--------+
 *  |                | reason |
 *  +----------------+--------+
 * </pre>
 */
public final class ResetHeader {
    /** Bytes of the frame. */
    public static final int BYTES = 15;

    /** Reason: nobody listens on the port. */
    public static final int REFUSED = 1;
    /** Reason: the application aborted the connection. */
    public static final int ABORTED = 2;
    /** Reason: no protocol that both sides speak. */
    public static final int NO_PROTOCOL = 3;
    /** Reason: the other side did not answer in time. */
    public static final int TIMED_OUT = 4;

    /** Reason: no memory for another connection, or as many as the peer or all peers may have. */
    public static final int BUSY = 5;

    /** Reason: the sender has no connection for the frame that this answers, whose tag and packet number it bears. */
    public static final int UNKNOWN = 6;

    /**
     * Reason: the connection of the frame that this answers, whose tag and packet number it bears, has ended in order;
     * the peer's whole stream and its end had arrived.
     */
    public static final int ENDED = 7;

    private ResetHeader() {}

    /**
     * {@return whether one with this reason shows that its sender's application had the connection} Its tag, which the
     * acceptance has brought, is the proof.
     */
    public static boolean confirms(int reason) {
        return reason == ABORTED;
    }

    /** {@return whether one with this reason answers a frame of a connection that its sender does not have} */
    public static boolean isAnswer(int reason) {
        return reason == UNKNOWN || reason == ENDED;
    }

    /** {@return why} */
    public static int reason(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + WeirHeader.BYTES);
    }

    /**
     * Writes the answer to a frame, in its place or elsewhere, that had this tag and these low bits of its packet
     * number.
     *
     * @param reason {@link #UNKNOWN} or {@link #ENDED}
     */
    public static void writeAnswer(UnsafeBuffer buffer, int at, long tag, int packetNumber, int reason) {
        write(buffer, at, tag, reason);
        WeirHeader.packetNumber(buffer, at, packetNumber);
    }

    /** Writes the whole frame. */
    public static void write(UnsafeBuffer buffer, int at, long tag, int reason) {
        WeirHeader.writePrefix(buffer, at, FrameType.RESET, 0, tag);
        WeirHeader.packetNumber(buffer, at, 0);
        Bytes.put8(buffer, at + WeirHeader.BYTES, reason);
    }
}
