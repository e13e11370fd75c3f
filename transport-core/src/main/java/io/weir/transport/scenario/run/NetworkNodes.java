package io.weir.transport.scenario.run;

import io.weir.pacer.Slack;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.Stamping;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.topology.Routes;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Nodes of a scenario's network, with their addresses, routes and randomness: the same objects in every world. Who
 * moves frames and time for them is the world's own affair. All frames come from one pool.
 */
public final class NetworkNodes implements AutoCloseable {
    private static final long MAC_BASE = 0x0200_0000_0000L;
    private static final int IPV4_BASE = 0x0A00_0000;

    private final Scenario scenario;
    private final Wiring wiring;
    private final Routes routes;
    private final NodeSettings settings;
    private final FramePool pool;
    private final List<HostStack> stacks = new ArrayList<>();
    private final List<SwitchPipeline> switches = new ArrayList<>();
    private final List<World.Port> ports = new ArrayList<>();

    /** Makes every Node, or says what is wrong with the network. */
    public NetworkNodes(
            Scenario scenario, Wiring wiring, ServicePorts services, FramePool pool, NodeSettings settings) {
        this.scenario = scenario;
        this.wiring = wiring;
        this.routes = new Routes(wiring);
        this.settings = settings;
        this.pool = pool;
        Network network = scenario.network();
        for (int host = 0; host < wiring.hostCount(); host++) {
            addHost(host, network.hosts().get(host), services);
        }
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            addSwitch(node);
        }
    }

    private void addHost(int host, HostSpec spec, ServicePorts services) {
        LinkSpec link = wiring.hostLink(host);
        PortSpec port = wiring.ports(host).get(0).isLeft() ? link.leftPort() : link.rightPort();
        HostConfig config = HostConfig.builder(mac(host), List.of(address(host)), link.rateBps())
                .mtuBytes(link.mtuBytes())
                .credits(HostCredits.of(port.credits(), link))
                .slack(
                        spec.pauses().isNone()
                                ? settings.slack()
                                : new Slack(spec.pauses().catchUpNanos(), 0))
                .pauses(spec.pauses().budget())
                .portRateBps(settings.portRateBps())
                .connections(settings.connectionsMax(), settings.connectionsMax())
                .streams(spec.streams() == null ? settings.streams() : spec.streams())
                .timers(spec.timers())
                .creditFramesMax(spec.creditFramesMax())
                .payload(settings.payload())
                .stamping(spec.queueFramesMax() > 0 ? Stamping.RAW : Stamping.CALIBRATED)
                .build();
        stacks.add(new HostStack(
                config,
                pool,
                services.factoriesOf(spec.name()),
                Randomness.of(scenario.seed(), "host", spec.name())::nextLong));
    }

    private void addSwitch(int node) {
        List<SwitchPortConfig> configs =
                wiring.ports(node).stream().map(port -> portConfig(node, port)).toList();
        String name = wiring.name(node);
        long seed = Randomness.of(scenario.seed(), "switch", name).nextLong();
        SwitchPipeline pipeline = new SwitchPipeline(configs, pool, seed);
        for (int host = 0; host < wiring.hostCount(); host++) {
            pipeline.addRouteOfLayer(routes.layer(node, host), mac(host), routes.nextPorts(node, host));
        }
        pipeline.stopLearning();
        pipeline.stopFlooding();
        if (scenario.network().multipath() == Network.Multipath.SPRAY) {
            pipeline.spray();
        }
        for (int i = 0; i < configs.size(); i++) {
            String peer = wiring.name(wiring.ports(node).get(i).peer());
            ports.add(new World.Port(name, peer, pipeline.port(i)));
        }
        switches.add(pipeline);
    }

    private SwitchPortConfig portConfig(int node, Wiring.Port port) {
        LinkSpec link = wiring.link(port);
        PortSpec spec = port.isLeft() ? link.leftPort() : link.rightPort();
        Pauses pauses = wiring.switchSpec(node).pauses();
        SwitchPortConfig.Builder builder = SwitchPortConfig.builder(link.rateBps())
                .mtuBytes(link.mtuBytes())
                .dataQueueBytesMax(spec.dataQueueBytesMax())
                .credits(spec.credits().toConfig(link.rateBps(), link.mtuBytes()))
                .ecn(spec.ecn())
                .policies(spec.policies())
                .link(emulation(node, port))
                .pauses(pauses.isNone() ? settings.switchPauses() : pauses.budget());
        // Without a meter the builder would make one.
        return builder.unmetered().build();
    }

    private SwitchPortConfig.LinkEmulation emulation(int node, Wiring.Port port) {
        SwitchPortConfig.LinkEmulation link = settings.links().emulation(node, port);
        Pauses pauses = wiring.switchSpec(node).pauses();
        return pauses.isNone()
                ? link
                : new SwitchPortConfig.LinkEmulation(
                        link.isEmulated(), link.propagationNanos(), link.ingressQueueBytesMax(), pauses.catchUpNanos());
    }

    /** {@return the Ethernet address of a host} */
    public static long mac(int host) {
        return MAC_BASE + host + 1;
    }

    /** {@return the IP address of a host} */
    public static IpAddress address(int host) {
        return IpAddress.v4(IPV4_BASE + host + 1);
    }

    /** {@return the way from one host to another} */
    public static Path path(int from, int to, int localPort, int remotePort) {
        return Path.from(mac(from), address(from), localPort).to(mac(to), address(to), remotePort);
    }

    /** {@return who is connected to whom} */
    public Wiring wiring() {
        return wiring;
    }

    /** {@return the hosts, in the scenario's order} */
    public List<HostStack> stacks() {
        return stacks;
    }

    /** {@return the switches, in the scenario's order} */
    public List<SwitchPipeline> switches() {
        return switches;
    }

    /** {@return the ports of all switches, switch by switch} */
    public List<World.Port> ports() {
        return ports;
    }

    /** Returns every frame that a Node holds to the pool. */
    @Override
    public void close() {
        stacks.forEach(HostStack::close);
        switches.forEach(SwitchPipeline::close);
    }
}
