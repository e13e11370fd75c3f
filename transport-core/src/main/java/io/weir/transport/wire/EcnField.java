package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import org.agrona.concurrent.UnsafeBuffer;

/** The ECN field of an IP packet in a frame, as a switch sets it. */
public final class EcnField {
    private static final int IP = Ethernet.HEADER_BYTES;

    private EcnField() {}

    /** {@return whether the packet understands marks; then it is marked now, its header checksum kept right} */
    public static boolean mark(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        if (frame.length() < HeaderTemplate.BYTES_V4) {
            return false;
        }
        return switch (Ethernet.type(buffer, at)) {
            case Ethernet.TYPE_IPV4 -> markIpv4(buffer, at + IP);
            case Ethernet.TYPE_IPV6 -> markIpv6(buffer, at + IP);
            default -> false;
        };
    }

    private static boolean markIpv4(UnsafeBuffer buffer, int ip) {
        int word = Bytes.u16(buffer, ip);
        if ((word & 3) == Dscp.ECN_NOT_ECT) {
            return false;
        }
        int marked = word | Dscp.ECN_CE;
        Bytes.put16(buffer, ip, marked);
        Bytes.put16(buffer, ip + 10, InternetChecksum.update16(Bytes.u16(buffer, ip + 10), word, marked));
        return true;
    }

    private static boolean markIpv6(UnsafeBuffer buffer, int ip) {
        int word = Bytes.u16(buffer, ip);
        if ((word >>> 4 & 3) == Dscp.ECN_NOT_ECT) {
            return false;
        }
        Bytes.put16(buffer, ip, word | Dscp.ECN_CE << 4);
        return true;
    }
}
