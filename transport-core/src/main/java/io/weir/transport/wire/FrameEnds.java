package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Between whom a frame goes, and what it is, as its headers say: for who looks at traces. It allocates.
 *
 * @param source where it comes from
 * @param sourcePort the UDP port there
 * @param destination where it goes
 * @param destinationPort the UDP port there
 * @param type what it is, or null if it is none of Weir's frames
 */
public record FrameEnds(IpAddress source, int sourcePort, IpAddress destination, int destinationPort, FrameType type) {
    private static final int IPV4_ADDRESSES = Ethernet.HEADER_BYTES + 12;
    private static final int IPV6_ADDRESSES = Ethernet.HEADER_BYTES + 8;

    /** {@return what the first bytes of a frame say, or null if they are not of UDP in plain IP} */
    public static FrameEnds of(UnsafeBuffer buffer, int at, int length) {
        int weirAt = TracedHeaders.weirAt(buffer, at, length);
        if (weirAt == 0) {
            return null;
        }
        boolean isV6 = weirAt == HeaderTemplate.BYTES_V6;
        int protocol = Bytes.u8(buffer, at + Ethernet.HEADER_BYTES + (isV6 ? 6 : 9));
        if (protocol != Datagram.PROTOCOL_UDP) {
            return null;
        }
        IpAddress source;
        IpAddress destination;
        if (isV6) {
            int addresses = at + IPV6_ADDRESSES;
            source = IpAddress.v6(Bytes.i64(buffer, addresses), Bytes.i64(buffer, addresses + 8));
            destination = IpAddress.v6(Bytes.i64(buffer, addresses + 16), Bytes.i64(buffer, addresses + 24));
        } else {
            source = IpAddress.v4(Bytes.i32(buffer, at + IPV4_ADDRESSES));
            destination = IpAddress.v4(Bytes.i32(buffer, at + IPV4_ADDRESSES + 4));
        }
        int ports = at + weirAt - 8;
        boolean isWeir = length >= weirAt + WeirHeader.PREFIX_BYTES
                && WeirHeader.version(buffer, at + weirAt) == WeirHeader.VERSION;
        return new FrameEnds(
                source,
                Bytes.u16(buffer, ports),
                destination,
                Bytes.u16(buffer, ports + 2),
                isWeir ? WeirHeader.type(buffer, at + weirAt) : null);
    }

    /** {@return whether it goes one way or the other between the ends of a path} */
    public boolean isOn(Path path) {
        return isBetween(path.local(), path.localPort(), path.remote(), path.remotePort())
                || isBetween(path.remote(), path.remotePort(), path.local(), path.localPort());
    }

    private boolean isBetween(IpAddress from, int fromPort, IpAddress to, int toPort) {
        return sourcePort == fromPort && destinationPort == toPort && source.equals(from) && destination.equals(to);
    }

    /** {@return both ends, as in {@code 10.0.0.1:40000 > 10.0.0.2:7000}} */
    public String text() {
        return end(source, sourcePort) + " > " + end(destination, destinationPort);
    }

    private static String end(IpAddress address, int port) {
        return (address.isV6() ? "[" + address + "]" : address.toString()) + ":" + port;
    }
}
