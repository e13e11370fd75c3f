package io.weir.nic.packet;

import io.weir.nic.ffi.NativeMemory;
import java.util.SortedSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the classic BPF program by which a packet socket takes unfragmented UDP datagrams of no VLAN to this host and
 * to chosen ports. Beyond {@link #PORTS_MAX} ports it takes all between the least and the greatest; the host's stack
 * drops those of others.
 *
 * <p>Source: the kernel's documentation of socket filters (networking/filter).
 */
final class PacketFilter {
    /** The most ports that are told apart: a conditional jump reaches over 255 instructions. */
    static final int PORTS_MAX = 200;

    private static final int INSTRUCTION_BYTES = 8;
    private static final int HEAD_INSTRUCTIONS = 17;

    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_SHORT = 0x28;
    private static final int LOAD_SHORT_INDEXED = 0x48;
    private static final int LOAD_IPV4_HEADER_BYTES = 0xB1;
    private static final int JUMP = 0x05;
    private static final int JUMP_EQUAL = 0x15;
    private static final int JUMP_GREATER = 0x25;
    private static final int JUMP_GREATER_EQUAL = 0x35;
    private static final int JUMP_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    /** SKF_AD_OFF plus SKF_AD_PKTTYPE and SKF_AD_VLAN_TAG; without a tag the latter is 0. */
    private static final int PACKET_TYPE = -0x1000 + 4;

    private static final int VLAN_TAG = -0x1000 + 44;
    /** The rest is a priority, with which a frame is still of no VLAN. */
    private static final int VLAN_ID_BITS = 0x0FFF;

    private static final int TO_THIS_HOST = 0;

    private static final int ETHER_TYPE_AT = 12;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int IP_AT = 14;
    private static final int IPV4_FRAGMENT_AT = IP_AT + 6;
    private static final int FRAGMENT_BITS = 0x3FFF;
    private static final int IPV4_PROTOCOL_AT = IP_AT + 9;
    private static final int IPV6_PROTOCOL_AT = IP_AT + 6;
    private static final int IPV6_BYTES = 40;
    private static final int UDP = 17;
    private static final int DESTINATION_PORT_AT = 2;
    private static final int WHOLE_FRAME = 0x40000;

    private final UnsafeBuffer program;
    private int count;

    private PacketFilter(int instructions) {
        program = NativeMemory.allocate(instructions * INSTRUCTION_BYTES);
    }

    /** {@return the program that takes every frame} */
    static UnsafeBuffer all() {
        return new PacketFilter(1).put(RETURN, 0, 0, WHOLE_FRAME).program;
    }

    /** {@return the program that takes these ports} */
    static UnsafeBuffer of(SortedSet<Integer> ports) {
        if (ports.isEmpty()) {
            return new PacketFilter(1).put(RETURN, 0, 0, 0).program;
        }
        boolean isRange = ports.size() > PORTS_MAX;
        int portInstructions = isRange ? 2 : ports.size();
        // Two returns follow: drop, take.
        PacketFilter filter = new PacketFilter(HEAD_INSTRUCTIONS + portInstructions + 2);
        filter.putHead(portInstructions);
        if (isRange) {
            filter.put(JUMP_GREATER_EQUAL, 0, 1, ports.first()).put(JUMP_GREATER, 0, 1, ports.last());
        } else {
            int after = portInstructions;
            for (int port : ports) {
                filter.put(JUMP_EQUAL, after--, 0, port);
            }
        }
        return filter.put(RETURN, 0, 0, 0).put(RETURN, 0, 0, WHOLE_FRAME).program;
    }

    /** Drops what is no such datagram, and leaves the destination port in the accumulator. */
    private void putHead(int portInstructions) {
        int drop = HEAD_INSTRUCTIONS + portInstructions;
        put(LOAD_BYTE, 0, 0, PACKET_TYPE).jumpUnlessEqual(TO_THIS_HOST, drop);
        put(LOAD_SHORT, 0, 0, VLAN_TAG).put(JUMP_ANY_BIT, drop - count - 1, 0, VLAN_ID_BITS);
        put(LOAD_SHORT, 0, 0, ETHER_TYPE_AT).put(JUMP_EQUAL, 0, 7, IPV4);
        put(LOAD_BYTE, 0, 0, IPV4_PROTOCOL_AT).jumpUnlessEqual(UDP, drop);
        put(LOAD_SHORT, 0, 0, IPV4_FRAGMENT_AT).put(JUMP_ANY_BIT, drop - count - 1, 0, FRAGMENT_BITS);
        put(LOAD_IPV4_HEADER_BYTES, 0, 0, IP_AT).put(LOAD_SHORT_INDEXED, 0, 0, IP_AT + DESTINATION_PORT_AT);
        put(JUMP, 0, 0, HEAD_INSTRUCTIONS - count - 1);
        jumpUnlessEqual(IPV6, drop);
        put(LOAD_BYTE, 0, 0, IPV6_PROTOCOL_AT).jumpUnlessEqual(UDP, drop);
        put(LOAD_SHORT, 0, 0, IP_AT + IPV6_BYTES + DESTINATION_PORT_AT);
        // HEAD_INSTRUCTIONS counts these.
        assert count == HEAD_INSTRUCTIONS : count;
    }

    private PacketFilter jumpUnlessEqual(int operand, int target) {
        return put(JUMP_EQUAL, 0, target - count - 1, operand);
    }

    private PacketFilter put(int code, int jumpTrue, int jumpFalse, int operand) {
        int at = count * INSTRUCTION_BYTES;
        program.putShort(at, (short) code);
        program.putByte(at + 2, (byte) jumpTrue);
        program.putByte(at + 3, (byte) jumpFalse);
        program.putInt(at + 4, operand);
        count++;
        return this;
    }
}
