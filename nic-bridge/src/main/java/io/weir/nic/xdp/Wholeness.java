package io.weir.nic.xdp;

import io.weir.transport.frame.Frame;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Whether a received frame is all of its packet. A driver without copying has a frame in several descriptors where its
 * chunk is too small, and not every one says so: igb hands over each part as if it were a frame.
 */
final class Wholeness {
    private static final int TYPE_AT = 12;
    private static final int IP_AT = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int IPV4_LENGTH_AT = IP_AT + 2;
    private static final int IPV6_LENGTH_AT = IP_AT + 4;
    private static final int IPV6_BYTES = 40;

    private Wholeness() {}

    /** {@return whether the frame has fewer bytes than the IP packet that it begins with} */
    static boolean isCutOff(Frame frame) {
        int length = frame.length();
        if (length < IP_AT + IPV6_BYTES) {
            // The least that is padded has 60 bytes, and so much fits any chunk.
            return false;
        }
        DirectBuffer buffer = frame.buffer();
        int at = frame.offset();
        int type = buffer.getShort(at + TYPE_AT, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        int packetBytes;
        if (type == IPV4) {
            packetBytes = buffer.getShort(at + IPV4_LENGTH_AT, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        } else if (type == IPV6) {
            packetBytes = IPV6_BYTES + (buffer.getShort(at + IPV6_LENGTH_AT, ByteOrder.BIG_ENDIAN) & 0xFFFF);
        } else {
            return false;
        }
        return IP_AT + packetBytes > length;
    }
}
