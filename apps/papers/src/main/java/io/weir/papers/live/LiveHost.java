package io.weir.papers.live;

import io.weir.cli.traffic.BulkSource;
import io.weir.cli.traffic.QuietHandler;
import io.weir.nic.NicException;
import io.weir.nic.lab.LabNetwork;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.nic.xdp.RingSizes;
import io.weir.nic.xdp.StampMode;
import io.weir.pacer.SeededRandom;
import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.Stamping;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.scenario.run.NetworkNodes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A host of the measurement in its own namespace: an AF_XDP port and a stack, for a loop that somebody else runs.
 */
final class LiveHost {
    private static final int PORT = 4720;
    private static final int RING_FRAMES = 1024;
    private static final int POOL_FRAMES = 8192;
    private static final int SLOT_BYTES = 2048;

    private final int number;
    private final HostStack stack;
    private final AfXdpPort port;

    /**
     * Opens a host.
     *
     * @param number counted from 0; addresses follow from it
     * @param network where it is
     */
    LiveHost(int number, LabNetwork network, ProtocolConfig protocol, long linkRateBps, Stamping stamping)
            throws NicException {
        this.number = number;
        FramePool pool = new FramePool(POOL_FRAMES, SLOT_BYTES);
        port = new AfXdp(pool)
                .open(AfXdpConfig.host(LabNetwork.HOST_INTERFACE)
                        .namespace(network.host(number).name())
                        .ringSizes(RingSizes.ofAll(RING_FRAMES))
                        // The figures are of stamps that a loop takes, and so are their twins.
                        .stamps(StampMode.SOFTWARE)
                        .build());
        port.addAllPorts();
        SeededRandom random = new SeededRandom(number + 1L);
        HostConfig config = HostConfig.builder(
                        NetworkNodes.mac(number), List.of(NetworkNodes.address(number)), linkRateBps)
                .slack(Slack.LIVE)
                .stamping(stamping)
                .portRateBps(port.info().linkRateBps())
                .build();
        stack = new HostStack(config, pool, List.of(protocol.newFactory(random.split())), random::nextLong);
    }

    /** Accepts every connection. Before its loop starts, or on its thread. */
    void listen() {
        stack.listen(PORT, incoming -> sink());
    }

    /** Opens a connection. On the loop's thread. */
    void connect(LiveHost to, ConnectionHandler feed, long nowNanos) {
        stack.tick(nowNanos);
        stack.connect(NetworkNodes.path(number, to.number, 40_000 + number, PORT), feed);
    }

    /** {@return an application that keeps its connection full, and may lose it: the loop's health tells of faults} */
    static ConnectionHandler source() {
        return QuietHandler.ofAnyEnd(new BulkSource(new AtomicReference<>()));
    }

    /** {@return an application that takes what comes} */
    static ConnectionHandler sink() {
        return QuietHandler.ofAnyEnd(new QuietHandler("a bulk flow's receiver", new AtomicReference<>()));
    }

    HostStack stack() {
        return stack;
    }

    AfXdpPort port() {
        return port;
    }

    NodeBinding binding() {
        return new NodeBinding(stack, List.of(port));
    }
}
