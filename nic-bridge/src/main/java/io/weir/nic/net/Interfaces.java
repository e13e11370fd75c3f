package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the interfaces of the calling thread's network namespace. */
public final class Interfaces {
    /** The longest interface name that Linux has. */
    public static final int NAME_BYTES_MAX = 15;

    private static final int LINK_BODY_BYTES = 16;
    private static final int ADDRESS_BODY_BYTES = 8;
    private static final int TYPE_OFFSET = 2;
    /** {@code ARPHRD_ETHER}. */
    private static final int TYPE_ETHERNET = 1;
    /** {@code ARPHRD_LOOPBACK}. */
    private static final int TYPE_LOOPBACK = 772;

    private static final int FLAG_UP = 1;
    private static final int FLAG_RUNNING = 0x40;
    private static final int ATTRIBUTE_MAC = 1;
    private static final int ATTRIBUTE_NAME = 3;
    private static final int ATTRIBUTE_MTU = 4;
    private static final int ATTRIBUTE_PARENT = 5;
    private static final int ATTRIBUTE_MASTER = 10;
    private static final int ATTRIBUTE_INFO = 18;
    private static final int INFO_KIND = 1;
    /** Of 64 bits each; received frames come first. */
    private static final int ATTRIBUTE_STATISTICS = 23;

    private static final int ATTRIBUTE_RECEIVE_QUEUES = 32;
    private static final int ATTRIBUTE_XDP = 43;
    private static final int XDP_ATTACHED = 2;
    private static final int XDP_PROGRAM_ID = 4;
    private static final int ADDRESS_ANY = 1;
    private static final int ADDRESS_LOCAL = 2;
    private static final int ADDRESS_FLAGS = 8;

    private Interfaces() {}

    /** {@return what the kernel tells about the interface} */
    public static InterfaceFacts find(String name) throws NicException {
        return find(name, false);
    }

    /**
     * {@return what the kernel tells about the interface with this number, whatever its name is now; empty if the
     * kernel says that there is none}
     *
     * @throws NicException if the kernel could not be asked: no descriptor or no memory is free. That says nothing
     *     about the interface
     */
    public static Optional<InterfaceFacts> lookUp(int index) throws NicException {
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_LINK, 0, LINK_BODY_BYTES).bodyInt(4, index);
        try (NetlinkSocket socket = new NetlinkSocket()) {
            NetlinkMessage link = socket.ask(request, LINK_BODY_BYTES, "look up interface " + index)
                    .get(0);
            return Optional.of(facts(socket, link.attributeText(ATTRIBUTE_NAME), link));
        } catch (NicException e) {
            if (e.is(Errno.ENODEV)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * {@return the number of the interface, or 0 if the kernel says that there is none of this name}
     *
     * @throws NicException if the kernel could not be asked
     */
    public static int numberOf(String name) throws NicException {
        try {
            return indexOf(name);
        } catch (NicException e) {
            if (e.is(Errno.ENODEV)) {
                return 0;
            }
            throw e;
        }
    }

    /** {@return what the kernel tells about an interface, which must have Ethernet frames as they are on a link} */
    public static InterfaceFacts findEthernet(String name) throws NicException {
        return find(name, true);
    }

    private static InterfaceFacts find(String name, boolean isEthernetOnly) throws NicException {
        try (NetlinkSocket socket = new NetlinkSocket()) {
            NetlinkMessage link = link(socket, name);
            if (isEthernetOnly) {
                requireEthernet(name, link.bodyShort(TYPE_OFFSET));
            }
            return facts(socket, name, link);
        }
    }

    private static InterfaceFacts facts(NetlinkSocket socket, String name, NetlinkMessage link) throws NicException {
        int index = link.bodyInt(4);
        int flags = link.bodyInt(8);
        int queues = Ethtool.receiveQueueCount(name);
        String driver = Ethtool.driver(name);
        return new InterfaceFacts(
                name,
                index,
                MacAddress.of(link.attribute(ATTRIBUTE_MAC)),
                link.attributeInt(ATTRIBUTE_MTU, 0),
                (flags & FLAG_UP) != 0,
                (flags & FLAG_RUNNING) != 0,
                queues > 0 ? queues : link.attributeInt(ATTRIBUTE_RECEIVE_QUEUES, 1),
                driver,
                driver.equals(InterfaceFacts.VETH) ? InterfaceFacts.VETH_RATE_BPS : Ethtool.linkRateBps(name),
                xdpProgramId(link),
                addresses(socket, index));
    }

    private static void requireEthernet(String name, int type) throws NicException {
        if (type == TYPE_LOOPBACK) {
            throw new NicException(
                    "interface " + name + " is the loopback, whose frames are on no link; between transports of one"
                            + " process use a MemoryNetwork (weir perf --backend memory), between processes of one host a veth pair");
        }
        if (type != TYPE_ETHERNET) {
            throw new NicException(
                    "interface " + name + " carries no Ethernet frames (link type " + type
                            + ", as of tun and WireGuard devices), and Weir sends no others; name the interface that its packets leave by");
        }
    }

    /** {@return the number of the interface} */
    static int indexOf(String name) throws NicException {
        try (NetlinkSocket socket = new NetlinkSocket()) {
            return link(socket, name).bodyInt(4);
        }
    }

    /** {@return the frames that the interface with number {@code index} has received, or 0 if there is none} */
    public static long receivedFrames(int index) throws NicException {
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_LINK, 0, LINK_BODY_BYTES).bodyInt(4, index);
        try (NetlinkSocket socket = new NetlinkSocket()) {
            byte[] counts = socket.ask(request, LINK_BODY_BYTES, "ask what interface " + index + " received")
                    .get(0)
                    .attribute(ATTRIBUTE_STATISTICS);
            return counts == null || counts.length < Long.BYTES
                    ? 0
                    : ByteBuffer.wrap(counts).order(ByteOrder.nativeOrder()).getLong();
        } catch (NicException e) {
            if (e.is(Errno.ENODEV)) {
                return 0;
            }
            throw e;
        }
    }

    /** {@return the names of all interfaces} */
    public static List<String> names() throws NicException {
        return names(link -> true);
    }

    /** {@return the names of the interfaces below that with number {@code index}: members of a bond, for instance} */
    public static List<String> membersOf(int index) throws NicException {
        return names(link -> link.attributeInt(ATTRIBUTE_MASTER, 0) == index);
    }

    /** {@return the names of the VLAN interfaces whose frames come by the interface with number {@code index}} */
    public static List<String> vlansOf(int index) throws NicException {
        return names(link -> link.attributeInt(ATTRIBUTE_PARENT, 0) == index
                && NetlinkMessage.text(link.nested(ATTRIBUTE_INFO).get(INFO_KIND))
                        .equals("vlan"));
    }

    private static List<String> names(Predicate<NetlinkMessage> isWanted) throws NicException {
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_LINK, NetlinkRequest.FLAG_DUMP, LINK_BODY_BYTES);
        List<String> names = new ArrayList<>();
        try (NetlinkSocket socket = new NetlinkSocket()) {
            for (NetlinkMessage link : socket.ask(request, LINK_BODY_BYTES, "list the interfaces")) {
                if (isWanted.test(link)) {
                    names.add(link.attributeText(ATTRIBUTE_NAME));
                }
            }
        }
        return names;
    }

    /** {@return the name of the interface with number {@code index}, or the number itself when there is none} */
    static String nameOf(int index) throws NicException {
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_LINK, 0, LINK_BODY_BYTES).bodyInt(4, index);
        try (NetlinkSocket socket = new NetlinkSocket()) {
            return socket.ask(request, LINK_BODY_BYTES, "name interface " + index)
                    .get(0)
                    .attributeText(ATTRIBUTE_NAME);
        } catch (NicException e) {
            if (e.is(Errno.ENODEV)) {
                return "interface " + index;
            }
            throw e;
        }
    }

    private static NetlinkMessage link(NetlinkSocket socket, String name) throws NicException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > NAME_BYTES_MAX) {
            throw new NicException("interface name \"" + name + "\" has " + bytes.length + " bytes; Linux allows 1.."
                    + NAME_BYTES_MAX);
        }
        byte[] terminated = Arrays.copyOf(bytes, bytes.length + 1);
        NetlinkRequest request =
                new NetlinkRequest(NetlinkRequest.GET_LINK, 0, LINK_BODY_BYTES).attribute(ATTRIBUTE_NAME, terminated);
        try {
            return socket.ask(request, LINK_BODY_BYTES, "look up interface " + name)
                    .get(0);
        } catch (NicException e) {
            if (e.is(Errno.ENODEV)) {
                throw new NicException(Errno.ENODEV, "interface " + name + " not found; interfaces here: " + names());
            }
            throw e;
        }
    }

    private static int xdpProgramId(NetlinkMessage link) {
        Map<Integer, byte[]> xdp = link.nested(ATTRIBUTE_XDP);
        byte[] attached = xdp.get(XDP_ATTACHED);
        byte[] program = xdp.get(XDP_PROGRAM_ID);
        return attached == null || attached[0] == 0 || program == null ? 0 : NetlinkMessage.intAt(program);
    }

    private static List<LocalAddress> addresses(NetlinkSocket socket, int index) throws NicException {
        NetlinkRequest request =
                new NetlinkRequest(NetlinkRequest.GET_ADDRESS, NetlinkRequest.FLAG_DUMP, ADDRESS_BODY_BYTES);
        List<LocalAddress> addresses = new ArrayList<>();
        for (NetlinkMessage message : socket.ask(request, ADDRESS_BODY_BYTES, "list the addresses")) {
            int family = message.bodyByte(0);
            if (message.bodyInt(4) != index || (family != Libc.AF_INET && family != Libc.AF_INET6)) {
                continue;
            }
            if (!KernelEvents.isUsableAddress(message.attributeInt(ADDRESS_FLAGS, message.bodyByte(2)))) {
                continue;
            }
            // On a point-to-point interface the one without "local" is the peer's.
            byte[] local = message.attribute(ADDRESS_LOCAL);
            byte[] bytes = local != null ? local : message.attribute(ADDRESS_ANY);
            addresses.add(new LocalAddress(inetAddress(bytes), message.bodyByte(1)));
        }
        return addresses;
    }

    static InetAddress inetAddress(byte[] bytes) throws NicException {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new NicException("the kernel gave an address of " + bytes.length + " bytes", e);
        }
    }
}
