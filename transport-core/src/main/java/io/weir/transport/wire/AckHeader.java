package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A protected acknowledgement: cumulative offset, receive window, time stamps, and selective ranges.
 *
 * <pre>
 *  0                14       18            26               30                       34   38   42   46
 *  +-- header ------+--------+-------------+----------------+------------------------+----+----+----+
 *  |                | CRC32C | ack offset  | receive window | largest packet number  | t1 | t2 | t3 |
 *  +----------------+--------+-------------+----------------+------------------------+----+----+----+
 *  46               50             52           53   54       58      59       60
 *  +----------------+--------------+------------+----+--------+-------+--------+- - - - - - - - - - - -
 *  | CE frames      | frames acked | range count| p. | window | marks | frames | ranges: gap, length ...
 *  +----------------+--------------+------------+----+--------+-------+--------+- - - - - - - - - - - -
 * </pre>
 *
 * <p>A range is two 32-bit numbers: how far beyond the ack offset it begins, and its length. Ranges rise and do not
 * touch. Byte 53 is the receiver's pauses; byte 59 is how many frames one credit may grant it as a sender, less one.
 * Bytes 54 to 59 may be changed by switches and lie outside the CRC32C.
 */
public final class AckHeader {
    /** Bytes before the ranges. */
    public static final int BYTES = 60;

    /** Bytes of a range. */
    public static final int RANGE_BYTES = 8;

    /** Bytes before the ranges where the acknowledgement rides on data: all from the ack offset on. */
    public static final int RIDING_BYTES = BYTES - 18;

    /** Flag: the time stamps belong to a data frame that came since the ack before. */
    public static final int FLAG_TIMES = 1;

    /** The most ranges in one acknowledgement. */
    public static final int RANGES_MAX = 8;

    private static final int CRC = 14;
    private static final int ACK_OFFSET = 18;
    private static final int RECEIVE_WINDOW = 26;
    private static final int LARGEST_PACKET_NUMBER = 30;
    private static final int T1 = 34;
    private static final int T2 = 38;
    private static final int T3 = 42;
    private static final int CE_FRAMES = 46;
    private static final int FRAMES = 50;
    private static final int RANGE_COUNT = 52;
    private static final int PAUSE = 53;
    static final int WINDOW = 54;
    private static final int MARKS = 58;
    private static final int CREDIT_FRAMES = 59;

    private AckHeader() {}

    static boolean isValid(UnsafeBuffer buffer, int at, int length) {
        return length >= BYTES
                && rangeCount(buffer, at) <= RANGES_MAX
                && length == BYTES + rangeCount(buffer, at) * RANGE_BYTES
                && ackOffset(buffer, at) >= 0;
    }

    /**
     * {@return where this header would begin if the acknowledgement that rides on data had one}: all methods that read
     * or write fields behind the CRC32C work there too
     *
     * @param dataAt where the data frame's Weir header begins
     */
    public static int ridingAt(int dataAt) {
        return dataAt + DataHeader.BYTES - ACK_OFFSET;
    }

    /** {@return whether {@code length} bytes behind a data header begin with a whole acknowledgement} */
    static boolean isRidingValid(UnsafeBuffer buffer, int dataAt, int length) {
        int at = ridingAt(dataAt);
        return length >= RIDING_BYTES
                && rangeCount(buffer, at) <= RANGES_MAX
                && length >= ridingBytes(rangeCount(buffer, at))
                && ackOffset(buffer, at) >= 0;
    }

    /** {@return bytes of an acknowledgement with so many ranges on data} */
    public static int ridingBytes(int rangeCount) {
        return RIDING_BYTES + rangeCount * RANGE_BYTES;
    }

    /** {@return whether the time stamps belong to data that came since the ack before} */
    public static boolean hasTimes(UnsafeBuffer buffer, int at) {
        return frameCount(buffer, at) > 0;
    }

    /**
     * {@return the stream offset up to which all data has arrived; one more than the stream's length once its end has}
     */
    public static long ackOffset(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + ACK_OFFSET);
    }

    /** {@return bytes beyond the ack offset that the receiver can take} */
    public static long receiveWindowBytes(UnsafeBuffer buffer, int at) {
        return Bytes.u32(buffer, at + RECEIVE_WINDOW);
    }

    /** {@return the low 32 bits of the largest packet number that has carried data} */
    public static int largestPacketNumber(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + LARGEST_PACKET_NUMBER);
    }

    /** {@return t1 of the data frame that caused this ack, as it came} */
    public static int t1(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + T1);
    }

    /** {@return the low 32 bits of the receiver's clock when that frame came} */
    public static int t2(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + T2);
    }

    /** {@return the low 32 bits of the receiver's clock when this ack left} */
    public static int t3(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + T3);
    }

    /** {@return the low 32 bits of how many data frames came marked Congestion Experienced, ever} */
    public static int ceFrameCount(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + CE_FRAMES);
    }

    /** {@return how many data frames came since the ack before} */
    public static int frameCount(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + FRAMES);
    }

    /** {@return the window field, {@link DataHeader#WINDOW_UNSET} when nobody has set it} */
    public static int window(UnsafeBuffer buffer, int at) {
        return Bytes.i32(buffer, at + WINDOW);
    }

    /** {@return the {@link Marks}} */
    public static int marks(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + MARKS);
    }

    /** {@return how many frames one credit may grant to the frame's sender} */
    public static int creditFrames(UnsafeBuffer buffer, int at) {
        return Math.min(Bytes.u8(buffer, at + CREDIT_FRAMES) + 1, CreditHeader.FRAMES_MAX);
    }

    /** Writes how many frames one credit may grant to the frame's sender, less one. */
    public static void creditFrames(UnsafeBuffer buffer, int at, int frames) {
        Bytes.put8(buffer, at + CREDIT_FRAMES, frames - 1);
    }

    /** Writes the window field and the {@link Marks}. */
    public static void window(UnsafeBuffer buffer, int at, int window, int marks) {
        Bytes.put32(buffer, at + WINDOW, window);
        Bytes.put8(buffer, at + MARKS, marks);
    }

    /** {@return how long the pauses of the frame's sender are, as a {@link PauseCode}} */
    public static int pauseCode(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + PAUSE);
    }

    /** Writes how long the pauses of the frame's sender are. */
    public static void pauseCode(UnsafeBuffer buffer, int at, int code) {
        Bytes.put8(buffer, at + PAUSE, code);
    }

    /** {@return how many ranges follow} */
    public static int rangeCount(UnsafeBuffer buffer, int at) {
        return Bytes.u8(buffer, at + RANGE_COUNT);
    }

    /** {@return how far beyond the ack offset range {@code i} begins} */
    public static long rangeGapBytes(UnsafeBuffer buffer, int at, int i) {
        return Bytes.u32(buffer, at + BYTES + i * RANGE_BYTES);
    }

    /** {@return the length of range {@code i}} */
    public static long rangeBytes(UnsafeBuffer buffer, int at, int i) {
        return Bytes.u32(buffer, at + BYTES + i * RANGE_BYTES + 4);
    }

    /** Writes all but the time stamps, ranges and packet number; the CRC32C is 0 until {@link #seal}. */
    public static void write(UnsafeBuffer buffer, int at, long tag, long ackOffset, long windowBytes, long largest) {
        WeirHeader.writePrefix(buffer, at, FrameType.ACK, 0, tag);
        Bytes.put32(buffer, at + CRC, 0);
        writeRiding(buffer, at, ackOffset, windowBytes, largest);
    }

    /** Writes the same behind a data header. */
    public static void writeRiding(UnsafeBuffer buffer, int at, long ackOffset, long windowBytes, long largest) {
        buffer.setMemory(at + T1, BYTES - T1, (byte) 0);
        Bytes.put64(buffer, at + ACK_OFFSET, ackOffset);
        Bytes.putSaturated32(buffer, at + RECEIVE_WINDOW, windowBytes);
        Bytes.put32(buffer, at + LARGEST_PACKET_NUMBER, (int) largest);
        Bytes.put32(buffer, at + WINDOW, DataHeader.WINDOW_UNSET);
    }

    /** Writes the three time stamps and the flag that says they are there. */
    public static void times(UnsafeBuffer buffer, int at, int t1, long t2Nanos, long t3Nanos) {
        WeirHeader.addFlag(buffer, at, FLAG_TIMES);
        stamps(buffer, at, t1, t2Nanos, t3Nanos);
    }

    /** Writes the three time stamps: on data the number of frames acknowledged says whether they are there. */
    public static void stamps(UnsafeBuffer buffer, int at, int t1, long t2Nanos, long t3Nanos) {
        Bytes.put32(buffer, at + T1, t1);
        Bytes.put32(buffer, at + T2, (int) t2Nanos);
        Bytes.put32(buffer, at + T3, (int) t3Nanos);
    }

    /** Writes what the data frames since the last ack were like. */
    public static void samples(UnsafeBuffer buffer, int at, long ceFrameCount, int frameCount) {
        Bytes.put32(buffer, at + CE_FRAMES, (int) ceFrameCount);
        Bytes.put16(buffer, at + FRAMES, Math.min(frameCount, 0xFFFF));
    }

    /** Appends a range, which must lie beyond those before it. */
    public static void addRange(UnsafeBuffer buffer, int at, long gapBytes, long bytes) {
        int count = rangeCount(buffer, at);
        int index = at + BYTES + count * RANGE_BYTES;
        Bytes.put32(buffer, index, (int) gapBytes);
        Bytes.put32(buffer, index + 4, (int) bytes);
        Bytes.put8(buffer, at + RANGE_COUNT, count + 1);
    }

    /** {@return the whole length, ranges included} */
    public static int length(UnsafeBuffer buffer, int at) {
        return BYTES + rangeCount(buffer, at) * RANGE_BYTES;
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
        return crc.reset()
                .add(buffer, at, CRC)
                .add(buffer, at + ACK_OFFSET, WINDOW - ACK_OFFSET)
                .add(buffer, at + BYTES, rangeCount(buffer, at) * RANGE_BYTES)
                .value();
    }
}
