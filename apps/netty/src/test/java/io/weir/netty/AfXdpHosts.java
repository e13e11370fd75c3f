package io.weir.netty;

import io.weir.nic.NicException;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.TwoHosts;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Two hosts in namespaces, on a virtual link, each with AF_XDP. */
final class AfXdpHosts implements AutoCloseable {
    private static final int FRAMES = 8_192;
    /** Of the link's network, and nobody's. */
    private static final String SILENT = "10.77.0.99";

    private final TwoHosts hosts;
    private final TwoGroups groups;

    private AfXdpHosts(TwoHosts hosts, TwoGroups groups) {
        this.hosts = hosts;
        this.groups = groups;
    }

    static AfXdpHosts open() throws NicException {
        return open((inner, seed) -> inner);
    }

    /** {@return two hosts whose frames are lost and overtaken on their way} */
    static AfXdpHosts openLossy() throws NicException {
        return open(LossyInterface::new);
    }

    private static AfXdpHosts open(BiFunction<NetInterface, Long, NetInterface> change) throws NicException {
        TwoHosts hosts = TwoHosts.create(LabLink::withStaticNeighbours);
        TwoGroups groups = null;
        try {
            groups = new TwoGroups(
                    () -> open(hosts.a(), inner -> change.apply(inner, 1L)),
                    () -> open(hosts.b(), inner -> change.apply(inner, 2L)),
                    new InetSocketAddress(TwoHosts.ADDRESS_B, 0),
                    new InetSocketAddress(SILENT, 0).getAddress());
            return new AfXdpHosts(hosts, groups);
        } finally {
            if (groups == null) {
                hosts.close();
            }
        }
    }

    private static Transport open(NetNamespace namespace, UnaryOperator<NetInterface> change) throws IOException {
        FramePool pool = new FramePool(FRAMES, 2_048);
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        NetInterface opened = AfXdpInterface.open(config, pool);
        return Transport.open(
                change.apply(opened),
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
