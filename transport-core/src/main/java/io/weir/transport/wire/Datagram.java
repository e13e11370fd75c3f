package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.CounterId;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a received frame says below the Weir header: addresses, ports, class, and where the Weir header lies. Reused for
 * every frame; it looks at the frame and owns nothing.
 */
public final class Datagram {
    /** The IP protocol number of UDP. */
    public static final int PROTOCOL_UDP = 17;

    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int FRAGMENT_BITS = 0x3FFF;

    private final boolean isChecking;
    // What the latest parse() found, good while the caller has the frame; offsets in its memory. The Weir part is valid
    // only if parse() returned null.
    private UnsafeBuffer buffer;
    private int ethernetAt;
    private int weirAt;
    private int weirBytes;
    private boolean isV6;
    private int udpAt;
    private boolean hasUdpChecksum;
    private boolean isUdpChecked;

    /** Creates a look at frames that carry their payload. */
    public Datagram() {
        this(ChecksumScope.ALL);
    }

    /** Creates a look at frames of a host that gives its own such checksums. */
    public Datagram(ChecksumScope checksums) {
        isChecking = checksums != ChecksumScope.NONE;
    }

    /**
     * Looks at a frame.
     *
     * @return null when it is an intact UDP datagram, or the reason for which to drop it
     */
    public CounterId parse(Frame frame) {
        buffer = frame.buffer();
        ethernetAt = frame.offset();
        isUdpChecked = frame.isUdpChecked();
        int length = frame.length();
        if (length < HeaderTemplate.BYTES_V4) {
            return CounterId.DROP_MALFORMED;
        }
        return switch (Ethernet.type(buffer, ethernetAt)) {
            case Ethernet.TYPE_IPV4 -> parseIpv4(frame.frameBytes());
            case Ethernet.TYPE_IPV6 -> parseIpv6(frame.frameBytes());
            default -> CounterId.DROP_NOT_OURS;
        };
    }

    private CounterId parseIpv4(int length) {
        int ip = ethernetAt + IP;
        int ipBytes = Bytes.u16(buffer, ip + 2);
        if (Bytes.u8(buffer, ip) != 0x45 || Bytes.u8(buffer, ip + 9) != PROTOCOL_UDP) {
            return CounterId.DROP_NOT_OURS;
        }
        if ((Bytes.u16(buffer, ip + 6) & FRAGMENT_BITS) != 0 || ipBytes > length - IP || ipBytes < 28) {
            return CounterId.DROP_MALFORMED;
        }
        if (isChecking && !InternetChecksum.isIntact(InternetChecksum.add(0, buffer, ip, 20))) {
            return CounterId.DROP_CHECKSUM;
        }
        isV6 = false;
        return parseUdp(ip + 20, ipBytes - 20);
    }

    private CounterId parseIpv6(int length) {
        int ip = ethernetAt + IP;
        if (length < HeaderTemplate.BYTES_V6 || Bytes.u8(buffer, ip) >>> 4 != 6) {
            return CounterId.DROP_MALFORMED;
        }
        if (Bytes.u8(buffer, ip + 6) != PROTOCOL_UDP) {
            return CounterId.DROP_NOT_OURS;
        }
        int payloadBytes = Bytes.u16(buffer, ip + 4);
        if (payloadBytes > length - IP - 40) {
            return CounterId.DROP_MALFORMED;
        }
        isV6 = true;
        return parseUdp(ip + 40, payloadBytes);
    }

    private CounterId parseUdp(int at, int available) {
        int udpBytes = Bytes.u16(buffer, at + 4);
        // Port 0 is nobody's (RFC 768 lets a sender that wants no answer use it; every frame of ours may be answered).
        if (udpBytes < 8 || udpBytes != available || Bytes.u16(buffer, at) == 0 || Bytes.u16(buffer, at + 2) == 0) {
            return CounterId.DROP_MALFORMED;
        }
        hasUdpChecksum = !isChecking || Bytes.u16(buffer, at + 6) != 0;
        if (isChecking && !isUdpIntact(at, udpBytes)) {
            return CounterId.DROP_CHECKSUM;
        }
        udpAt = at;
        weirAt = at + 8;
        weirBytes = udpBytes - 8;
        return null;
    }

    private boolean isUdpIntact(int at, int udpBytes) {
        if (!hasUdpChecksum) {
            return !isV6;
        }
        if (isUdpChecked) {
            return true;
        }
        int addressBytes = isV6 ? 32 : 8;
        long sum = InternetChecksum.add(0, buffer, at - addressBytes, addressBytes + udpBytes);
        sum = InternetChecksum.add16(InternetChecksum.add16(sum, PROTOCOL_UDP), udpBytes);
        return InternetChecksum.isIntact(sum);
    }

    /** {@return whether the UDP checksum was right: false when there is none, which IPv4 alone permits} */
    public boolean hasUdpChecksum() {
        return hasUdpChecksum;
    }

    /** {@return the slot that holds the frame} */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** {@return where the Weir header begins} */
    public int weirAt() {
        return weirAt;
    }

    /** {@return bytes from there to the end of the datagram} */
    public int weirBytes() {
        return weirBytes;
    }

    /** {@return whether the packet is IPv6} */
    public boolean isV6() {
        return isV6;
    }

    /** {@return the Ethernet address that sent the frame} */
    public long sourceMac() {
        return Ethernet.source(buffer, ethernetAt);
    }

    /** {@return the Ethernet address that the frame is for} */
    public long destinationMac() {
        return Ethernet.destination(buffer, ethernetAt);
    }

    /** {@return the upper half of the source address, 0 for IPv4} */
    public long sourceHigh() {
        return isV6 ? Bytes.i64(buffer, udpAt - 32) : 0;
    }

    /** {@return the lower half of the source address} */
    public long sourceLow() {
        return isV6 ? Bytes.i64(buffer, udpAt - 24) : Bytes.u32(buffer, udpAt - 8);
    }

    /** {@return the upper half of the destination address, 0 for IPv4} */
    public long destinationHigh() {
        return isV6 ? Bytes.i64(buffer, udpAt - 16) : 0;
    }

    /** {@return the lower half of the destination address} */
    public long destinationLow() {
        return isV6 ? Bytes.i64(buffer, udpAt - 8) : Bytes.u32(buffer, udpAt - 4);
    }

    /** {@return the source port} */
    public int sourcePort() {
        return Bytes.u16(buffer, udpAt);
    }

    /** {@return the destination port} */
    public int destinationPort() {
        return Bytes.u16(buffer, udpAt + 2);
    }

    /** {@return whether a switch has marked the packet Congestion Experienced} */
    public boolean isMarked() {
        return ecn() == Dscp.ECN_CE;
    }

    /** {@return whether a switch could have marked the packet} */
    public boolean isMarkable() {
        return ecn() != Dscp.ECN_NOT_ECT;
    }

    private int ecn() {
        int ip = ethernetAt + IP;
        int octet = isV6 ? Bytes.u16(buffer, ip) >>> 4 & 0xFF : Bytes.u8(buffer, ip + 1);
        return octet & 3;
    }

    /** {@return whether this came from the far end of {@code path} to its near end's port} */
    public boolean isFrom(Path path) {
        return sourceLow() == path.remote().low()
                && sourceHigh() == path.remote().high()
                && sourcePort() == path.remotePort()
                && destinationPort() == path.localPort();
    }

    /** {@return the path of frames that answer this one: for set-up, it allocates} */
    public Path replyPath() {
        IpAddress source = new IpAddress(sourceHigh(), sourceLow(), isV6);
        IpAddress destination = new IpAddress(destinationHigh(), destinationLow(), isV6);
        return Path.from(destinationMac(), destination, destinationPort()).to(sourceMac(), source, sourcePort());
    }
}
