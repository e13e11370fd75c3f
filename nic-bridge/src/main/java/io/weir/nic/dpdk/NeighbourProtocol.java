package io.weir.nic.dpdk;

import io.weir.transport.frame.Frame;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.InternetChecksum;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * ARP and IPv6 neighbour discovery as far as a host on one link needs them: answers questions for its addresses, asks,
 * and learns from answers. Writes answers into the frames of the questions. The port's thread.
 *
 * <p>Source: RFC 826 (ARP), RFC 4861 (neighbour discovery), sections 4.3, 4.4 and 7.2.
 */
final class NeighbourProtocol {
    /** The longest frame that is written here. */
    static final int FRAME_BYTES_MAX = 14 + 40 + 32;

    private static final ByteOrder WIRE = ByteOrder.BIG_ENDIAN;
    private static final int ARP_BYTES = 28;
    private static final int ARP_ETHERNET_IPV4 = 0x00010800;
    private static final int ARP_LENGTHS = 0x0604;
    private static final int ARP_REQUEST = 1;
    private static final int ARP_REPLY = 2;
    private static final int ARP_SENDER_MAC = 8;
    private static final int ARP_SENDER = 14;
    private static final int ARP_TARGET_MAC = 18;
    private static final int ARP_TARGET = 24;

    private static final int IPV6_BYTES = 40;
    private static final int IPV6_SOURCE = 8;
    private static final int IPV6_DESTINATION = 24;
    private static final int ICMPV6 = 58;
    private static final int HOP_LIMIT = 255;
    private static final int SOLICITATION = 135;
    private static final int ADVERTISEMENT = 136;
    private static final int ND_BYTES = 32;
    private static final int ND_TARGET = 8;
    private static final int ND_OPTION = 24;
    private static final int OPTION_SOURCE_MAC = 1;
    private static final int OPTION_TARGET_MAC = 2;
    private static final int SOLICITED = 0x4000_0000;
    private static final int OVERRIDE = 0x2000_0000;
    private static final long SOLICITED_NODE_HIGH = 0xFF02_0000_0000_0000L;
    private static final long SOLICITED_NODE_LOW = 0x0000_0001_FF00_0000L;
    private static final long ALL_NODES_LOW = 1;
    private static final long GROUP_MAC = 0x3333_0000_0000L;

    private final long macAddress;
    private final List<InetAddress> addresses;
    private final NeighbourTable table;

    /** Answers for {@code addresses}, which are at {@code macAddress}. */
    NeighbourProtocol(long macAddress, List<InetAddress> addresses, NeighbourTable table) {
        this.macAddress = macAddress;
        this.addresses = List.copyOf(addresses);
        this.table = table;
    }

    /** {@return whether the frame is for this protocol, and not for the host's stack} */
    static boolean isOurs(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        if (frame.length() < Ethernet.HEADER_BYTES) {
            return false;
        }
        int type = Ethernet.type(buffer, at);
        return type == Ethernet.TYPE_ARP
                || (type == Ethernet.TYPE_IPV6
                        && frame.length() >= Ethernet.HEADER_BYTES + IPV6_BYTES
                        && buffer.getByte(at + Ethernet.HEADER_BYTES + 6) == ICMPV6);
    }

    /** {@return whether the frame is an answer now, to be sent; else it is for the caller to release} */
    boolean onFrame(Frame frame) {
        return Ethernet.type(frame.buffer(), frame.offset()) == Ethernet.TYPE_ARP ? onArp(frame) : onDiscovery(frame);
    }

    private boolean onArp(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int arp = frame.offset() + Ethernet.HEADER_BYTES;
        if (frame.length() < Ethernet.HEADER_BYTES + ARP_BYTES
                || buffer.getInt(arp, WIRE) != ARP_ETHERNET_IPV4
                || buffer.getShort(arp + 4, WIRE) != ARP_LENGTHS) {
            return false;
        }
        long senderMac = mac(buffer, arp + ARP_SENDER_MAC);
        table.learn(address(buffer, arp + ARP_SENDER, 4), senderMac);
        InetAddress target = address(buffer, arp + ARP_TARGET, 4);
        if (buffer.getShort(arp + 6, WIRE) != ARP_REQUEST || !addresses.contains(target)) {
            return false;
        }
        int sender = buffer.getInt(arp + ARP_SENDER);
        int ours = buffer.getInt(arp + ARP_TARGET);
        writeArp(frame, ARP_REPLY, senderMac, ours, senderMac, sender);
        return true;
    }

    /** Numbers of addresses are as they lie in memory. */
    private void writeArp(Frame frame, int operation, long toMac, int sender, long targetMac, int target) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        frame.setExtent(at, Frame.LENGTH_BYTES_MIN);
        buffer.setMemory(at, Frame.LENGTH_BYTES_MIN, (byte) 0);
        Ethernet.write(buffer, at, toMac, macAddress, Ethernet.TYPE_ARP);
        int arp = at + Ethernet.HEADER_BYTES;
        buffer.putInt(arp, ARP_ETHERNET_IPV4, WIRE);
        buffer.putShort(arp + 4, (short) ARP_LENGTHS, WIRE);
        buffer.putShort(arp + 6, (short) operation, WIRE);
        putMac(buffer, arp + ARP_SENDER_MAC, macAddress);
        buffer.putInt(arp + ARP_SENDER, sender);
        putMac(buffer, arp + ARP_TARGET_MAC, targetMac);
        buffer.putInt(arp + ARP_TARGET, target);
    }

    private boolean onDiscovery(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int ip = frame.offset() + Ethernet.HEADER_BYTES;
        int payloadBytes = buffer.getShort(ip + 4, WIRE) & 0xFFFF;
        int icmp = ip + IPV6_BYTES;
        if (payloadBytes < ND_OPTION
                || frame.length() < Ethernet.HEADER_BYTES + IPV6_BYTES + payloadBytes
                || (buffer.getByte(ip + 7) & 0xFF) != HOP_LIMIT
                || !InternetChecksum.isIntact(sum(buffer, ip, payloadBytes))) {
            return false;
        }
        int type = buffer.getByte(icmp) & 0xFF;
        InetAddress target = address(buffer, icmp + ND_TARGET, 16);
        if (type == ADVERTISEMENT) {
            long mac = option(buffer, icmp, payloadBytes, OPTION_TARGET_MAC);
            if (mac != 0) {
                table.learn(target, mac);
            }
            return false;
        }
        if (type != SOLICITATION || !addresses.contains(target)) {
            return false;
        }
        return answerSolicitation(frame, payloadBytes);
    }

    private boolean answerSolicitation(Frame frame, int payloadBytes) {
        UnsafeBuffer buffer = frame.buffer();
        int ip = frame.offset() + Ethernet.HEADER_BYTES;
        int icmp = ip + IPV6_BYTES;
        long askerHigh = buffer.getLong(ip + IPV6_SOURCE, WIRE);
        long askerLow = buffer.getLong(ip + IPV6_SOURCE + 8, WIRE);
        long targetHigh = buffer.getLong(icmp + ND_TARGET, WIRE);
        long targetLow = buffer.getLong(icmp + ND_TARGET + 8, WIRE);
        // Without an address, the asker wants to know whether its own is free: everybody is told.
        boolean isNobody = askerHigh == 0 && askerLow == 0;
        long mac = option(buffer, icmp, payloadBytes, OPTION_SOURCE_MAC);
        if (!isNobody && mac != 0) {
            table.learn(address(buffer, ip + IPV6_SOURCE, 16), mac);
        }
        long toMac = isNobody ? GROUP_MAC | ALL_NODES_LOW : mac != 0 ? mac : Ethernet.source(buffer, frame.offset());
        writeDiscovery(
                frame,
                toMac,
                targetHigh,
                targetLow,
                isNobody ? SOLICITED_NODE_HIGH : askerHigh,
                isNobody ? ALL_NODES_LOW : askerLow);
        buffer.putByte(icmp, (byte) ADVERTISEMENT);
        buffer.putInt(icmp + 4, isNobody ? OVERRIDE : SOLICITED | OVERRIDE, WIRE);
        finishDiscovery(buffer, ip, targetHigh, targetLow, OPTION_TARGET_MAC);
        return true;
    }

    /** Everything but type, flags, target, option and checksum. */
    private void writeDiscovery(
            Frame frame, long toMac, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        frame.setExtent(at, FRAME_BYTES_MAX);
        buffer.setMemory(at, FRAME_BYTES_MAX, (byte) 0);
        Ethernet.write(buffer, at, toMac, macAddress, Ethernet.TYPE_IPV6);
        int ip = at + Ethernet.HEADER_BYTES;
        buffer.putByte(ip, (byte) 0x60);
        buffer.putShort(ip + 4, (short) ND_BYTES, WIRE);
        buffer.putByte(ip + 6, (byte) ICMPV6);
        buffer.putByte(ip + 7, (byte) HOP_LIMIT);
        buffer.putLong(ip + IPV6_SOURCE, sourceHigh, WIRE);
        buffer.putLong(ip + IPV6_SOURCE + 8, sourceLow, WIRE);
        buffer.putLong(ip + IPV6_DESTINATION, destinationHigh, WIRE);
        buffer.putLong(ip + IPV6_DESTINATION + 8, destinationLow, WIRE);
    }

    private void finishDiscovery(UnsafeBuffer buffer, int ip, long targetHigh, long targetLow, int option) {
        int icmp = ip + IPV6_BYTES;
        buffer.putLong(icmp + ND_TARGET, targetHigh, WIRE);
        buffer.putLong(icmp + ND_TARGET + 8, targetLow, WIRE);
        buffer.putByte(icmp + ND_OPTION, (byte) option);
        buffer.putByte(icmp + ND_OPTION + 1, (byte) 1);
        putMac(buffer, icmp + ND_OPTION + 2, macAddress);
        buffer.putShort(icmp + 2, (short) InternetChecksum.finish(sum(buffer, ip, ND_BYTES)), WIRE);
    }

    /** Writes the question where {@code target} is, of the host with the address {@code ours}, into an empty frame. */
    void writeQuestion(Frame frame, InetAddress ours, InetAddress target) {
        byte[] from = ours.getAddress();
        byte[] wanted = target.getAddress();
        frame.setExtent(0, 0);
        UnsafeBuffer from6 = new UnsafeBuffer(from);
        UnsafeBuffer wanted6 = new UnsafeBuffer(wanted);
        if (wanted.length == 4) {
            writeArp(frame, ARP_REQUEST, Ethernet.BROADCAST, from6.getInt(0), 0, wanted6.getInt(0));
            return;
        }
        long targetLow = wanted6.getLong(8, WIRE);
        long suffix = targetLow & 0xFF_FFFFL;
        writeDiscovery(
                frame,
                GROUP_MAC | 0xFF00_0000L | suffix,
                from6.getLong(0, WIRE),
                from6.getLong(8, WIRE),
                SOLICITED_NODE_HIGH,
                SOLICITED_NODE_LOW | suffix);
        UnsafeBuffer buffer = frame.buffer();
        int ip = frame.offset() + Ethernet.HEADER_BYTES;
        buffer.putByte(ip + IPV6_BYTES, (byte) SOLICITATION);
        finishDiscovery(buffer, ip, wanted6.getLong(0, WIRE), targetLow, OPTION_SOURCE_MAC);
    }

    /** {@return the sum over an ICMPv6 message with its pseudo-header} */
    private static long sum(UnsafeBuffer buffer, int ip, int payloadBytes) {
        long sum = InternetChecksum.add(0, buffer, ip + IPV6_SOURCE, IPV6_BYTES - IPV6_SOURCE);
        sum = InternetChecksum.add16(sum, payloadBytes);
        sum = InternetChecksum.add16(sum, ICMPV6);
        return InternetChecksum.add(sum, buffer, ip + IPV6_BYTES, payloadBytes);
    }

    /** {@return the Ethernet address in an option of this kind, or 0} */
    private static long option(UnsafeBuffer buffer, int icmp, int payloadBytes, int kind) {
        int at = ND_OPTION;
        while (at + 8 <= payloadBytes) {
            int lengthBytes = (buffer.getByte(icmp + at + 1) & 0xFF) * 8;
            if (lengthBytes == 0) {
                return 0;
            }
            if (buffer.getByte(icmp + at) == kind) {
                return mac(buffer, icmp + at + 2);
            }
            at += lengthBytes;
        }
        return 0;
    }

    private static InetAddress address(UnsafeBuffer buffer, int at, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        buffer.getBytes(at, bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 octets are always an address", e);
        }
    }

    private static long mac(UnsafeBuffer buffer, int at) {
        return (buffer.getShort(at, WIRE) & 0xFFFFL) << 32 | (buffer.getInt(at + 2, WIRE) & 0xFFFF_FFFFL);
    }

    private static void putMac(UnsafeBuffer buffer, int at, long mac) {
        buffer.putShort(at, (short) (mac >>> 32), WIRE);
        buffer.putInt(at + 2, (int) mac, WIRE);
    }
}
