package io.weir.transport.wire;

/**
 * Where the frames of a connection go, seen from one end. {@link #from} names the local end, {@link End#to} the remote
 * one.
 *
 * @param localMac this end's Ethernet address
 * @param remoteMac the Ethernet address of the next hop
 * @param local this end's address
 * @param remote the other end's address
 * @param localPort this end's UDP port
 * @param remotePort the other end's UDP port
 */
public record Path(long localMac, long remoteMac, IpAddress local, IpAddress remote, int localPort, int remotePort) {
    /**
     * The upper 32 bits of the Ethernet addresses of transports in this process: locally administered, so that no maker
     * gives them to a device.
     */
    public static final int IN_PROCESS_MAC_PREFIX = 0x0257_4549;
    /** The lower bits of such an address, which number the transport. */
    public static final int IN_PROCESS_MAC_BITS = 16;

    public Path {
        if (local.isV6() != remote.isV6()) {
            throw new IllegalArgumentException(local + " and " + remote + " are of different IP versions");
        }
        requirePort("localPort", localPort);
        requirePort("remotePort", remotePort);
    }

    /** {@return the local end of a path} */
    public static End from(long mac, IpAddress address, int port) {
        return new End(mac, address, port);
    }

    /** One end of a path: its Ethernet address, its address and its UDP port. */
    public record End(long mac, IpAddress address, int port) {
        /** {@return the path from this end to another} */
        public Path to(long remoteMac, IpAddress remote, int remotePort) {
            return new Path(mac, remoteMac, address, remote, port, remotePort);
        }
    }

    /** {@return the same path from another port} */
    public Path withLocalPort(int port) {
        return from(localMac, local, port).to(remoteMac, remote, remotePort);
    }

    /** {@return the same path from another address of this host, of the same IP version} */
    public Path withLocal(IpAddress address) {
        return from(localMac, address, localPort).to(remoteMac, remote, remotePort);
    }

    /** {@return the same path between other Ethernet addresses} */
    public Path withMacs(long newLocalMac, long newRemoteMac) {
        return from(newLocalMac, local, localPort).to(newRemoteMac, remote, remotePort);
    }

    /** {@return whether frames of this path stay in this process, so that no change of the network concerns it} */
    public boolean isInProcess() {
        return (int) (remoteMac >>> IN_PROCESS_MAC_BITS) == IN_PROCESS_MAC_PREFIX;
    }

    /** {@return the same path seen from the other end} */
    public Path mirrored() {
        return from(remoteMac, remote, remotePort).to(localMac, local, localPort);
    }

    @Override
    public String toString() {
        return "Path[localMac=" + Ethernet.format(localMac) + ", remoteMac=" + Ethernet.format(remoteMac) + ", local="
                + local + ", remote=" + remote + ", localPort=" + localPort + ", remotePort=" + remotePort + "]";
    }

    private static void requirePort(String name, int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(name + "=" + port + " is outside 1..65535");
        }
    }
}
