package io.weir.nic.packet;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link PacketFilter} by an interpreter of the few instructions that it uses. */
class PacketFilterTest {
    private static final int PORT_AT_V4 = 36;
    private static final int PORT_AT_V6 = 56;

    @Test
    void of_noPort_takesNothing() {
        assertFalse(takes(List.of(), ipv4(4720)));
    }

    @Test
    void of_somePorts_takesThoseAlone() {
        List<Integer> ports = List.of(1, 4720, 65_535);
        for (int port : ports) {
            assertTrue(takes(ports, ipv4(port)), "IPv4 " + port);
            assertTrue(takes(ports, ipv6(port)), "IPv6 " + port);
        }
        assertFalse(takes(ports, ipv4(4721)));
        assertFalse(takes(ports, ipv6(4719)));
    }

    @Test
    void of_mostPortsToldApart_takesThoseAlone() {
        List<Integer> even = IntStream.range(0, PacketFilter.PORTS_MAX)
                .map(i -> 2 + 2 * i)
                .boxed()
                .toList();
        for (int port = 1; port <= 2 * PacketFilter.PORTS_MAX + 1; port++) {
            assertTrue(takes(even, ipv4(port)) == even.contains(port), "port " + port);
        }
    }

    @Test
    void of_morePorts_takesTheirRange() {
        List<Integer> even = IntStream.rangeClosed(0, PacketFilter.PORTS_MAX)
                .map(i -> 1000 + 2 * i)
                .boxed()
                .toList();
        int last = even.get(even.size() - 1);
        assertTrue(takes(even, ipv4(1000)));
        assertTrue(takes(even, ipv4(1001)));
        assertTrue(takes(even, ipv6(last)));
        assertFalse(takes(even, ipv4(999)));
        assertFalse(takes(even, ipv4(last + 1)));
    }

    @Test
    void of_ipv4Options_findsThePortBehindThem() {
        byte[] frame = ipv4(1);
        frame[14] = 0x46;
        frame[PORT_AT_V4 + 4] = 4720 >> 8;
        frame[PORT_AT_V4 + 5] = (byte) 4720;
        assertTrue(takes(List.of(4720), frame));
    }

    @Test
    void of_whatIsNoWholeDatagramOfNoVlanToThisHost_takesNone() {
        List<Integer> ports = List.of(4720);
        assertFalse(run(PacketFilter.of(new TreeSet<>(ports)), ipv4(4720), 3, 0), "to another host");
        assertFalse(run(PacketFilter.of(new TreeSet<>(ports)), ipv4(4720), 0, 0x6001), "of VLAN 1");
        byte[] tcp = ipv4(4720);
        tcp[23] = 6;
        assertFalse(takes(ports, tcp));
        byte[] fragment = ipv4(4720);
        fragment[20] = 0x20;
        assertFalse(takes(ports, fragment));
        byte[] tcp6 = ipv6(4720);
        tcp6[20] = 6;
        assertFalse(takes(ports, tcp6));
        byte[] arp = ipv4(4720);
        arp[13] = 6;
        assertFalse(takes(ports, arp));
    }

    @Test
    void of_priorityTag_isTakenAsUntagged() {
        assertTrue(run(PacketFilter.of(new TreeSet<>(List.of(4720))), ipv4(4720), 0, 0x6000), "priority 3");
        assertTrue(run(PacketFilter.of(new TreeSet<>(List.of(4720))), ipv6(4720), 0, 0x1000), "drop eligible");
    }

    private static byte[] ipv4(int port) {
        byte[] frame = new byte[80];
        frame[12] = 0x08;
        frame[14] = 0x45;
        frame[23] = 17;
        return withPort(frame, PORT_AT_V4, port);
    }

    private static byte[] ipv6(int port) {
        byte[] frame = new byte[80];
        frame[12] = (byte) 0x86;
        frame[13] = (byte) 0xDD;
        frame[14] = 0x60;
        frame[20] = 17;
        return withPort(frame, PORT_AT_V6, port);
    }

    private static byte[] withPort(byte[] frame, int at, int port) {
        frame[at] = (byte) (port >> 8);
        frame[at + 1] = (byte) port;
        return frame;
    }

    private static boolean takes(List<Integer> ports, byte[] frame) {
        SortedSet<Integer> sorted = new TreeSet<>(ports);
        return run(PacketFilter.of(sorted), frame, 0, 0);
    }

    /** {@return whether the program takes the frame, with this type and tag as the kernel tells them} */
    private static boolean run(UnsafeBuffer program, byte[] frame, int packetType, int tag) {
        UnsafeBuffer bytes = new UnsafeBuffer(frame);
        int accumulator = 0;
        int index = 0;
        int at = 0;
        while (true) {
            int code = program.getShort(at);
            int jump = program.getByte(at + 2) & 0xFF;
            int otherwise = program.getByte(at + 3) & 0xFF;
            int operand = program.getInt(at + 4);
            at += 8;
            switch (code) {
                case 0x30 -> accumulator = operand == -0x1000 + 4 ? packetType : frame[operand] & 0xFF;
                case 0x28 ->
                    accumulator =
                            operand == -0x1000 + 44 ? tag : bytes.getShort(operand, ByteOrder.BIG_ENDIAN) & 0xFFFF;
                case 0x48 -> accumulator = bytes.getShort(index + operand, ByteOrder.BIG_ENDIAN) & 0xFFFF;
                case 0xB1 -> index = 4 * (frame[operand] & 0xF);
                case 0x05 -> at += 8 * operand;
                case 0x15 -> at += 8 * (accumulator == operand ? jump : otherwise);
                case 0x25 -> at += 8 * (accumulator > operand ? jump : otherwise);
                case 0x35 -> at += 8 * (accumulator >= operand ? jump : otherwise);
                case 0x45 -> at += 8 * ((accumulator & operand) != 0 ? jump : otherwise);
                case 0x06 -> {
                    return operand != 0;
                }
                default -> throw new AssertionError("code " + code);
            }
        }
    }
}
