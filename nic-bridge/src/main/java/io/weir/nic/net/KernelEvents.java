package io.weir.nic.net;

import io.weir.nic.ffi.Libc;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Takes rtnetlink messages apart: what a socket that listens to the kernel receives, byte for byte. Pure, and safe with
 * any bytes: what is cut off, or is longer than it can be, ends the reading or is left out.
 */
public final class KernelEvents {
    private static final int NEW_LINK = 16;
    private static final int DELETE_LINK = 17;
    private static final int NEW_ADDRESS = 20;
    private static final int DELETE_ADDRESS = 21;
    private static final int NEW_ROUTE = 24;
    private static final int DELETE_ROUTE = 25;
    private static final int NEW_NEIGHBOUR = 28;
    private static final int DELETE_NEIGHBOUR = 29;

    private static final int LINK_BODY_BYTES = 16;
    private static final int LINK_FLAG_UP = 1;
    private static final int LINK_FLAG_RUNNING = 0x40;
    private static final int LINK_MAC = 1;
    private static final int LINK_NAME = 3;
    private static final int LINK_MTU = 4;
    private static final int LINK_PARENT = 5;
    private static final int LINK_INFO = 18;
    private static final int LINK_RECEIVE_QUEUES = 32;
    private static final int INFO_KIND = 1;
    private static final int INFO_DATA = 2;
    private static final int VLAN_ID = 1;

    private static final int ADDRESS_BODY_BYTES = 8;
    private static final int ADDRESS_ANY = 1;
    private static final int ADDRESS_LOCAL = 2;
    private static final int ADDRESS_FLAGS = 8;
    /** Tentative, or found to be another host's (IFA_F_TENTATIVE, IFA_F_DADFAILED). */
    private static final int ADDRESS_FLAGS_UNUSABLE = 0x40 | 0x08;
    /** May be used while it is still tentative (IFA_F_OPTIMISTIC). */
    private static final int ADDRESS_FLAG_OPTIMISTIC = 0x04;

    private static final int NEIGHBOUR_BODY_BYTES = 12;
    private static final int NEIGHBOUR_DESTINATION = 1;
    private static final int NEIGHBOUR_MAC = 2;

    private static final int ROUTE_BODY_BYTES = 12;

    private KernelEvents() {}

    /**
     * Reads what one receive has given.
     *
     * @param lengthBytes how much of {@code buffer} it filled
     * @param events gets each event, in order; messages of other types are left out
     * @return whether all of it was well-formed
     */
    public static boolean read(DirectBuffer buffer, int lengthBytes, Consumer<KernelEvent> events) {
        int offset = 0;
        boolean isSound = true;
        while (lengthBytes - offset >= NetlinkRequest.HEADER_BYTES) {
            int messageBytes = buffer.getInt(offset);
            if (messageBytes < NetlinkRequest.HEADER_BYTES || messageBytes > lengthBytes - offset) {
                return false;
            }
            byte[] payload = new byte[messageBytes - NetlinkRequest.HEADER_BYTES];
            buffer.getBytes(offset + NetlinkRequest.HEADER_BYTES, payload);
            isSound &= read(buffer.getShort(offset + 4) & 0xFFFF, payload, events);
            // In long: a length near the greatest one would wrap.
            offset = (int) Math.min(lengthBytes, offset + (messageBytes + 3L & ~3L));
        }
        return isSound && offset == lengthBytes;
    }

    private static boolean read(int type, byte[] payload, Consumer<KernelEvent> events) {
        boolean isGone = (type & 1) == 1;
        return switch (type) {
            case NEW_LINK, DELETE_LINK -> link(isGone, payload, events);
            case NEW_ADDRESS, DELETE_ADDRESS -> address(isGone, payload, events);
            case NEW_NEIGHBOUR, DELETE_NEIGHBOUR -> neighbour(isGone, payload, events);
            case NEW_ROUTE, DELETE_ROUTE -> route(isGone, payload, events);
            default -> true;
        };
    }

    private static boolean link(boolean isGone, byte[] payload, Consumer<KernelEvent> events) {
        if (payload.length < LINK_BODY_BYTES) {
            return false;
        }
        NetlinkMessage message = new NetlinkMessage(payload, LINK_BODY_BYTES);
        int flags = message.bodyInt(8);
        // A bridge also says of its ports that they left it, by a message of the family AF_BRIDGE.
        if (message.bodyByte(0) != 0) {
            return true;
        }
        events.accept(new KernelEvent.Link(
                isGone,
                message.bodyInt(4),
                message.attributeText(LINK_NAME),
                (flags & LINK_FLAG_UP) != 0,
                (flags & LINK_FLAG_RUNNING) != 0,
                MacAddress.of(message.attribute(LINK_MAC)),
                message.attributeInt(LINK_MTU, 0),
                message.attributeInt(LINK_RECEIVE_QUEUES, 0),
                message.attributeInt(LINK_PARENT, 0),
                vlanId(message)));
        return true;
    }

    private static int vlanId(NetlinkMessage link) {
        Map<Integer, byte[]> info = link.nested(LINK_INFO);
        if (!NetlinkMessage.text(info.get(INFO_KIND)).equals("vlan")) {
            return 0;
        }
        byte[] id = NetlinkMessage.nested(info, INFO_DATA).get(VLAN_ID);
        return id == null || id.length < Short.BYTES ? 0 : NetlinkMessage.shortAt(id);
    }

    private static boolean address(boolean isGone, byte[] payload, Consumer<KernelEvent> events) {
        if (payload.length < ADDRESS_BODY_BYTES) {
            return false;
        }
        NetlinkMessage message = new NetlinkMessage(payload, ADDRESS_BODY_BYTES);
        // On a point-to-point interface the one without "local" is the peer's.
        byte[] local = message.attribute(ADDRESS_LOCAL);
        InetAddress address = inetAddress(message.bodyByte(0), local != null ? local : message.attribute(ADDRESS_ANY));
        if (address == null) {
            return !isInternet(message.bodyByte(0));
        }
        int flags = message.attributeInt(ADDRESS_FLAGS, message.bodyByte(2));
        events.accept(new KernelEvent.Address(
                isGone, message.bodyInt(4), address, message.bodyByte(1), isUsableAddress(flags)));
        return true;
    }

    /** {@return whether an address with these flags may be used} */
    static boolean isUsableAddress(int flags) {
        return (flags & ADDRESS_FLAGS_UNUSABLE) == 0 || (flags & ADDRESS_FLAG_OPTIMISTIC) != 0;
    }

    private static boolean neighbour(boolean isGone, byte[] payload, Consumer<KernelEvent> events) {
        if (payload.length < NEIGHBOUR_BODY_BYTES) {
            return false;
        }
        NetlinkMessage message = new NetlinkMessage(payload, NEIGHBOUR_BODY_BYTES);
        InetAddress address = inetAddress(message.bodyByte(0), message.attribute(NEIGHBOUR_DESTINATION));
        if (address == null) {
            // A bridge's table of Ethernet addresses comes by the same messages.
            return !isInternet(message.bodyByte(0));
        }
        events.accept(new KernelEvent.Neighbour(
                isGone,
                message.bodyInt(4),
                address,
                MacAddress.of(message.attribute(NEIGHBOUR_MAC)),
                new NeighbourState(message.bodyShort(8))));
        return true;
    }

    private static boolean route(boolean isGone, byte[] payload, Consumer<KernelEvent> events) {
        if (payload.length < ROUTE_BODY_BYTES) {
            return false;
        }
        if (isInternet(payload[0])) {
            events.accept(new KernelEvent.Route(isGone));
        }
        return true;
    }

    private static boolean isInternet(int family) {
        return family == Libc.AF_INET || family == Libc.AF_INET6;
    }

    /** {@return the address, or null for a family that is not IP's or bytes that are no address of it} */
    private static InetAddress inetAddress(int family, byte[] bytes) {
        int lengthBytes = family == Libc.AF_INET ? 4 : family == Libc.AF_INET6 ? 16 : -1;
        if (bytes == null || bytes.length != lengthBytes) {
            return null;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
