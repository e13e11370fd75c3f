package io.weir.transport.sim.world;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.QueuedHost;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.SwitchSpec;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.NodeSettings;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.sim.PausingNode;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.SimTrace;
import io.weir.transport.sim.Simulator;
import io.weir.transport.sim.TraceHash;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A scenario's network in virtual time. Frames have no payload: only sizes and times count. */
public final class SimWorld implements World, AutoCloseable {
    private final Scenario scenario;
    private final FramePool pool;
    private final NetworkNodes network;
    private final Simulator simulator = new Simulator();
    private final TraceHash trace = new TraceHash();
    private final List<SimNode> nodes = new ArrayList<>();
    private final Map<String, FaultyHost> faultyHosts = new LinkedHashMap<>();
    /** By host; null where flows take turns. */
    private final List<QueuedHost> queues = new ArrayList<>();
    /** By Node; null where it never pauses. */
    private final List<PausingNode> pausing = new ArrayList<>();

    /** Builds the network, or says what is wrong with it. */
    public SimWorld(Scenario scenario, Wiring wiring, ServicePorts services, SimOptions options) {
        this.scenario = scenario;
        this.pool = FrameBudget.newPool(scenario.network(), options);
        this.network = new NetworkNodes(scenario, wiring, services, pool, NodeSettings.VIRTUAL);
        simulator.setTrace(trace);
        for (int host = 0; host < wiring.hostCount(); host++) {
            HostSpec spec = scenario.network().hosts().get(host);
            add(spec.name(), driven(scenario, spec, network.stacks().get(host)), spec.pauses());
            setReceiving(nodes.get(host), spec, scenario.seed());
        }
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            SwitchSpec spec = wiring.switchSpec(node);
            add(spec.name(), network.switches().get(node - wiring.hostCount()), spec.pauses());
        }
        for (int node = 0; node < wiring.nodeCount(); node++) {
            connect(wiring, node);
        }
        new SimFaults(scenario, wiring, nodes, faultyHosts).install(simulator);
    }

    /** {@return what the simulator drives: the stack, or what pauses it, or the queue behind it} */
    private Node driven(Scenario scenario, HostSpec spec, HostStack stack) {
        boolean pauses = SimFaults.pauses(scenario, spec.name());
        if (spec.queueFramesMax() > 0) {
            if (pauses) {
                throw new ConfigException(
                        "host '" + spec.name() + "' has both a queue and a fault of kind pause; leave one out");
            }
            QueuedHost queue = new QueuedHost(stack, spec.queueFramesMax());
            queues.add(queue);
            return queue;
        }
        queues.add(null);
        if (!pauses) {
            return stack;
        }
        FaultyHost host = new FaultyHost(() -> stack);
        faultyHosts.put(spec.name(), host);
        return host;
    }

    private static void setReceiving(SimNode node, HostSpec spec, long seed) {
        ProcessingDelay delay = spec.seenAfter();
        if (!delay.equals(ProcessingDelay.NONE)) {
            node.setReceiveDelay(new DelaySource(delay, Randomness.of(seed, "delay", spec.name())));
        }
        if (!spec.stampNoise().equals(StampNoise.NONE)) {
            node.setStampError(new NoisyStamps(spec.stampNoise(), Randomness.of(seed, "stamps", spec.name())));
        }
    }

    private void add(String name, Node node, Pauses pauses) {
        PausingNode driver =
                pauses.isNone() ? null : new PausingNode(node, pauses, Randomness.of(scenario.seed(), "pauses", name));
        pausing.add(driver);
        nodes.add(simulator.add(name, driver == null ? node : driver));
    }

    private void connect(Wiring wiring, int node) {
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
    public void whenRunning(int host, Runnable action) {
        PausingNode driver = pausing.get(host);
        if (driver == null || driver.isRunning(simulator.nowNanos())) {
            action.run();
            return;
        }
        HostStack stack = stack(host);
        driver.defer(() -> {
            stack.tick(simulator.nowNanos());
            action.run();
        });
    }

    @Override
    public List<PauseResult> pauses() {
        List<PauseResult> found = new ArrayList<>();
        for (int node = 0; node < pausing.size(); node++) {
            if (pausing.get(node) != null) {
                found.add(pausing.get(node).result(nodes.get(node).name()));
            }
        }
        return found;
    }

    @Override
    public QueuedHost queue(int host) {
        return queues.get(host);
    }

    @Override
    public List<Port> ports() {
        return network.ports();
    }

    /** Has all that starts on a link seen by somebody, too. Before the run. */
    public void watch(SimTrace watcher) {
        simulator.setTrace((link, frame, nowNanos) -> {
            trace.onDeparture(link, frame, nowNanos);
            watcher.onDeparture(link, frame, nowNanos);
        });
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

    /**
     * Returns every frame to the pool, and fails if one is missing: every run checks that nothing is lost on the way.
     */
    @Override
    public void close() {
        pausing.stream().filter(Objects::nonNull).forEach(PausingNode::close);
        faultyHosts.values().forEach(FaultyHost::close);
        queues.stream().filter(Objects::nonNull).forEach(QueuedHost::close);
        network.close();
        simulator.close();
        if (pool.available() != pool.frameCount()) {
            throw new IllegalStateException((pool.frameCount() - pool.available()) + " frames are missing");
        }
    }
}
