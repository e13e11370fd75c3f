package io.weir.bench.latency;

import io.weir.nic.NicException;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.nic.xdp.XdpMode;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Two namespaces joined by one veth pair, which both contenders use in turn. */
final class PingPongNetwork implements AutoCloseable {
    private static final String CLIENT_ADDRESS = "10.82.0.1";
    private static final String SERVER_ADDRESS = "10.82.0.2";
    private static final int PORT = 4720;
    private static final int SLOT_BYTES = 2048;

    private final Lab lab;
    private final NetNamespace client;
    private final NetNamespace server;
    private final XdpMode mode;

    PingPongNetwork(XdpMode mode) throws NicException {
        this.mode = mode;
        lab = Lab.create();
        try {
            client = lab.namespace("client");
            server = lab.namespace("server");
            lab.link(LabLink.between(
                            new LabEnd(client, "client", CLIENT_ADDRESS + "/24"),
                            new LabEnd(server, "server", SERVER_ADDRESS + "/24"))
                    .withStaticNeighbours());
        } catch (NicException e) {
            lab.close();
            throw e;
        }
    }

    NetNamespace client() {
        return client;
    }

    NetNamespace server() {
        return server;
    }

    InetSocketAddress clientAddress() {
        return new InetSocketAddress(CLIENT_ADDRESS, PORT);
    }

    InetSocketAddress serverAddress() {
        return new InetSocketAddress(SERVER_ADDRESS, PORT);
    }

    Transport openClient(IdleMode idleMode) throws IOException {
        return open(client, "client", idleMode);
    }

    Transport openServer(IdleMode idleMode) throws IOException {
        return open(server, "server", idleMode);
    }

    private Transport open(NetNamespace namespace, String interfaceName, IdleMode idleMode) throws IOException {
        TransportConfig config = TransportConfig.builder().idleMode(idleMode).build();
        FramePool pool = new FramePool(config.frameCount(), SLOT_BYTES);
        AfXdpConfig port = AfXdpConfig.host(interfaceName)
                .namespace(namespace.name())
                .mode(mode)
                .build();
        return Transport.open(AfXdpInterface.open(port, pool), pool, config);
    }

    @Override
    public void close() {
        lab.close();
    }
}
