package io.weir.nic.net;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes addresses as the kernel reads them. */
final class SocketAddresses {
    private static final int IPV4_BYTES = 16;
    private static final int IPV6_BYTES = 28;

    private SocketAddresses() {}

    /** {@return the family of sockets that can reach {@code destination}} */
    static int family(InetAddress destination) {
        return destination instanceof Inet6Address ? Libc.AF_INET6 : Libc.AF_INET;
    }

    /** {@return a {@code sockaddr}; the interface counts for link-local IPv6 addresses only} */
    static UnsafeBuffer write(InetAddress destination, int port, int interfaceIndex) {
        boolean ipv6 = destination instanceof Inet6Address;
        UnsafeBuffer address = NativeMemory.allocate(ipv6 ? IPV6_BYTES : IPV4_BYTES);
        address.putShort(0, (short) family(destination));
        address.putShort(2, (short) port, ByteOrder.BIG_ENDIAN);
        address.putBytes(ipv6 ? 8 : 4, destination.getAddress());
        if (ipv6 && destination.isLinkLocalAddress()) {
            address.putInt(24, interfaceIndex);
        }
        return address;
    }
}
