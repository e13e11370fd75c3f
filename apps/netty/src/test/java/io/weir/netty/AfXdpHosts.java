package io.weir.netty;

import io.weir.nic.NicException;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Two hosts in namespaces, on a virtual link, each with AF_XDP. */
final class AfXdpHosts implements AutoCloseable {
    private static final int FRAMES = 8_192;
    /** As in {@link MemoryHosts}: some tests take for granted that a message of two kilobytes arrives in one piece. */
    private static final int MTU_BYTES = 9_000;

    /** Of the link's network, and nobody's. */
    private static final String SILENT = "10.77.0.99";

    private final TwoHosts hosts;
    private final TwoGroups groups;

    private AfXdpHosts(TwoHosts hosts, TwoGroups groups) {
        this.hosts = hosts;
        this.groups = groups;
    }

    static AfXdpHosts open() throws NicException {
        return open(false);
    }

    /** As {@link #open()}, with frames that are lost and overtaken. */
    static AfXdpHosts openLossy() throws NicException {
        return open(true);
    }

    private static AfXdpHosts open(boolean lossy) throws NicException {
        TwoHosts hosts = TwoHosts.create(link -> link.withStaticNeighbours().withMtuBytes(MTU_BYTES));
        TwoGroups groups = null;
        try {
            groups = new TwoGroups(
                    () -> open(hosts.a(), lossy, 1),
                    () -> open(hosts.b(), lossy, 2),
                    new InetSocketAddress(TwoHosts.ADDRESS_B, 0),
                    new InetSocketAddress(SILENT, 0).getAddress());
            return new AfXdpHosts(hosts, groups);
        } finally {
            if (groups == null) {
                hosts.close();
            }
        }
    }

    private static Transport open(NetNamespace namespace, boolean lossy, long seed) throws IOException {
        FramePool pool = new FramePool(FRAMES, AfXdpInterface.slotBytes(MTU_BYTES));
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        NetInterface port = AfXdpInterface.open(config, pool);
        return Transport.open(
                lossy ? new LossyInterface(port, seed) : port,
                pool,
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build());
    }

    TwoGroups groups() {
        return groups;
    }

    @Override
    public void close() {
        groups.close();
        hosts.close();
    }
}
