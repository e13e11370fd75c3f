package io.weir.nic.dpdk;

import io.weir.transport.frame.Frame;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The VLAN tag with the number 0, which means no VLAN but a priority (IEEE 802.1Q): a frame with it is as one without.
 * Kernels and their XDP programs take it out before; a DPDK device hands it over.
 */
final class PriorityTag {
    private static final int TAG_BYTES = 4;
    private static final int ADDRESSES_BYTES = 12;
    private static final int HEADER_BYTES = 14;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_VLAN = 0x88A8;
    private static final int ID_BITS = 0x0FFF;

    private PriorityTag() {}

    /** Takes the tag out of a frame that has one. */
    static void drop(Frame frame) {
        if (frame.length() < HEADER_BYTES + TAG_BYTES) {
            return;
        }
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int type = buffer.getShort(at + ADDRESSES_BYTES, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (type != VLAN && type != SERVICE_VLAN) {
            return;
        }
        if ((buffer.getShort(at + HEADER_BYTES, ByteOrder.BIG_ENDIAN) & ID_BITS) != 0) {
            return;
        }
        long first = buffer.getLong(at);
        int last = buffer.getInt(at + Long.BYTES);
        buffer.putLong(at + TAG_BYTES, first);
        buffer.putInt(at + TAG_BYTES + Long.BYTES, last);
        frame.setExtent(at + TAG_BYTES, frame.length() - TAG_BYTES);
    }
}
