package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * Refuses a server at an address of this host: no frame leaves for it, and client and server cannot both open the
 * interface.
 *
 * @param name the server as it was typed
 * @param server its address
 */
record OwnAddresses(String name, InetAddress server) {
    /** Looks among the addresses that the kernel knows, before anything is opened. */
    void refuseThoseOfTheKernel() {
        if (server.isLoopbackAddress() || server.isAnyLocalAddress() || isOwn()) {
            throw refusal();
        }
    }

    /** Looks among those of the transport, some of which the kernel may not know. */
    void refuse(List<InetAddress> addresses) {
        if (addresses.contains(server)) {
            throw refusal();
        }
    }

    private boolean isOwn() {
        try {
            return NetworkInterface.getByInetAddress(server) != null;
        } catch (SocketException e) {
            // The transport's own are looked at later.
            return false;
        }
    }

    private ConfigException refusal() {
        return new ConfigException("-c " + name + " is this host itself: no frame would leave the interface, which a"
                + " second process cannot open; run the client on another host, both ends in one process by --backend"
                + " memory, or each by a weir broker and --backend broker");
    }
}
