package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.NodeSettings;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.TaskSchedule;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A scenario's network driven as on real ports, by the agent of an event loop, but over links in memory and by a clock
 * that jumps from one time at which something happens to the next.
 */
final class AgentWorld implements World, AutoCloseable {
    private static final int FRAMES = 4096;
    private static final int FRAME_BYTES = 2048;
    private static final int CYCLES_AT_ONCE_MAX = 100;

    private final FramePool pool = new FramePool(FRAMES, FRAME_BYTES);
    private final TaskSchedule agenda = new TaskSchedule();
    private final NetworkNodes network;
    private final CycleMonitor monitor = new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, CycleMonitor.GAP_NANOS_MIN);
    private final List<Node> nodes = new ArrayList<>();
    private final List<List<ClockedLink.End>> ends = new ArrayList<>();
    private final NodeAgent agent;
    private long nowNanos;

    AgentWorld(Scenario scenario, Wiring wiring, ServicePorts services, FrameRecord frames) {
        network = new NetworkNodes(scenario, wiring, services, pool, NodeSettings.VIRTUAL);
        nodes.addAll(network.stacks());
        nodes.addAll(network.switches());
        List<ClockedLink> links = scenario.network().links().stream()
                .map(link -> new ClockedLink(link, () -> nowNanos, frames))
                .toList();
        List<NodeBinding> bindings = new ArrayList<>(List.of(new NodeBinding(agenda, List.of())));
        for (int node = 0; node < wiring.nodeCount(); node++) {
            List<ClockedLink.End> nodeEnds = wiring.ports(node).stream()
                    .map(port -> port.isLeft()
                            ? links.get(port.link()).left()
                            : links.get(port.link()).right())
                    .toList();
            ends.add(nodeEnds);
            bindings.add(new NodeBinding(nodes.get(node), List.<NetPort>copyOf(nodeEnds)));
        }
        agent = new NodeAgent("test", bindings, () -> nowNanos, new LoopTasks(AgentWorld::fail), monitor);
    }

    /** Lets a port lose frames on their way. */
    void setLoss(int node, int port, Predicate<Frame> isLost) {
        ends.get(node).get(port).setLoss(isLost);
    }

    /** Lets time pass up to and with {@code untilNanos}. */
    void run(long untilNanos) {
        while (nowNanos <= untilNanos) {
            int cycles = 0;
            while (agent.doWork() > 0) {
                if (++cycles == CYCLES_AT_ONCE_MAX) {
                    throw new AssertionError("the agent finds work without end at " + nowNanos + " ns");
                }
            }
            nowNanos = Math.max(nowNanos + 1, nextNanos());
            // The agent's driver chose to sleep until now.
            monitor.onWoken(nowNanos);
        }
        nowNanos = untilNanos;
    }

    private long nextNanos() {
        long next = agenda.nextTimeoutNanos();
        for (int i = 0; i < nodes.size(); i++) {
            next = Math.min(next, nodes.get(i).nextTimeoutNanos());
            for (int j = 0; j < ends.get(i).size(); j++) {
                ClockedLink.End end = ends.get(i).get(j);
                next = Math.min(next, end.nextArrivalNanos());
                long readyNanos = nodes.get(i).egress(j).nextTransmitNanos(nowNanos);
                next = Math.min(next, Math.max(readyNanos, end.freeNanos()));
            }
        }
        return next;
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
        return nowNanos;
    }

    @Override
    public void at(long atNanos, int host, Runnable action) {
        agenda.add(Math.max(atNanos, nowNanos), () -> {
            stack(host).tick(nowNanos);
            action.run();
        });
    }

    @Override
    public List<Port> ports() {
        return network.ports();
    }

    @Override
    public void close() {
        network.close();
        ends.forEach(nodeEnds -> nodeEnds.forEach(ClockedLink.End::close));
        if (pool.available() != FRAMES) {
            throw new AssertionError(FRAMES - pool.available() + " frames are missing");
        }
    }

    private static void fail(Throwable problem) {
        throw new AssertionError("a task failed", problem);
    }
}
