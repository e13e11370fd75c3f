package io.weir.nic.packet;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.net.InterfaceFacts;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A packet socket with its two rings, mapped into memory: equal slots, each with a header in which kernel and program
 * tell each other whose the slot is (TPACKET_V2). Version 3 hands over blocks of frames only when they are full or a
 * timer has run out, which costs a millisecond of latency.
 */
final class PacketSocket implements AutoCloseable {
    /** The largest MTU whose frames fit a ring's largest slot. */
    static final int MTU_BYTES_MAX = 16_000;

    private static final int SLOT_BYTES_MIN = 2048;
    private static final int SLOT_BYTES_MAX = 16_384;
    /** The kernel's header with its alignment, an Ethernet header and a VLAN tag. */
    private static final int FRAMING_BYTES = 128;

    private static final int BLOCK_BYTES = 1 << 16;
    private static final int RECEIVE_RING_BYTES = 1 << 23;
    private static final int RECEIVE_SLOTS_MIN = 1024;
    private static final int TRANSMIT_SLOTS = 1024;
    private static final int TRANSMIT_BYTES_MAX = 1 << 22;

    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PROMISCUOUS = 1;
    private static final int MEMBERSHIP_BYTES = 16;
    private static final int PACKET_RX_RING = 5;
    private static final int PACKET_STATISTICS = 6;
    private static final int PACKET_VERSION = 10;
    private static final int PACKET_TX_RING = 13;
    private static final int PACKET_LOSS = 14;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int TPACKET_V2 = 1;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int ADDRESS_BYTES = 20;
    private static final int EVERY_PROTOCOL = 0x0300;

    private final String interfaceName;
    private final int fd;
    private final int slotBytes;
    private final SortedSet<Integer> ports = new TreeSet<>();
    // Both rings in one mapping: its address, 0 without one, its bytes, and a view of each half. Written when the rings
    // are made; close() empties the views before it takes the mapping away.
    private long mapped;
    private int mappedBytes;
    private UnsafeBuffer receiveRing;
    private UnsafeBuffer transmitRing;
    /** Frames that the kernel had no slot for, as far as it was asked; with the lock. */
    private long overflowCount;

    private PacketSocket(InterfaceFacts device, int fd) {
        this.interfaceName = device.name();
        this.fd = fd;
        this.slotBytes = slotBytes(device.mtuBytes());
    }

    /** {@return the bytes of a slot, of a ring or a pool, that an interface of this MTU needs} */
    static int slotBytes(int mtuBytes) {
        int needed = mtuBytes + FRAMING_BYTES;
        int slot = SLOT_BYTES_MIN;
        while (slot < needed && slot < SLOT_BYTES_MAX) {
            slot *= 2;
        }
        return slot;
    }

    /** Opens a socket that takes nothing yet, in the calling thread's network namespace. */
    static PacketSocket open(InterfaceFacts device) throws NicException {
        return open(device, PacketFilter.of(Collections.emptySortedSet()));
    }

    /** Opens a socket that takes every frame on the wire, in the calling thread's network namespace. */
    static PacketSocket openForAll(InterfaceFacts device) throws NicException {
        PacketSocket socket = open(device, PacketFilter.all());
        boolean isOpened = false;
        try {
            UnsafeBuffer membership = NativeMemory.allocate(MEMBERSHIP_BYTES);
            membership.putInt(0, device.index());
            membership.putShort(4, (short) PROMISCUOUS);
            socket.require(
                    Libc.setsockopt(socket.fd, Libc.SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership),
                    "take frames to other hosts");
            isOpened = true;
            return socket;
        } finally {
            if (!isOpened) {
                socket.close();
            }
        }
    }

    private static PacketSocket open(InterfaceFacts device, UnsafeBuffer filter) throws NicException {
        // Without a protocol it takes nothing before it is bound and has its filter.
        int fd = Libc.socket(Libc.AF_PACKET, Libc.SOCK_RAW, 0);
        if (fd < 0) {
            throw new NicException(
                    -fd,
                    "open a packet socket",
                    fd == -Errno.EPERM.number() ? "needs CAP_NET_RAW: run as root" : "check ulimit -n");
        }
        PacketSocket socket = new PacketSocket(device, fd);
        boolean isOpened = false;
        try {
            socket.setUp(device, filter);
            isOpened = true;
            return socket;
        } finally {
            if (!isOpened) {
                socket.close();
            }
        }
    }

    private void setUp(InterfaceFacts device, UnsafeBuffer filter) throws NicException {
        int receiveSlots = Math.max(RECEIVE_SLOTS_MIN, RECEIVE_RING_BYTES / slotBytes);
        require(Libc.setsockopt(fd, Libc.SOL_PACKET, PACKET_VERSION, TPACKET_V2), "choose the rings' version");
        require(
                Libc.setsockopt(fd, Libc.SOL_PACKET, PACKET_IGNORE_OUTGOING, 1),
                "leave out the host's own frames (Linux 4.20 or newer)");
        // A frame that the kernel refuses costs itself only, not those behind it.
        require(Libc.setsockopt(fd, Libc.SOL_PACKET, PACKET_LOSS, 1), "skip refused frames");
        // Best effort: the default has room for some 90 frames on their way.
        Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_SNDBUFFORCE, TRANSMIT_BYTES_MAX);
        require(Libc.attachFilter(fd, filter), "attach a filter");
        requestRing(PACKET_RX_RING, receiveSlots);
        requestRing(PACKET_TX_RING, TRANSMIT_SLOTS);
        map(receiveSlots * slotBytes, TRANSMIT_SLOTS * slotBytes);
        UnsafeBuffer address = NativeMemory.allocate(ADDRESS_BYTES);
        address.putShort(0, (short) Libc.AF_PACKET);
        address.putShort(2, (short) EVERY_PROTOCOL);
        address.putInt(4, device.index());
        require(Libc.bind(fd, address), "bind to the interface");
    }

    private void requestRing(int option, int slots) throws NicException {
        UnsafeBuffer request = NativeMemory.allocate(4 * Integer.BYTES);
        request.putInt(0, BLOCK_BYTES);
        request.putInt(4, slots / (BLOCK_BYTES / slotBytes));
        request.putInt(8, slotBytes);
        request.putInt(12, slots);
        require(
                Libc.setsockopt(fd, Libc.SOL_PACKET, option, request),
                "make a ring of " + slots + " slots of " + slotBytes + " bytes");
    }

    private void map(int receiveBytes, int transmitBytes) throws NicException {
        long address = Libc.mmap(fd, receiveBytes + transmitBytes, 0);
        require((int) Math.min(0, address), "map the rings");
        mapped = address;
        mappedBytes = receiveBytes + transmitBytes;
        receiveRing = new UnsafeBuffer(address, receiveBytes);
        transmitRing = new UnsafeBuffer(address + receiveBytes, transmitBytes);
    }

    private void require(int result, String attempt) throws NicException {
        if (result < 0) {
            throw new NicException(
                    -result,
                    attempt + " for AF_PACKET on " + interfaceName,
                    result == -Errno.ENOMEM.number() ? "free memory" : "needs Linux 4.20 or newer with CONFIG_PACKET");
        }
    }

    /** Takes a UDP port's datagrams too, or no longer. Any thread. */
    synchronized void setPort(int udpPort, boolean isTaken) throws NicException {
        boolean isChanged = isTaken ? ports.add(udpPort) : ports.remove(udpPort);
        if (isChanged && mapped != 0) {
            require(Libc.attachFilter(fd, PacketFilter.of(ports)), "change the filter");
        }
    }

    /** {@return frames that the kernel had no slot for. A system call; any thread.} */
    synchronized long overflowCount() {
        UnsafeBuffer counts = NativeMemory.allocate(2 * Integer.BYTES);
        // Reading sets the kernel's counts to 0.
        if (mapped != 0 && Libc.getsockopt(fd, Libc.SOL_PACKET, PACKET_STATISTICS, counts) > 0) {
            overflowCount += counts.getInt(Integer.BYTES) & 0xFFFF_FFFFL;
        }
        return overflowCount;
    }

    int fd() {
        return fd;
    }

    int slotBytes() {
        return slotBytes;
    }

    UnsafeBuffer receiveRing() {
        return receiveRing;
    }

    UnsafeBuffer transmitRing() {
        return transmitRing;
    }

    @Override
    public synchronized void close() {
        if (mapped != 0) {
            overflowCount();
            receiveRing.wrap(0, 0);
            transmitRing.wrap(0, 0);
            Libc.munmap(mapped, mappedBytes);
            mapped = 0;
        }
        Libc.close(fd);
    }
}
