package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A segment of the stream and the credit that it spends.
 *
 * <pre>
 *  0                14       18              22          24
 *  +-- header ------+--------+---------------+-----------+----------------+
 *  |                | CRC32C | credit sequence| wasted   | stream offset  |
 *  +----------------+--------+---------------+-----------+----------------+
 *  32        34              38       42              46      47     48
 *  +---------+---------------+--------+---------------+-------+------+- - - -
 *  | length  | backlog       | t1     | window, grant | marks | pause| payload
 *  +---------+---------------+--------+---------------+-------+------+- - - -
 * </pre>
 *
 * <p>Flows that spend no credits have the round-trip time that their sender knows in place of the credit sequence.
 *
 * <p>Bytes 42 to 47 may be changed by switches and lie outside the CRC32C.
 */
public final class DataHeader {
    /** Bytes before the payload. */
    public static final int BYTES = 48;

    /** Flag: the stream ends with this segment. */
    public static final int FLAG_FIN = 1;

    /** Flag: the frame brings a standing credit for the stream in the other direction along. */
    public static final int FLAG_GRANT = 2;

    /**
     * Flag: of the credits that came and sent nothing, some found the sender with too many in hand, since the data
     * frame before.
     */
    public static final int FLAG_SURPLUS = 4;

    /** Flag: an acknowledgement of the stream in the other direction stands before the payload. */
    public static final int FLAG_ACK = 8;

    /** Flag: a credit for several frames stands before the payload, behind the acknowledgement if there is one. */
    public static final int FLAG_CREDIT = 16;
    /** Flag: credits for the stream must grant one frame each, because a meter stands on their way. */
    public static final int FLAG_CREDITED_SINGLY = 32;

    /** Bytes of a credit before the payload: first number, how many frames less one, three zeros. */
    public static final int CREDIT_BYTES = 8;

    /** The most that stands between the headers of UDP and a payload, with all that may ride on data. */
    static final int BYTES_MAX = BYTES + AckHeader.ridingBytes(AckHeader.RANGES_MAX) + CREDIT_BYTES;

    /** The credit sequence of a frame that spends none. */
    public static final int NO_CREDIT = 0;

    /** A window field that nobody has set (TFC). */
    public static final int WINDOW_UNSET = -1;

    private static final int CRC = 14;
    private static final int CREDIT_SEQUENCE = 18;
    private static final int WASTED = 22;
    private static final int STREAM_OFFSET = 24;
    private static final int LENGTH = 32;
    private static final int BACKLOG = 34;
    private static final int T1 = 38;
    static final int WINDOW = 42;
    private static final int MARKS = 46;
    private static final int PAUSE = 47;

    private DataHeader() {}

    static boolean isValid(UnsafeBuffer buffer, int at, int length) {
        if (length < BYTES || streamOffset(buffer, at) < 0) {
            return false;
        }
        int bodyBytes = length - BYTES;
        boolean isAckWhole = !carriesAck(buffer, at) || AckHeader.isRidingValid(buffer, at, bodyBytes);
        return isAckWhole && payloadBytes(buffer, at) + riderBytes(buffer, at) == bodyBytes;
    }

    /** {@return whether an acknowledgement stands before the payload} */
    public static boolean carriesAck(UnsafeBuffer buffer, int at) {
        return (WeirHeader.flags(buffer, at) & FLAG_ACK) != 0;
    }

    /** {@return bytes of the acknowledgement before the payload, or 0 when there is none} */
    public static int ackBytes(UnsafeBuffer buffer, int at) {
        return carriesAck(buffer, at) ? AckHeader.ridingBytes(AckHeader.rangeCount(buffer, AckHeader.ridingAt(at))) : 0;
    }

    /** {@return whether a credit for several frames stands before the payload} */
    public static boolean carriesCredit(UnsafeBuffer buffer, int at) {
        return (WeirHeader.flags(buffer, at) & FLAG_CREDIT) != 0;
    }

    /** {@return bytes of what rides on the frame: stands before its payload} */
    public static int riderBytes(UnsafeBuffer buffer, int at) {
        return ackBytes(buffer, at) + (carriesCredit(buffer, at) ? CREDIT_BYTES : 0);
    }

    /** {@return where the payload begins} */
    public static int payloadAt(UnsafeBuffer buffer, int at) {
        return at + BYTES + riderBytes(buffer, at);
    }

    /** {@return the low 32 bits of the first number of the credit before the payload} */
    public static int riddenSequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + BYTES + ackBytes(buffer, at));
    }

    /** {@return how many frames the credit before the payload permits, as the peer says} */
    public static int riddenFrames(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + BYTES + ackBytes(buffer, at) + 4) + 1;
    }

    /** Writes a credit at {@code index}, behind the data header and the acknowledgement that rides. */
    public static void writeCredit(UnsafeBuffer buffer, int index, int sequenceLow32, int frames) {
        Bytes.put32(buffer, index, sequenceLow32);
        Bytes.put32(buffer, index + 4, (frames - 1) << 24);
    }

    /** {@return the low 32 bits of the number of the credit spent, or {@link #NO_CREDIT}} */
    public static int creditSequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + CREDIT_SEQUENCE);
    }

    /** {@return the round-trip time that the sender of a flow without credits knows, in nanoseconds, 0 for none} */
    public static long roundTripNanos(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + CREDIT_SEQUENCE);
    }

    /** Writes the round-trip time, saturated, in place of a credit's number. */
    public static void roundTripNanos(UnsafeBuffer buffer, int at, long nanos) {
        Bytes.putSaturated32(buffer, at + CREDIT_SEQUENCE, nanos);
    }

    /** {@return the low 16 bits of how many credits have come and sent nothing, ever} */
    public static int creditsWasted(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + WASTED);
    }

    /** {@return where in the stream the payload begins} */
    public static long streamOffset(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + STREAM_OFFSET);
    }

    /** {@return bytes of payload} */
    public static int payloadBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + LENGTH);
    }

    /** {@return bytes that wait at the sender beyond this segment, saturated at 2^32 - 1: a hint} */
    public static long backlogBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + BACKLOG);
    }

    /** {@return the low 32 bits of the sender's clock in nanoseconds when the frame left (DX, t1)} */
    public static int t1(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + T1);
    }

    /** Writes the header without packet number; the CRC32C is 0 until {@link #seal}. */
    public static void write(UnsafeBuffer buffer, int at, long tag, int flags, long streamOffset, int payloadBytes) {
        WeirHeader.writePrefix(buffer, at, FrameType.DATA, flags, tag);
        Bytes.put32(buffer, at + CRC, 0);
        Bytes.put64(buffer, at + STREAM_OFFSET, streamOffset);
        Bytes.put16(buffer, at + LENGTH, payloadBytes);
        Bytes.put32(buffer, at + WINDOW, WINDOW_UNSET);
        Bytes.put16(buffer, at + MARKS, 0);
    }

    /** Writes which credit the segment spends and how many were wasted before. */
    public static void credit(UnsafeBuffer buffer, int at, long sequence, long wastedCount) {
        Bytes.put32(buffer, at + CREDIT_SEQUENCE, (int) sequence);
        Bytes.put16(buffer, at + WASTED, (int) wastedCount);
    }

    /** Says that credits have come faster than they could be used, since the data frame before. */
    public static void tellSurplus(UnsafeBuffer buffer, int at) {
        WeirHeader.addFlag(buffer, at, FLAG_SURPLUS);
    }

    /** {@return whether credits have come faster than they could be used, since the data frame before} */
    public static boolean tellsSurplus(UnsafeBuffer buffer, int at) {
        return (WeirHeader.flags(buffer, at) & FLAG_SURPLUS) != 0;
    }

    /** Writes the backlog hint. */
    public static void backlogBytes(UnsafeBuffer buffer, int at, long bytes) {
        Bytes.putSaturated32(buffer, at + BACKLOG, bytes);
    }

    /**
     * Adds a standing credit for the stream in the other direction. It takes the place of the window, which flows that
     * live on credits do not use.
     */
    public static void grant(UnsafeBuffer buffer, int at, long sequence) {
        WeirHeader.addFlag(buffer, at, FLAG_GRANT);
        Bytes.put32(buffer, at + WINDOW, (int) sequence);
    }

    /** {@return the low 32 bits of the number of the credit that {@link #FLAG_GRANT} tells of} */
    public static int grantedSequence(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + WINDOW);
    }

    /** {@return the window field, {@link #WINDOW_UNSET} when nobody has set it} */
    public static int window(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + WINDOW);
    }

    /** {@return the {@link Marks}} */
    public static int marks(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + MARKS);
    }

    /** Writes the window field and the {@link Marks}. */
    public static void window(UnsafeBuffer buffer, int at, int window, int marks) {
        Bytes.put32(buffer, at + WINDOW, window);
        Bytes.put8(buffer, at + MARKS, marks);
    }

    /** {@return how long the sender's pauses are, as a {@link PauseCode}} */
    public static int pauseCode(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PAUSE);
    }

    /** Writes how long the sender's pauses are. */
    public static void pauseCode(UnsafeBuffer buffer, int at, int code) {
        Bytes.put8(buffer, at + PAUSE, code);
    }

    /** Writes the time at which the frame leaves. */
    public static void t1(UnsafeBuffer buffer, int at, long nowNanos) {
        Bytes.put32(buffer, at + T1, (int) nowNanos);
    }

    /** Writes the CRC32C of what no switch may change. */
    public static void seal(UnsafeBuffer buffer, int at, Crc32c crc) {
        Bytes.put32(buffer, at + CRC, crcOf(buffer, at, crc));
    }

    /** {@return whether the CRC32C is right} */
    public static boolean isIntact(UnsafeBuffer buffer, int at, Crc32c crc) {
        return Bytes.i32(buffer, at + CRC) == crcOf(buffer, at, crc);
    }

    private static int crcOf(UnsafeBuffer buffer, int at, Crc32c crc) {
        UnsafeBuffer header = crc.gathered();
        Bytes.copyFew(buffer, at, header, 0, CRC);
        Bytes.copyFew(buffer, at + CREDIT_SEQUENCE, header, CRC, WINDOW - CREDIT_SEQUENCE);
        return crc.reset()
                .addGathered(CRC + WINDOW - CREDIT_SEQUENCE)
                .add(buffer, at + BYTES, riderBytes(buffer, at) + payloadBytes(buffer, at))
                .value();
    }
}
