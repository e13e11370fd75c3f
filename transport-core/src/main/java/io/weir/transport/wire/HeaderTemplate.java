package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The Ethernet, IP and UDP headers of a {@link Path}, made once and copied in front of each frame. Afterwards only
 * lengths, class and checksums are left to write.
 *
 * <p>One owner; no allocation after construction.
 */
public final class HeaderTemplate {
    /** Ethernet, IPv4 and UDP. */
    public static final int BYTES_V4 = Ethernet.HEADER_BYTES + 20 + 8;
    /** Ethernet, IPv6 and UDP. */
    public static final int BYTES_V6 = Ethernet.HEADER_BYTES + 40 + 8;

    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int UDP_BYTES = 8;
    private static final int TTL = 64;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int FLOW_LABEL_BITS = 20;

    /** The largest flow label (RFC 6437). */
    public static final int FLOW_LABEL_MAX = (1 << FLOW_LABEL_BITS) - 1;

    /** The headers, in network order. */
    private final ByteBuffer template;

    private final boolean isV6;
    private final ChecksumScope checksums;
    private final int bytes;
    private final int udp;
    private final long pseudoHeaderSum;
    private final long ipHeaderSum;

    /** Creates the headers of {@code path} with all checksums. */
    public HeaderTemplate(Path path) {
        this(path, ChecksumScope.ALL, 0);
    }

    /**
     * Creates the headers of {@code path}.
     *
     * @param flowLabel the flow label of IPv6 (RFC 6437), 20 bits, 0 for none; IPv4 has none
     */
    public HeaderTemplate(Path path, ChecksumScope checksums, int flowLabel) {
        this.checksums = checksums;
        isV6 = path.local().isV6();
        bytes = bytes(isV6);
        udp = bytes - UDP_BYTES;
        template = ByteBuffer.allocate(bytes);
        setMacs(path.remoteMac(), path.localMac());
        if (isV6) {
            writeIpv6(path, flowLabel);
        } else {
            writeIpv4(path);
        }
        template.putShort(udp, (short) path.localPort()).putShort(udp + 2, (short) path.remotePort());
        pseudoHeaderSum = InternetChecksum.add16(sum(udp - (isV6 ? 32 : 8), udp), Datagram.PROTOCOL_UDP);
        ipHeaderSum = isV6 ? 0 : sum(IP, udp);
    }

    private long sum(int from, int to) {
        long sum = 0;
        for (int at = from; at < to; at += Short.BYTES) {
            sum = InternetChecksum.add16(sum, template.getShort(at));
        }
        return sum;
    }

    /** Lets the frames of this template go to another next hop, or bear another Ethernet address of this end. */
    public void setMacs(long remoteMac, long localMac) {
        putMac(0, remoteMac);
        putMac(Ethernet.SOURCE_AT, localMac);
        template.putShort(Ethernet.TYPE_AT, (short) (isV6 ? Ethernet.TYPE_IPV6 : Ethernet.TYPE_IPV4));
    }

    private void putMac(int at, long mac) {
        template.putShort(at, (short) (mac >>> Integer.SIZE)).putInt(at + Short.BYTES, (int) mac);
    }

    private void writeIpv4(Path path) {
        template.put(IP, (byte) 0x45)
                .putShort(IP + 6, (short) DONT_FRAGMENT)
                .put(IP + 8, (byte) TTL)
                .put(IP + 9, (byte) Datagram.PROTOCOL_UDP)
                .putInt(IP + 12, (int) path.local().low())
                .putInt(IP + 16, (int) path.remote().low());
    }

    private void writeIpv6(Path path, int flowLabel) {
        template.putInt(IP, 0x6000_0000 | flowLabel)
                .put(IP + 6, (byte) Datagram.PROTOCOL_UDP)
                .put(IP + 7, (byte) TTL)
                .putLong(IP + 8, path.local().high())
                .putLong(IP + 16, path.local().low())
                .putLong(IP + 24, path.remote().high())
                .putLong(IP + 32, path.remote().low());
    }

    /** {@return bytes of the three headers over this version of IP} */
    public static int bytes(boolean isV6) {
        return isV6 ? BYTES_V6 : BYTES_V4;
    }

    /** {@return bytes of the three headers} */
    public int bytes() {
        return bytes;
    }

    /** {@return whether a frame that starts with headers of some template has the addresses and ports of this one} */
    public boolean hasPathOf(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int shift = frame.offset();
        if (Bytes.i32(buffer, shift + udp) != template.getInt(udp)) {
            return false;
        }
        for (int at = isV6 ? IP + 8 : IP + 12; at < udp; at += Integer.BYTES) {
            if (Bytes.i32(buffer, shift + at) != template.getInt(at)) {
                return false;
            }
        }
        return (short) Ethernet.type(buffer, shift) == template.getShort(Ethernet.TYPE_AT);
    }

    /** {@return the offset at which the Weir header begins, once the headers have been copied to an empty frame} */
    public int begin(Frame frame, int headroomBytes) {
        UnsafeBuffer buffer = frame.buffer();
        // One check for all fields of all headers.
        buffer.boundsCheck(headroomBytes, BYTES_V6 + DataHeader.BYTES_MAX);
        frame.setExtent(headroomBytes, bytes);
        Bytes.copyFew(template.array(), buffer, headroomBytes);
        return headroomBytes + bytes;
    }

    /** Completes a frame with {@code weirBytes} after the headers, all written: lengths, class, checksums. */
    public void finish(Frame frame, int weirBytes, int dscp, int ecn) {
        finishHeaders(frame, weirBytes, Dscp.octet(dscp, ecn));
        if (checksums != ChecksumScope.NONE) {
            checkUdp(frame, isV6, pseudoHeaderSum);
        }
    }

    /**
     * Completes a frame of data, whose CRC32C is written, with {@code weirBytes} after the headers, all written or
     * elided: lengths, class, and those checksums that data frames have.
     */
    public void finishData(Frame frame, int weirBytes, int ecn) {
        finishHeaders(frame, weirBytes, Dscp.octet(Dscp.DATA, ecn));
        // Over IPv6 the UDP checksum is not optional (RFC 8200, section 8.1).
        if (checksums == ChecksumScope.ALL || (checksums == ChecksumScope.NOT_ON_DATA && isV6)) {
            checkUdp(frame, isV6, pseudoHeaderSum);
        }
    }

    private void finishHeaders(Frame frame, int weirBytes, int octet) {
        frame.setExtent(frame.offset(), bytes + weirBytes - frame.elidedBytes());
        complete(frame, isV6, octet);
        if (checksums != ChecksumScope.NONE && !isV6) {
            checkIpv4(frame, ipHeaderSum);
        }
    }

    /**
     * Turns a received datagram round, so that it goes back to where it came from: addresses and ports change places.
     * What stands behind the headers is the caller's to write, who then calls {@link #finishReply}.
     */
    @SuppressWarnings("ArgumentSelectionDefectChecker") // source and destination change places: that is the point
    public static void turn(Frame frame, Datagram datagram) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        Ethernet.write(buffer, at, datagram.sourceMac(), datagram.destinationMac(), Ethernet.type(buffer, at));
        int addressBytes = datagram.isV6() ? 16 : 4;
        Bytes.put8(buffer, at + IP + (datagram.isV6() ? 7 : 8), TTL);
        int udpAt = datagram.weirAt() - UDP_BYTES;
        for (int i = 0; i < addressBytes; i += 4) {
            swap32(buffer, udpAt - 2 * addressBytes + i, udpAt - addressBytes + i);
        }
        int sourcePort = Bytes.u16(buffer, udpAt);
        Bytes.put16(buffer, udpAt, Bytes.u16(buffer, udpAt + 2));
        Bytes.put16(buffer, udpAt + 2, sourcePort);
    }

    /** Completes a frame that was turned round and has {@code weirBytes} behind its headers now. */
    public static void finishReply(Frame frame, boolean isV6, int weirBytes) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int headerBytes = bytes(isV6);
        frame.setExtent(at, headerBytes + weirBytes);
        long ipSum = 0;
        // What the sender put there is its flow label, or its length: no part of a reply.
        Bytes.put8(buffer, at + IP + 1, 0);
        Bytes.put16(buffer, at + IP + 2, 0);
        if (!isV6) {
            Bytes.put16(buffer, at + IP + 10, 0);
            ipSum = InternetChecksum.add(0, buffer, at + IP, 20);
        }
        int addressBytes = isV6 ? 32 : 8;
        int udpAt = at + headerBytes - UDP_BYTES;
        long pseudoSum = InternetChecksum.add16(
                InternetChecksum.add(0, buffer, udpAt - addressBytes, addressBytes), Datagram.PROTOCOL_UDP);
        complete(frame, isV6, Dscp.octet(Dscp.CONTROL, Dscp.ECN_NOT_ECT));
        if (!isV6) {
            checkIpv4(frame, ipSum);
        }
        checkUdp(frame, isV6, pseudoSum);
    }

    private static void complete(Frame frame, boolean isV6, int octet) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int udpAt = at + (isV6 ? BYTES_V6 : BYTES_V4) - UDP_BYTES;
        int udpBytes = at + frame.frameBytes() - udpAt;
        if (isV6) {
            // The flow label stands in the last bits, and is there already.
            int flowLabel = Bytes.u8(buffer, at + IP + 1) & 0xF;
            Bytes.put16(buffer, at + IP, 0x6000 | octet << 4 | flowLabel);
            Bytes.put16(buffer, at + IP + 4, udpBytes);
        } else {
            Bytes.put8(buffer, at + IP + 1, octet);
            Bytes.put16(buffer, at + IP + 2, 20 + udpBytes);
        }
        Bytes.put16(buffer, udpAt + 4, udpBytes);
        Bytes.put16(buffer, udpAt + 6, 0);
    }

    private static void checkIpv4(Frame frame, long ipSum) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int octet = Bytes.u8(buffer, at + IP + 1);
        long headerSum = InternetChecksum.add16(InternetChecksum.add16(ipSum, octet), frame.length() - IP);
        Bytes.put16(buffer, at + IP + 10, InternetChecksum.finish(headerSum));
    }

    private static void checkUdp(Frame frame, boolean isV6, long pseudoSum) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int udpAt = at + (isV6 ? BYTES_V6 : BYTES_V4) - UDP_BYTES;
        int udpBytes = at + frame.length() - udpAt;
        long sum = InternetChecksum.add(InternetChecksum.add16(pseudoSum, udpBytes), buffer, udpAt, udpBytes);
        int checksum = InternetChecksum.finish(sum);
        // 0 becomes 0xFFFF (RFC 768), without a branch: one that is taken so seldom has everything compiled again.
        Bytes.put16(buffer, udpAt + 6, checksum | (((checksum - 1) >> 16) & 0xFFFF));
    }

    private static void swap32(UnsafeBuffer buffer, int a, int b) {
        int value = Bytes.i32(buffer, a);
        Bytes.put32(buffer, a, Bytes.i32(buffer, b));
        Bytes.put32(buffer, b, value);
    }
}
