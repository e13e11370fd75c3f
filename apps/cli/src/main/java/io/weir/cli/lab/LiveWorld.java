package io.weir.cli.lab;

import io.weir.nic.lab.LabNetwork;
import io.weir.nic.lab.LabNodes;
import io.weir.pacer.PauseBudget;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Node;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.TaskSchedule;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario's network on real ports: every host and switch of it, run by the thread that calls {@link #runOnce}. Its
 * time begins with {@link #begin}; until then nothing moves.
 */
final class LiveWorld implements World, AutoCloseable {
    private final LabNodes nodes;
    private final TaskSchedule schedule = new TaskSchedule();
    private final LabFaults faults;
    private final List<NodeBinding> bindings = new ArrayList<>();
    private final boolean timeStandsStill;
    private LabClock clock;
    private EventLoop loop;

    /**
     * Opens the ports of all Nodes in {@code network}; nothing stays open if one refuses.
     *
     * @param timeStandsStill whether time stands still while the loop is away
     */
    LiveWorld(Scenario scenario, Wiring wiring, ServicePorts services, LabNetwork network, boolean timeStandsStill)
            throws IOException {
        this.timeStandsStill = timeStandsStill;
        nodes = new LabNodes(scenario, wiring, services, PauseBudget.NONE);
        nodes.openPorts(network, true);
        faults = new LabFaults(scenario, wiring);
        bindings.add(new NodeBinding(schedule, List.of()));
        int hosts = wiring.hostCount();
        for (int node = 0; node < wiring.nodeCount(); node++) {
            Node driven = node < hosts
                    ? faults.wrap(wiring.name(node), stack(node))
                    : nodes.nodes().switches().get(node - hosts);
            bindings.add(new NodeBinding(driven, faults.wrap(node, nodes.ports(node))));
        }
    }

    /** Starts the clock: from here on the calling thread is to call {@link #runOnce} again and again. */
    void begin() {
        clock = new LabClock(timeStandsStill, System::nanoTime);
        loop = EventLoop.invokedBy(clock, "weir-lab", bindings, this::releaseFrames);
        loop.start();
        faults.start(this);
    }

    /** {@return the work done in one cycle, in which what can move does} */
    int runOnce() {
        return loop.runOnce();
    }

    private void releaseFrames() {
        faults.close();
        nodes.nodes().close();
    }

    @Override
    public HostStack stack(int host) {
        return nodes.nodes().stacks().get(host);
    }

    @Override
    public Path path(int from, int to, int localPort, int remotePort) {
        return NetworkNodes.path(from, to, localPort, remotePort);
    }

    @Override
    public long nowNanos() {
        return loop == null ? 0 : loop.nowNanos();
    }

    @Override
    public void at(long atNanos, int host, Runnable action) {
        schedule.add(atNanos, () -> {
            stack(host).tick(nowNanos());
            action.run();
        });
    }

    @Override
    public List<Port> ports() {
        return nodes.nodes().ports();
    }

    /** {@return what tells how regularly the loop ran} */
    CycleMonitor monitor() {
        return loop.monitor();
    }

    /** {@return its time, once it has begun} */
    LabClock clock() {
        return clock;
    }

    /** {@return its Nodes and their ports} */
    LabNodes nodes() {
        return nodes;
    }

    /** {@return why the loop or a port has ended, or null} */
    String fault() {
        return Laboratory.fault(loop);
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        } else {
            nodes.close();
        }
    }
}
