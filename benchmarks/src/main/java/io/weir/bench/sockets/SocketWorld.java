package io.weir.bench.sockets;

import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Two transports with default settings, joined by memory or by AF_XDP over a veth pair. */
final class SocketWorld implements AutoCloseable {
    /** The server's address in both worlds. */
    static final String SERVER_ADDRESS = "10.0.0.2";

    private static final String CLIENT_ADDRESS = "10.0.0.1";
    private static final int SLOT_BYTES = 2_048;
    private static final int MTU_BYTES = 1_500;

    /** What is to be closed, the latest first. */
    private final List<Runnable> closed = new ArrayList<>();

    private final Transport client;
    private final Transport server;

    SocketWorld(boolean isMemory) throws IOException {
        boolean isOpen = false;
        try {
            if (isMemory) {
                FramePool left = pool();
                FramePool right = pool();
                List<NetInterface> ends = MemoryNetwork.pair(left, right, MTU_BYTES, Transport.LINK_RATE_BPS_ASSUMED);
                client = opened(Transport.open(ends.get(0), left, TransportConfig.DEFAULT));
                server = opened(Transport.open(ends.get(1), right, TransportConfig.DEFAULT));
            } else {
                Lab lab = Lab.create();
                closed.add(lab::close);
                NetNamespace near = lab.namespace("client");
                NetNamespace far = lab.namespace("server");
                lab.link(LabLink.between(
                                new LabEnd(near, "client", CLIENT_ADDRESS + "/24"),
                                new LabEnd(far, "server", SERVER_ADDRESS + "/24"))
                        .withStaticNeighbours());
                client = opened(overAfXdp(near, "client"));
                server = opened(overAfXdp(far, "server"));
            }
            isOpen = true;
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    private Transport opened(Transport transport) {
        closed.add(0, transport::close);
        return transport;
    }

    private static FramePool pool() {
        return new FramePool(TransportConfig.DEFAULT.frameCount(), SLOT_BYTES);
    }

    private static Transport overAfXdp(NetNamespace namespace, String interfaceName) throws IOException {
        FramePool pool = pool();
        AfXdpConfig port =
                AfXdpConfig.host(interfaceName).namespace(namespace.name()).build();
        return Transport.open(AfXdpInterface.open(port, pool), pool, TransportConfig.DEFAULT);
    }

    Transport client() {
        return client;
    }

    Transport server() {
        return server;
    }

    @Override
    public void close() {
        closed.forEach(Runnable::run);
    }
}
