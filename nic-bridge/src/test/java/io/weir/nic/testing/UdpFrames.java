package io.weir.nic.testing;

import io.weir.nic.NicException;
import io.weir.nic.lab.TwoHosts;
import io.weir.transport.frame.Frame;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes UDP datagrams over IPv4 into frames, from one end of a link to the other. */
public final class UdpFrames {
    /** Ethernet, IPv4 and UDP headers together. */
    public static final int HEADER_BYTES = 42;

    /** The port that the datagrams come from. */
    public static final int SOURCE_PORT = 7777;

    private static final ByteOrder WIRE = ByteOrder.BIG_ENDIAN;
    private static final int IPV4_AT = 14;
    private static final int UDP_AT = 34;

    private final long destinationMac;
    private final long sourceMac;
    private final byte[] source;
    private final byte[] destination;

    /** Remembers the addresses. */
    public UdpFrames(long sourceMac, String source, long destinationMac, String destination) {
        this.sourceMac = sourceMac;
        this.destinationMac = destinationMac;
        this.source = bytes(source);
        this.destination = bytes(destination);
    }

    /** {@return a writer of datagrams from {@code a} to {@code b}} */
    public static UdpFrames fromAToB(TwoHosts hosts) throws NicException {
        return new UdpFrames(
                TwoHosts.facts(hosts.a()).macAddress(),
                TwoHosts.ADDRESS_A,
                TwoHosts.facts(hosts.b()).macAddress(),
                TwoHosts.ADDRESS_B);
    }

    /** Fills {@code frame} at {@code offset} of its slot with a datagram whose payload begins with {@code mark}. */
    public Frame write(Frame frame, int offset, int payloadBytes, int destinationPort, long mark) {
        frame.setExtent(offset, HEADER_BYTES + payloadBytes);
        UnsafeBuffer slot = frame.buffer();
        putMac(slot, offset, destinationMac);
        putMac(slot, offset + 6, sourceMac);
        slot.putShort(offset + 12, (short) 0x0800, WIRE);
        int ip = offset + IPV4_AT;
        slot.putShort(ip, (short) 0x4500, WIRE);
        slot.putShort(ip + 2, (short) (28 + payloadBytes), WIRE);
        slot.putInt(ip + 4, 0x4000, WIRE);
        slot.putInt(ip + 8, 0x40110000, WIRE);
        slot.putBytes(ip + 12, source);
        slot.putBytes(ip + 16, destination);
        slot.putShort(ip + 10, (short) ~sum(slot, ip, 20), WIRE);
        int udp = offset + UDP_AT;
        slot.putShort(udp, (short) SOURCE_PORT, WIRE);
        slot.putShort(udp + 2, (short) destinationPort, WIRE);
        slot.putInt(udp + 4, (8 + payloadBytes) << 16, WIRE);
        slot.setMemory(udp + 8, payloadBytes, (byte) 0x5A);
        slot.putLong(udp + 8, mark, WIRE);
        return frame;
    }

    /** {@return the first eight bytes of the payload} */
    public static long mark(Frame frame) {
        return frame.buffer().getLong(frame.offset() + HEADER_BYTES, WIRE);
    }

    private static void putMac(UnsafeBuffer buffer, int offset, long mac) {
        buffer.putShort(offset, (short) (mac >>> 32), WIRE);
        buffer.putInt(offset + 2, (int) mac, WIRE);
    }

    private static int sum(UnsafeBuffer buffer, int offset, int lengthBytes) {
        int sum = 0;
        for (int i = 0; i < lengthBytes; i += 2) {
            sum += buffer.getShort(offset + i, WIRE) & 0xFFFF;
        }
        return (sum & 0xFFFF) + (sum >>> 16);
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
