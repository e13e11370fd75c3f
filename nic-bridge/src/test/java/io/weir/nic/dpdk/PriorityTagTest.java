package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link PriorityTag}: the tag without a VLAN goes, everything else stays byte for byte. */
class PriorityTagTest {
    private static final int OFFSET = 128;

    private final FramePool pool = new FramePool(1, 2048);

    private byte[] afterDrop(byte[] bytes) {
        Frame frame = pool.frame(0);
        UnsafeBuffer buffer = frame.buffer();
        buffer.putBytes(OFFSET, bytes);
        frame.setExtent(OFFSET, bytes.length);
        PriorityTag.drop(frame);
        byte[] after = new byte[frame.length()];
        buffer.getBytes(frame.offset(), after);
        return after;
    }

    private static byte[] frame(int bytes, int... header) {
        byte[] frame = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            frame[i] = (byte) (i + 1);
        }
        for (int i = 0; i < header.length; i++) {
            frame[12 + i] = (byte) header[i];
        }
        return frame;
    }

    @Test
    void drop_priorityTag_leavesTheFrameWithoutIt() {
        for (int[] header : new int[][] {{0x81, 0, 0x60, 0}, {0x88, 0xA8, 0x10, 0}, {0x81, 0, 0, 0}}) {
            byte[] tagged = frame(64, header);
            byte[] untagged = new byte[60];
            System.arraycopy(tagged, 0, untagged, 0, 12);
            System.arraycopy(tagged, 16, untagged, 12, 48);
            assertArrayEquals(untagged, afterDrop(tagged), Arrays.toString(header));
        }
    }

    @Test
    void drop_anythingElse_staysAsItIs() {
        for (byte[] other : new byte[][] {
            frame(64, 0x81, 0, 0x60, 5), frame(64, 0x08, 0, 0x45, 0), frame(17, 0x81, 0, 0x60, 0), frame(14)
        }) {
            assertArrayEquals(other, afterDrop(other));
        }
    }
}
