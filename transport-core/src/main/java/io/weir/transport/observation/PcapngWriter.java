package io.weir.transport.observation;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * Writes frames as pcapng, which Wireshark reads: with directions, nanoseconds, comments and counts of what is missing.
 * Each block goes to the stream whole and at once, so that what is there of a file that ends early can be read. One
 * thread; only {@link #frame} is called often, and it allocates nothing unless it has a comment.
 *
 * <p>Source: draft-ietf-opsawg-pcapng.
 */
public final class PcapngWriter implements AutoCloseable {
    /** The most bytes of a frame that are written. */
    public static final int SNAP_BYTES_MAX = 65_535;

    private static final int SECTION_HEADER = 0x0A0D_0D0A;
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int INTERFACE_STATISTICS = 5;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;
    private static final int LINKTYPE_ETHERNET = 1;
    private static final int NANOSECONDS = 9;

    private static final int COMMENT = 1;
    private static final int SHB_USER_APPLICATION = 4;
    private static final int IF_NAME = 2;
    private static final int IF_DESCRIPTION = 3;
    private static final int IF_TIME_RESOLUTION = 9;
    private static final int EPB_FLAGS = 2;
    private static final int EPB_DROP_COUNT = 4;
    private static final int ISB_START_TIME = 2;
    private static final int ISB_END_TIME = 3;
    private static final int ISB_RECEIVED = 4;
    private static final int ISB_DROPPED = 5;

    /** The longest text of an option. */
    private static final int TEXT_BYTES_MAX = 4_096;
    /** Room for a frame, all of its options, and a block's ends. */
    private static final int BLOCK_BYTES_MAX = SNAP_BYTES_MAX + TEXT_BYTES_MAX + 256;

    private final OutputStream out;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    /** Interfaces that have been described. */
    private int interfaceCount;
    /** Bytes written until now. */
    private long byteCount;
    /** Whether the block at hand has options. */
    private boolean hasOptions;

    /** Which way a frame went, as its interface saw it. */
    public enum Direction {
        /** Not known, or neither. */
        UNKNOWN,
        /** It came. */
        INBOUND,
        /** It left. */
        OUTBOUND
    }

    /**
     * What is known of a frame besides its bytes.
     *
     * @param interfaceIndex what {@link #addInterface} gave
     * @param nanos when, since 1970
     * @param frameBytes its length, of which the first bytes are written
     * @param direction which way it went
     * @param droppedBefore frames of this interface that are missing right before it
     * @param comment about it, or null
     */
    public record About(
            int interfaceIndex, long nanos, int frameBytes, Direction direction, long droppedBefore, String comment) {}

    /** Begins a file. Nothing is written to the stream beyond the blocks, which is closed with this. */
    public PcapngWriter(OutputStream out) throws IOException {
        this.out = out;
        begin(SECTION_HEADER);
        block.putInt(BYTE_ORDER_MAGIC).putShort((short) 1).putShort((short) 0);
        // The length of the section is not known.
        block.putLong(-1);
        option(SHB_USER_APPLICATION, "Weir");
        end();
    }

    /**
     * {@return the number of an interface, for {@link About}} Before any of its frames.
     *
     * @param description what it is, or null
     * @param snapBytes the most bytes of a frame that are written
     */
    public int addInterface(String name, String description, int snapBytes) throws IOException {
        begin(INTERFACE_DESCRIPTION);
        block.putShort((short) LINKTYPE_ETHERNET).putShort((short) 0).putInt(snapBytes);
        option(IF_NAME, name);
        if (description != null) {
            option(IF_DESCRIPTION, description);
        }
        begin(IF_TIME_RESOLUTION, 1).putInt(NANOSECONDS);
        end();
        return interfaceCount++;
    }

    /** Writes the first {@code length} bytes of a frame. */
    public void frame(About about, DirectBuffer buffer, int offset, int length) throws IOException {
        int keptBytes = Math.min(length, SNAP_BYTES_MAX);
        begin(ENHANCED_PACKET);
        block.putInt(about.interfaceIndex());
        time(about.nanos());
        block.putInt(keptBytes).putInt(about.frameBytes());
        buffer.getBytes(offset, block, block.position(), keptBytes);
        block.position(block.position() + keptBytes);
        pad();
        if (about.comment() != null) {
            option(COMMENT, about.comment());
        }
        if (about.direction() != Direction.UNKNOWN) {
            begin(EPB_FLAGS, Integer.BYTES).putInt(about.direction().ordinal());
        }
        if (about.droppedBefore() > 0) {
            option(EPB_DROP_COUNT, about.droppedBefore());
        }
        end();
    }

    /**
     * Writes what is known of an interface until now; a later one holds in place of an earlier one.
     *
     * @param startNanos since when, since 1970
     * @param nanos until when
     * @param seenFrames frames that the interface had
     * @param droppedFrames of those, how many are missing because nobody kept up with them
     */
    public void statistics(int interfaceIndex, long startNanos, long nanos, long seenFrames, long droppedFrames)
            throws IOException {
        begin(INTERFACE_STATISTICS);
        block.putInt(interfaceIndex);
        time(nanos);
        timeOption(ISB_START_TIME, startNanos);
        timeOption(ISB_END_TIME, nanos);
        option(ISB_RECEIVED, seenFrames);
        option(ISB_DROPPED, droppedFrames);
        end();
    }

    /** {@return bytes written until now} */
    public long byteCount() {
        return byteCount;
    }

    /** Has what was written reach who reads it. */
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void begin(int type) {
        block.clear();
        hasOptions = false;
        // Its length comes when it is known.
        block.putInt(type).putInt(0);
    }

    private void end() throws IOException {
        if (hasOptions) {
            // No more of them.
            block.putInt(0);
        }
        int bytes = block.position() + Integer.BYTES;
        block.putInt(bytes).putInt(Integer.BYTES, bytes);
        out.write(block.array(), 0, bytes);
        byteCount += bytes;
    }

    /** Times are two halves, the upper one first. */
    private void time(long nanos) {
        block.putInt((int) (nanos >>> Integer.SIZE)).putInt((int) nanos);
    }

    /** {@return the block, where the value of an option of this length comes} */
    private ByteBuffer begin(int optionCode, int bytes) {
        hasOptions = true;
        return block.putShort((short) optionCode).putShort((short) bytes);
    }

    private void timeOption(int code, long nanos) {
        begin(code, Long.BYTES);
        time(nanos);
    }

    private void option(int code, long value) {
        begin(code, Long.BYTES).putLong(value);
    }

    private void option(int code, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, TEXT_BYTES_MAX);
        begin(code, length).put(bytes, 0, length);
        pad();
    }

    private void pad() {
        while (block.position() % Integer.BYTES != 0) {
            block.put((byte) 0);
        }
    }
}
