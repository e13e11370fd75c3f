package io.weir.nic.lab;

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
import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.PortInfo;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.LoopLink;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.NodeSettings;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Nodes of a scenario in a laboratory, with their ports: all of them, or the switches alone. A veth pair has
 * neither rate nor delay, so the port of the switch at its end plays both directions of the link; of a link between two
 * switches the left end does. A loop that runs over the ports closes them.
 */
public final class LabNodes implements AutoCloseable {
    /**
     * How far links may catch up when the loop comes late: without it every poll between two frames costs bandwidth.
     */
    private static final long CATCH_UP_NANOS = 50_000;
    /** What may wait for a host's own link: as much as a kernel's default transmit queue. */
    private static final int HOST_QUEUE_FRAMES = 1_000;

    private static final int RING_FRAMES = 1_024;
    private static final int POOL_BYTES_MAX = 1 << 30;

    /** The rate that a veth reports, whatever link is played over it; copying a frame takes it about as long. */
    private static final long VETH_RATE_BPS = 10_000_000_000L;

    private final Wiring wiring;
    private final FramePool pool;
    private final NetworkNodes nodes;
    /** Behind each Node's own, Node by Node; none for hosts that others open. */
    private final List<List<NetPort>> ports = new ArrayList<>();

    /**
     * Makes the Nodes, without ports.
     *
     * @param services the ports of Weir's flows
     * @param switchPauses what switches make up for of which the scenario says nothing
     */
    public LabNodes(Scenario scenario, Wiring wiring, ServicePorts services, PauseBudget switchPauses) {
        this.wiring = wiring;
        this.pool = newPool(wiring);
        this.nodes = new NetworkNodes(scenario, wiring, services, pool, settings(wiring, switchPauses));
    }

    private static NodeSettings settings(Wiring wiring, PauseBudget switchPauses) {
        return new NodeSettings(
                StreamLimits.DEFAULT,
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
        Traffic none = new Traffic.Shuffle(
                "none", hosts, 1, 1, Traffic.Times.NEVER, Catalogue.KINDS.get(0).usual());
        return new ServicePorts(weirs.withTraffic(List.of(none)));
    }

    /** {@return frames for all rings, queues and links} */
    private static FramePool newPool(Wiring wiring) {
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

    /** Opens ports by AF_XDP; when one fails, none stays open. */
    public void openPorts(LabNetwork network, boolean isWithHosts) throws IOException {
        AfXdp afXdp = new AfXdp(pool);
        try {
            openPorts(
                    host -> isWithHosts ? List.of(openHost(network, host, afXdp)) : List.of(),
                    host -> openSwitchPort(network, host, afXdp));
        } catch (IOException | RuntimeException e) {
            afXdp.close();
            throw e;
        }
    }

    /** Opens what is at an end of a host's link. */
    @FunctionalInterface
    public interface Opener<T> {
        /** {@return what is at the end of the link of this host} */
        T open(int host) throws IOException;
    }

    /**
     * Opens the ports of all Nodes.
     *
     * @param ofHost the ports of a host, none if others run it
     * @param toHost the port of a switch to a host
     */
    public void openPorts(Opener<List<NetPort>> ofHost, Opener<NetPort> toHost) throws IOException {
        Map<Integer, LoopLink> trunks = new HashMap<>();
        for (int host = 0; host < wiring.hostCount(); host++) {
            ports.add(ofHost.open(host));
        }
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

    /** {@return the frames of all Nodes} */
    public FramePool pool() {
        return pool;
    }

    /** {@return the Nodes} */
    public NetworkNodes nodes() {
        return nodes;
    }

    /** {@return the open ports of a Node} */
    public List<NetPort> ports(int node) {
        return ports.get(node);
    }

    private Stream<NetPort> allPorts() {
        return ports.stream().flatMap(List::stream);
    }

    /** {@return what every open port is, Node by Node} */
    public List<PortInfo> portInfos() {
        return allPorts().map(NetPort::info).toList();
    }

    /** {@return what to wait for until a frame comes by an open port} */
    public int[] pollFileDescriptors() {
        return allPorts().mapToInt(NetPort::pollFileDescriptor).toArray();
    }

    /** {@return frames that the kernel dropped because a loop came too late, or a frame was too long} */
    public long framesLost() {
        return allPorts().mapToLong(NetPort::lostFrames).sum();
    }

    /** {@return frames that have started on a link} */
    public long packetHops() {
        long hops = 0;
        for (HostStack stack : nodes.stacks()) {
            hops += stack.counters().get(CounterId.FRAMES_SENT);
        }
        for (World.Port port : nodes.ports()) {
            hops += port.port().counters().get(CounterId.FRAMES_SENT);
        }
        return hops;
    }

    /** Returns every frame that a Node holds to the pool, and closes the ports. */
    @Override
    public void close() {
        nodes.close();
        allPorts().forEach(NetPort::close);
    }
}
