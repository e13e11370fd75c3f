package io.weir.cli.fabric;

import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.nic.xdp.RingSizes;
import io.weir.pacer.PauseBudget;
import io.weir.pacer.RateMath;
import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.NetPort;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.runtime.LoopLink;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.run.NodeSettings;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ports of a laboratory's Nodes, and who plays which link. A veth pair has neither rate nor delay, so the port of
 * the switch at its end plays both directions; of a link between two switches the left end does.
 */
public final class LabNodes {
    /**
     * How far links may catch up when the loop comes late: without it every poll between two frames costs bandwidth.
     */
    private static final long CATCH_UP_NANOS = 50_000;
    /** What may wait for a host's own link: as much as a kernel's default transmit queue. */
    private static final int HOST_QUEUE_FRAMES = 1_000;

    private static final int RING_FRAMES = 1_024;
    private static final int POOL_BYTES_MAX = 1 << 30;

    /** What a veth says of itself, whatever link is played over it; copying a frame takes it about as long. */
    private static final long VETH_RATE_BPS = 10_000_000_000L;

    private LabNodes() {}

    /**
     * {@return what Nodes are like on real ports}
     *
     * @param switchPauses what switches make up for of which the scenario says nothing
     */
    public static NodeSettings settings(Wiring wiring, PauseBudget switchPauses) {
        return new NodeSettings(
                HostConfig.Streams.DEFAULT,
                HostConfig.CONNECTIONS_MAX_DEFAULT,
                Slack.LIVE,
                VETH_RATE_BPS,
                Payload.CARRIED,
                switchPauses,
                (node, port) -> emulation(wiring, port));
    }

    private static LinkEmulation emulation(Wiring wiring, Wiring.Port port) {
        if (!wiring.isHost(port.peer()) && !port.isLeft()) {
            return new LinkEmulation(false, 0, 0, CATCH_UP_NANOS);
        }
        LinkSpec link = wiring.link(port);
        long onTheWayBytes = RateMath.bytesInNanosFloor(link.propagationNanos(), link.rateBps());
        long queueBytes = (long) HOST_QUEUE_FRAMES * wireBytes(link);
        return new LinkEmulation(true, link.propagationNanos(), onTheWayBytes + queueBytes, CATCH_UP_NANOS);
    }

    private static int wireBytes(LinkSpec link) {
        return link.mtuBytes() + Ethernet.FRAMING_BYTES;
    }

    /** {@return the ports of Weir's flows; hosts have one even when all traffic is the kernel's} */
    public static ServicePorts services(Scenario weirs) {
        if (!weirs.traffic().isEmpty()) {
            return new ServicePorts(weirs);
        }
        List<String> hosts =
                weirs.network().hosts().stream().map(HostSpec::name).toList();
        Traffic none = new Traffic.Shuffle("none", hosts, 1, 1, Traffic.Times.NEVER, ExpressPass.weir());
        return new ServicePorts(weirs.withTraffic(List.of(none)));
    }

    /** {@return frames for all rings, queues and links} */
    public static FramePool newPool(Wiring wiring) {
        int mtuBytes = 0;
        long frames = RING_FRAMES;
        for (LinkSpec link : wiring.network().links()) {
            mtuBytes = Math.max(mtuBytes, link.mtuBytes());
            long onTheWayBytes = RateMath.bytesInNanosFloor(link.propagationNanos(), link.rateBps());
            frames += 4L * RING_FRAMES + 2 * HOST_QUEUE_FRAMES + 4 * (onTheWayBytes / wireBytes(link) + 1);
        }
        int slotBytes = AfXdpInterface.slotBytes(mtuBytes);
        return new FramePool((int) Math.min(frames, POOL_BYTES_MAX / slotBytes), slotBytes);
    }

    /**
     * {@return the ports behind each Node's own, Node by Node; what is open when one fails is closed by {@code afXdp}}
     */
    public static List<List<NetPort>> openPorts(Wiring wiring, LabNetwork network, AfXdp afXdp) throws IOException {
        List<List<NetPort>> ports = switchPorts(wiring, host -> openSwitchPort(network, host, afXdp));
        for (int host = 0; host < wiring.hostCount(); host++) {
            ports.set(host, List.of(openHost(network, host, afXdp)));
        }
        return ports;
    }

    /** Opens the port of a switch to a host. */
    @FunctionalInterface
    interface HostPortOpener {
        NetPort open(int host) throws IOException;
    }

    /** {@return the ports behind each switch's own, Node by Node; none for hosts} */
    static List<List<NetPort>> switchPorts(Wiring wiring, HostPortOpener toHost) throws IOException {
        Map<Integer, LoopLink> trunks = new HashMap<>();
        List<List<NetPort>> ports = new ArrayList<>(Collections.nCopies(wiring.hostCount(), List.of()));
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            List<NetPort> nodePorts = new ArrayList<>();
            for (Wiring.Port port : wiring.ports(node)) {
                if (wiring.isHost(port.peer())) {
                    nodePorts.add(toHost.open(port.peer()));
                } else {
                    LoopLink trunk = trunks.computeIfAbsent(port.link(), added -> newTrunk(wiring.link(port)));
                    nodePorts.add(port.isLeft() ? trunk.left() : trunk.right());
                }
            }
            ports.add(nodePorts);
        }
        return ports;
    }

    /** {@return the port of a switch to a host, in its namespace} */
    public static NetPort openSwitchPort(LabNetwork network, int host, AfXdp afXdp) throws IOException {
        return afXdp.open(AfXdpConfig.switchPort(network.switchInterface(host))
                .namespace(network.switches().name())
                .ringSizes(RingSizes.ofAll(RING_FRAMES))
                .build());
    }

    /** The host's namespace is Weir's as far as UDP goes: flows take whatever port they like. */
    private static NetPort openHost(LabNetwork network, int host, AfXdp afXdp) throws IOException {
        AfXdpPort port = afXdp.open(AfXdpConfig.host(LabNetwork.HOST_INTERFACE)
                .namespace(network.host(host).name())
                .ringSizes(RingSizes.ofAll(RING_FRAMES))
                .build());
        port.addAllPorts();
        return port;
    }

    private static LoopLink newTrunk(LinkSpec link) {
        return new LoopLink(
                LoopLink.info(link.left() + "-" + link.right(), link.mtuBytes(), link.rateBps()),
                LoopLink.info(link.right() + "-" + link.left(), link.mtuBytes(), link.rateBps()));
    }
}
