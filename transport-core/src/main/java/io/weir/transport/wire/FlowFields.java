package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The two ends of the flow that a frame belongs to, each folded into 64 bits, as a switch hashes them. Reused for every
 * frame. Frames that are not IP have their Ethernet addresses as ends.
 */
public final class FlowFields {
    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int TCP = 6;
    private static final long PORT_SHIFT = 48;

    private long source;
    private long destination;
    private int protocol;

    /** Looks at a frame. */
    public void read(UnsafeBuffer buffer, int at, int length) {
        int type = length >= Ethernet.HEADER_BYTES ? Ethernet.type(buffer, at) : 0;
        if (type == Ethernet.TYPE_IPV4 && length >= IP + 20) {
            readIpv4(buffer, at + IP, length - IP);
        } else if (type == Ethernet.TYPE_IPV6 && length >= IP + 40) {
            readIpv6(buffer, at + IP, length - IP);
        } else {
            protocol = type;
            source = length >= Ethernet.HEADER_BYTES ? Ethernet.source(buffer, at) : 0;
            destination = length >= Ethernet.HEADER_BYTES ? Ethernet.destination(buffer, at) : 0;
        }
    }

    private void readIpv4(UnsafeBuffer buffer, int ip, int available) {
        protocol = Bytes.u8(buffer, ip + 9);
        source = Bytes.u32(buffer, ip + 12);
        destination = Bytes.u32(buffer, ip + 16);
        boolean isWhole = Bytes.u8(buffer, ip) == 0x45 && (Bytes.u16(buffer, ip + 6) & 0x3FFF) == 0;
        if (isWhole && available >= 24) {
            addPorts(buffer, ip + 20);
        }
    }

    private void readIpv6(UnsafeBuffer buffer, int ip, int available) {
        protocol = Bytes.u8(buffer, ip + 6);
        source = Bytes.i64(buffer, ip + 8) * 31 + Bytes.i64(buffer, ip + 16);
        destination = Bytes.i64(buffer, ip + 24) * 31 + Bytes.i64(buffer, ip + 32);
        if (available >= 44) {
            addPorts(buffer, ip + 40);
        }
    }

    private void addPorts(UnsafeBuffer buffer, int at) {
        if (protocol == Datagram.PROTOCOL_UDP || protocol == TCP) {
            source ^= (long) Bytes.u16(buffer, at) << PORT_SHIFT;
            destination ^= (long) Bytes.u16(buffer, at + 2) << PORT_SHIFT;
        }
    }

    /** {@return the end that the frame comes from} */
    public long source() {
        return source;
    }

    /** {@return the end that the frame goes to} */
    public long destination() {
        return destination;
    }

    /** {@return the IP protocol, or the EtherType of what is not IP} */
    public int protocol() {
        return protocol;
    }
}
