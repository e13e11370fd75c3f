package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * How the kernel would send to a destination.
 *
 * @param interfaceIndex the interface by which it leaves
 * @param source the address that it is sent from
 * @param nextHop the gateway, or the destination itself when it is on the link
 */
record Route(int interfaceIndex, InetAddress source, InetAddress nextHop) {
    private static final int BODY_BYTES = 12;
    private static final int TYPE_OFFSET = 7;
    private static final int TYPE_UNICAST = 1;
    private static final int TYPE_LOCAL = 2;
    private static final int ATTRIBUTE_DESTINATION = 1;
    private static final int ATTRIBUTE_INTERFACE = 4;
    private static final int ATTRIBUTE_GATEWAY = 5;
    private static final int ATTRIBUTE_SOURCE = 7;
    private static final int ATTRIBUTE_VIA = 18;
    private static final int VIA_FAMILY_BYTES = 2;

    /**
     * Asks the kernel for the route.
     *
     * @param interfaceIndex which interface a link-local destination is on
     */
    static Route to(InetAddress destination, int interfaceIndex) throws NicException {
        byte[] address = destination.getAddress();
        boolean ipv6 = destination instanceof Inet6Address;
        NetlinkRequest request = new NetlinkRequest(NetlinkRequest.GET_ROUTE, 0, BODY_BYTES)
                .bodyByte(0, ipv6 ? Libc.AF_INET6 : Libc.AF_INET)
                .bodyByte(1, address.length * Byte.SIZE)
                .attribute(ATTRIBUTE_DESTINATION, address);
        if (destination.isLinkLocalAddress() && ipv6) {
            byte[] index = new byte[Integer.BYTES];
            ByteBuffer.wrap(index).order(ByteOrder.nativeOrder()).putInt(interfaceIndex);
            request.attribute(ATTRIBUTE_INTERFACE, index);
        }
        String text = destination.getHostAddress();
        try (NetlinkSocket socket = new NetlinkSocket()) {
            NetlinkMessage answer =
                    socket.ask(request, BODY_BYTES, "find the route to " + text).get(0);
            return read(answer, destination);
        } catch (NicException e) {
            if (e.is(Errno.ENETUNREACH) || e.is(Errno.EHOSTUNREACH) || e.is(Errno.EACCES) || e.is(Errno.EINVAL)) {
                throw new NicException(e.errno(), "no route to " + text, "add one: ip route add " + text + " dev ...");
            }
            throw e;
        }
    }

    private static Route read(NetlinkMessage answer, InetAddress destination) throws NicException {
        String text = destination.getHostAddress();
        int type = answer.bodyByte(TYPE_OFFSET);
        if (type == TYPE_LOCAL) {
            throw new NicException(
                    text + " is an address of this host: no frame leaves for it; use another" + " namespace or host");
        }
        if (type != TYPE_UNICAST) {
            throw new NicException(text + " is not the address of one host (route type " + type
                    + "): broadcast, multicast or blocked; use a unicast address");
        }
        byte[] source = answer.attribute(ATTRIBUTE_SOURCE);
        if (source == null) {
            throw new NicException("the interface towards " + text + " has no "
                    + (destination instanceof Inet4Address ? "IPv4" : "IPv6")
                    + " address; give it one: ip address add ... dev ...");
        }
        return new Route(
                answer.attributeInt(ATTRIBUTE_INTERFACE, 0),
                Interfaces.inetAddress(source),
                nextHop(answer, destination));
    }

    private static InetAddress nextHop(NetlinkMessage answer, InetAddress destination) throws NicException {
        byte[] gateway = answer.attribute(ATTRIBUTE_GATEWAY);
        if (gateway != null) {
            return Interfaces.inetAddress(gateway);
        }
        // An IPv4 route by way of an IPv6 router.
        byte[] via = answer.attribute(ATTRIBUTE_VIA);
        if (via != null) {
            return Interfaces.inetAddress(Arrays.copyOfRange(via, VIA_FAMILY_BYTES, via.length));
        }
        return destination;
    }
}
