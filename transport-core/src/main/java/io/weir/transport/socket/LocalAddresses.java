package io.weir.transport.socket;

import io.weir.transport.runtime.NetInterface;
import io.weir.transport.wire.IpAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/** The addresses of this host that a transport's listeners and connections may be bound to. Any thread. */
final class LocalAddresses {
    /** All of 127.0.0.0/8 is one address here: connections within the process go to it. */
    private static final IpAddress LOOPBACK_V4 = IpAddress.v4(0x7F00_0001);

    private static final IpAddress LOOPBACK_V6 = IpAddress.v6(0, 1);

    private final NetInterface netInterface;

    /** Creates those of an interface, as it has them from now on. */
    LocalAddresses(NetInterface netInterface) {
        this.netInterface = netInterface;
    }

    /**
     * {@return the address to bind to, or null for all of them}
     *
     * @throws BindException if the transport does not have it
     */
    IpAddress require(InetSocketAddress local) throws IOException {
        Objects.requireNonNull(local, "local is null; give an address of this host, or new InetSocketAddress(port)");
        if (local.isUnresolved()) {
            throw new UnknownHostException(
                    local.getHostString() + " has no address; is the name right, and does DNS answer?");
        }
        InetAddress address = local.getAddress();
        if (address.isAnyLocalAddress()) {
            return null;
        }
        if (address.isLoopbackAddress()) {
            return IpAddress.of(address).isV6() ? LOOPBACK_V6 : LOOPBACK_V4;
        }
        if (!netInterface.addresses().contains(address)) {
            throw new BindException("Cannot assign requested address: " + address.getHostAddress()
                    + " is none of the transport's, " + netInterface.addresses());
        }
        return IpAddress.of(address);
    }
}
