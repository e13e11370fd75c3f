package io.weir.nic.broker;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingPort;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.SharedHostMac;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The broker's Node: what the interface receives goes to the client that has the UDP port, and what clients send leaves
 * in turn. O(1) per frame, no allocation; what a cycle costs besides, {@link MemberTurns} says.
 *
 * <p>A client can send only as itself: from an address of the interface and a UDP port that it has. The source's
 * Ethernet address is written here.
 *
 * <p>The loop's thread owns it; what others may call says so.
 */
final class Exchange implements UntimedNode, Egress {
    /** Of the first byte of an Ethernet address: more than one host has it. */
    private static final int GROUP_BIT = 1;

    private static final int PORTS = 1 << 16;
    /** Frames that are refused in one poll: a hostile client does not keep the loop. */
    private static final int REFUSED_MAX = 64;

    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int FRAGMENT_BITS = 0x3FFF;

    /** Who has each UDP port. Any thread writes; each slot is taken and given back by compare and set. */
    private final AtomicReferenceArray<Member> owners = new AtomicReferenceArray<>(PORTS);

    private final MemberTurns turns = new MemberTurns();
    /** The addresses that clients may send from; replaced as a whole by any thread. */
    private volatile IpAddress[] addresses = {};
    /** The interface's Ethernet address; written by any thread. */
    private volatile long macAddress;

    private final AtomicLong deliveredCount = new AtomicLong();
    private final AtomicLong noRoomCount = new AtomicLong();
    private final AtomicLong sentCount = new AtomicLong();
    private final AtomicLong unclaimedCount = new AtomicLong();
    private final AtomicLong refusedCount = new AtomicLong();

    // ---- clients and ports

    /** A client's frames are moved from now on. Loop thread. */
    void add(Member member) {
        turns.add(member);
    }

    /** A client's frames are moved no more, and its memory is touched no more. Loop thread. */
    void remove(Member member) {
        turns.remove(member);
    }

    /** {@return who has the port now: {@code member} if nobody had it} Any thread. */
    Member takePort(int udpPort, Member member) {
        return owners.compareAndSet(udpPort, null, member) ? member : ownerOf(udpPort);
    }

    /** Nobody has the port from now on, if {@code member} has. Any thread. */
    void leavePort(int udpPort, Member member) {
        owners.compareAndSet(udpPort, member, null);
    }

    /** {@return who has a UDP port, or null} Any thread. */
    Member ownerOf(int udpPort) {
        return owners.get(udpPort);
    }

    /** Sets the addresses that clients may send from. Any thread. */
    void setAddresses(List<IpAddress> ours) {
        addresses = ours.toArray(IpAddress[]::new);
    }

    /** Sets the interface's Ethernet address. Any thread. */
    void setMac(long mac) {
        macAddress = mac;
    }

    // ---- from the interface

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        int udp = udpOffset(frame);
        Member owner = udp < 0 ? null : owners.getAcquire(port(frame.buffer(), udp + Short.BYTES));
        if (owner == null || SharedHostMac.isFrom(frame)) {
            // On a wire nobody has an address of the latter kind: answers would go to another client.
            unclaimedCount.lazySet(unclaimedCount.get() + 1);
            frame.release();
        } else {
            deliver(owner, frame);
        }
    }

    private void deliver(Member owner, Frame frame) {
        RegionPort port = owner.port();
        turns.onGiven(owner);
        long droppedBefore = port.droppedCount();
        port.transmit(frame);
        if (port.droppedCount() == droppedBefore) {
            deliveredCount.lazySet(deliveredCount.get() + 1);
        } else {
            noRoomCount.lazySet(noRoomCount.get() + 1);
        }
    }

    // ---- to the interface

    @Override
    public Frame pollTransmit(long nowNanos) {
        for (int refused = 0; refused < REFUSED_MAX; refused++) {
            Frame frame = turns.poll();
            if (frame == null) {
                return null;
            }
            if (isAllowed(turns.sender(), frame)) {
                turns.onSent();
                sentCount.lazySet(sentCount.get() + 1);
                return frame;
            }
            refusedCount.lazySet(refusedCount.get() + 1);
            frame.release();
        }
        return null;
    }

    private boolean isAllowed(Member member, Frame frame) {
        int udp = udpOffset(frame);
        UnsafeBuffer buffer = frame.buffer();
        if (udp < 0 || owners.getAcquire(port(buffer, udp)) != member || !isFromOurs(buffer, frame.offset() + IP)) {
            return false;
        }
        if ((buffer.getByte(frame.offset()) & GROUP_BIT) != 0 && !member.mayBroadcast()) {
            return false;
        }
        long mac = macAddress;
        buffer.putShort(frame.offset() + Ethernet.SOURCE_AT, (short) (mac >>> 32), ByteOrder.BIG_ENDIAN);
        buffer.putInt(frame.offset() + Ethernet.SOURCE_AT + Short.BYTES, (int) mac, ByteOrder.BIG_ENDIAN);
        return true;
    }

    private boolean isFromOurs(UnsafeBuffer buffer, int ip) {
        boolean isV6 = (buffer.getByte(ip) & 0xF0) == 0x60;
        long high = isV6 ? buffer.getLong(ip + 8, ByteOrder.BIG_ENDIAN) : 0;
        long low = isV6
                ? buffer.getLong(ip + 16, ByteOrder.BIG_ENDIAN)
                : buffer.getInt(ip + 12, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
        IpAddress[] ours = addresses;
        for (int i = 0; i < ours.length; i++) {
            IpAddress address = ours[i];
            if (address.low() == low && address.high() == high && address.isV6() == isV6) {
                return true;
            }
        }
        return false;
    }

    /** {@return where the UDP header of an untagged, unfragmented datagram begins, or -1} */
    private static int udpOffset(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int lengthBytes = frame.length();
        if (lengthBytes < IP + IPV4_BYTES + UDP_BYTES) {
            return -1;
        }
        int ip = at + IP;
        int type = Ethernet.type(buffer, at);
        if (type == Ethernet.TYPE_IPV4) {
            boolean isUdp = buffer.getByte(ip) == 0x45
                    && buffer.getByte(ip + 9) == Datagram.PROTOCOL_UDP
                    && (port(buffer, ip + 6) & FRAGMENT_BITS) == 0;
            return isUdp ? ip + IPV4_BYTES : -1;
        }
        boolean isUdp = type == Ethernet.TYPE_IPV6
                && lengthBytes >= IP + IPV6_BYTES + UDP_BYTES
                && (buffer.getByte(ip) & 0xF0) == 0x60
                && buffer.getByte(ip + 6) == Datagram.PROTOCOL_UDP;
        return isUdp ? ip + IPV6_BYTES : -1;
    }

    private static int port(UnsafeBuffer buffer, int at) {
        return Short.toUnsignedInt(buffer.getShort(at, ByteOrder.BIG_ENDIAN));
    }

    @Override
    public long nextTransmitNanos(long nowNanos) {
        return turns.hasNext() ? nowNanos : Deadline.NO_DEADLINE;
    }

    /** {@return the interface's port, whose flush also tells the clients} */
    NetPort over(NetPort port) {
        return new FlushedPort(port);
    }

    // ---- the Node

    @Override
    public Egress egress(int portIndex) {
        return this;
    }

    // ---- counts; any thread

    /** {@return frames for which a client had no room: it does not read them fast enough} */
    long noRoomCount() {
        return noRoomCount.get();
    }

    /** {@return frames that the interface received and clients were given} */
    long deliveredCount() {
        return deliveredCount.get();
    }

    /** {@return frames that clients sent by the interface} */
    long sentCount() {
        return sentCount.get();
    }

    /** {@return frames that the interface received for nobody} */
    long unclaimedCount() {
        return unclaimedCount.get();
    }

    /** {@return frames that clients may not send: not from an address and port of theirs} */
    long refusedCount() {
        return refusedCount.get();
    }

    /** The interface's port as the loop sees it. */
    private final class FlushedPort extends ForwardingPort {
        FlushedPort(NetPort port) {
            super(port);
        }

        @Override
        public void flush() {
            super.flush();
            turns.flush();
        }
    }
}
