package io.weir.transport.sim.world;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.NodeSettings;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.Simulator;
import io.weir.transport.sim.TraceHash;
<<<<<<< HEAD
=======
import io.weir.transport.sim.fault.FaultyHost;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.IpAddress;
>>>>>>> scenfile
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;

/** A scenario's network in virtual time. Frames have no payload: only sizes and times count. */
public final class SimWorld implements World, AutoCloseable {
    private final FramePool pool;
    private final NetworkNodes network;
    private final Simulator simulator = new Simulator();
    private final TraceHash trace = new TraceHash();
    private final List<SimNode> nodes = new ArrayList<>();
<<<<<<< HEAD
=======
    private final List<HostStack> stacks = new ArrayList<>();
    private final List<SwitchPipeline> switches = new ArrayList<>();
    private final List<FaultyHost> faultyHosts = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
>>>>>>> scenfile

    /** Builds the network, or says what is wrong with it. */
    public SimWorld(Scenario scenario, Wiring wiring, ServicePorts services, SimOptions options) {
        this.pool = FrameBudget.newPool(scenario.network(), options);
        this.network = new NetworkNodes(scenario, wiring, services, pool, NodeSettings.VIRTUAL);
        simulator.setTrace(trace);
        for (int host = 0; host < wiring.hostCount(); host++) {
            HostSpec spec = scenario.network().hosts().get(host);
            add(spec.name(), network.stacks().get(host));
            if (!spec.delay().equals(ProcessingDelay.NONE)) {
                nodes.get(host)
                        .setReceiveDelay(
                                new DelaySource(spec.delay(), Randomness.of(scenario.seed(), "delay", spec.name())));
            }
        }
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            add(wiring.name(node), network.switches().get(node - wiring.hostCount()));
        }
        for (int node = 0; node < wiring.nodeCount(); node++) {
            connect(wiring, node);
        }
        new SimFaults(scenario, wiring, nodes).install(simulator);
    }

<<<<<<< HEAD
    private void add(String name, Node node) {
        nodes.add(simulator.add(name, node));
    }

    private void connect(Wiring wiring, int node) {
=======
    private void addHost(int index, HostSpec spec, ServicePorts services) {
        LinkSpec link = wiring.hostLink(index);
        PortSpec port = wiring.ports(index).get(0).isLeft() ? link.leftPort() : link.rightPort();
        HostConfig config = HostConfig.builder(mac(index), List.of(address(index)), link.rateBps())
                .mtuBytes(link.mtuBytes())
                .credits(HostCredits.of(port.credits(), link))
                .connections(CONNECTIONS_MAX, CONNECTIONS_MAX)
                .streams(spec.streams() == null ? STREAMS : spec.streams())
                .timers(spec.timers())
                .payload(Payload.ELIDED)
                .build();
        HostStack stack = new HostStack(
                config,
                pool,
                services.factoriesOf(spec.name()),
                Randomness.of(scenario.seed(), "host", spec.name())::nextLong);
        stacks.add(stack);
        SimNode node = simulator.add(spec.name(), driven(spec.name(), stack));
        if (!spec.delay().equals(ProcessingDelay.NONE)) {
            node.setReceiveDelay(new DelaySource(spec.delay(), Randomness.of(scenario.seed(), "delay", spec.name())));
        }
        nodes.add(node);
    }

    /** {@return what the simulator drives: the stack, or, for a host that pauses at times, what pauses it} */
    private Node driven(String name, HostStack stack) {
        if (!SimFaults.pauses(scenario, name)) {
            return stack;
        }
        FaultyHost host = new FaultyHost(() -> stack);
        faultyHosts.add(host);
        return host;
    }

    private void addSwitch(int node) {
        List<SwitchPortConfig> configs =
                wiring.ports(node).stream().map(this::portConfig).toList();
        String name = wiring.name(node);
        long seed = Randomness.of(scenario.seed(), "switch", name).nextLong();
        SwitchPipeline pipeline = new SwitchPipeline(configs, pool, seed);
        for (int host = 0; host < wiring.hostCount(); host++) {
            pipeline.addRouteOfLayer(routes.layer(node, host), mac(host), routes.nextPorts(node, host));
        }
        pipeline.stopLearning();
        if (scenario.network().multipath() == Network.Multipath.SPRAY) {
            pipeline.spray();
        }
        for (int i = 0; i < configs.size(); i++) {
            String peer = wiring.name(wiring.ports(node).get(i).peer());
            ports.add(new Port(name, peer, pipeline.port(i)));
        }
        switches.add(pipeline);
        nodes.add(simulator.add(name, pipeline));
    }

    private SwitchPortConfig portConfig(Wiring.Port port) {
        LinkSpec link = wiring.link(port);
        PortSpec spec = port.isLeft() ? link.leftPort() : link.rightPort();
        SwitchPortConfig.Builder builder = SwitchPortConfig.builder(link.rateBps())
                .mtuBytes(link.mtuBytes())
                .dataQueueBytesMax(spec.dataQueueBytesMax())
                .credits(spec.credits().toConfig(link.rateBps(), link.mtuBytes()))
                .ecn(spec.ecn());
        // Without a meter the builder would make one.
        return builder.unmetered().build();
    }

    private void connect(int node) {
>>>>>>> scenfile
        List<Wiring.Port> nodePorts = wiring.ports(node);
        for (int i = 0; i < nodePorts.size(); i++) {
            Wiring.Port port = nodePorts.get(i);
            if (port.isLeft()) {
                LinkSpec link = wiring.link(port);
                simulator.connect(
                        nodes.get(node).port(i),
                        nodes.get(port.peer()).port(port.peerPort()),
                        link.rateBps(),
                        link.propagationNanos());
            }
        }
    }

    @Override
    public HostStack stack(int host) {
        return network.stacks().get(host);
    }

    @Override
    public Path path(int from, int to, int localPort, int remotePort) {
        return NetworkNodes.path(from, to, localPort, remotePort);
    }

    @Override
    public long nowNanos() {
        return simulator.nowNanos();
    }

    @Override
    public void at(long atNanos, int host, Runnable action) {
        HostStack stack = stack(host);
        simulator.at(atNanos, nodes.get(host), () -> {
            stack.tick(simulator.nowNanos());
            action.run();
        });
    }

    @Override
    public List<Port> ports() {
        return network.ports();
    }

    /** {@return the simulator that drives the network} */
    public Simulator simulator() {
        return simulator;
    }

    /** {@return the link that leaves by port {@code port} of Node {@code node}} */
    public SimLink link(int node, int port) {
        return nodes.get(node).link(port);
    }

    /** {@return the hash over all that has been on a link} */
    public TraceHash trace() {
        return trace;
    }

    /** {@return the frames of the network} */
    public FramePool pool() {
        return pool;
    }

    /** Returns every frame to the pool, and fails if one is missing: every run checks that nothing is lost on the way. */
    @Override
    public void close() {
<<<<<<< HEAD
        network.close();
=======
        faultyHosts.forEach(FaultyHost::close);
        stacks.forEach(HostStack::close);
        switches.forEach(SwitchPipeline::close);
>>>>>>> scenfile
        simulator.close();
        if (pool.available() != pool.frameCount()) {
            throw new IllegalStateException((pool.frameCount() - pool.available()) + " frames are missing");
        }
    }
}
