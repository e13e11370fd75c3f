package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a switch sees in a frame without being an end of its connection: the class that chooses the queue. Told by DSCP
 * and frame type together, so that a stray DSCP alone puts nothing into the credit queue.
 */
public enum TrafficClass {
    /** A credit: metered, in its own queue. */
    CREDIT,
    /** Data of a Weir flow. */
    DATA,
    /** A Weir frame that no credit permits. */
    CREDITLESS,
    /** Anything else: kernel TCP, ARP, ICMP. */
    OTHER;

    private static final int IP = Ethernet.HEADER_BYTES;

    /** {@return the class of the frame of {@code length} bytes at {@code at}} */
    public static TrafficClass of(UnsafeBuffer buffer, int at, int length) {
        if (length < HeaderTemplate.BYTES_V4 + WeirHeader.PREFIX_BYTES) {
            return OTHER;
        }
        int type = Ethernet.type(buffer, at);
        if (type == Ethernet.TYPE_IPV4) {
            boolean isPlainUdp =
                    Bytes.u8(buffer, at + IP) == 0x45 && Bytes.u8(buffer, at + IP + 9) == Datagram.PROTOCOL_UDP;
            return isPlainUdp
                    ? ofWeir(Bytes.u8(buffer, at + IP + 1) >>> 2, buffer, at + HeaderTemplate.BYTES_V4)
                    : OTHER;
        }
        if (type == Ethernet.TYPE_IPV6 && length >= HeaderTemplate.BYTES_V6 + WeirHeader.PREFIX_BYTES) {
            int dscp = Bytes.u16(buffer, at + IP) >>> 6 & 0x3F;
            boolean isUdp = Bytes.u8(buffer, at + IP + 6) == Datagram.PROTOCOL_UDP;
            return isUdp ? ofWeir(dscp, buffer, at + HeaderTemplate.BYTES_V6) : OTHER;
        }
        return OTHER;
    }

    private static TrafficClass ofWeir(int dscp, UnsafeBuffer buffer, int weirAt) {
        if (WeirHeader.version(buffer, weirAt) != WeirHeader.VERSION) {
            return OTHER;
        }
        FrameType type = WeirHeader.type(buffer, weirAt);
        return switch (dscp) {
            case Dscp.CREDIT -> type == FrameType.CREDIT ? CREDIT : OTHER;
            case Dscp.DATA -> type == FrameType.DATA ? DATA : OTHER;
            case Dscp.CONTROL -> type != null && type != FrameType.CREDIT ? CREDITLESS : OTHER;
            default -> OTHER;
        };
    }
}
