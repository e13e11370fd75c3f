package io.weir.cli.lab;

import io.weir.cli.fabric.LabNetwork;
import io.weir.cli.fabric.LabNodes;
import io.weir.nic.xdp.AfXdp;
import io.weir.pacer.PauseBudget;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.CycleMonitor;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.run.TaskSchedule;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario's network on real ports: every host and switch of it, run by the thread that calls {@link #runOnce}. Its
 * time begins with {@link #begin}; until then nothing moves.
 */
final class LiveWorld implements World, AutoCloseable {
    private final FramePool pool;
    private final NetworkNodes nodes;
    private final TaskSchedule agenda = new TaskSchedule();
    private final LabFaults faults;
    private final AfXdp afXdp;
    private final List<List<NetPort>> netPorts;
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
        pool = LabNodes.newPool(wiring);
        nodes = new NetworkNodes(scenario, wiring, services, pool, LabNodes.settings(wiring, PauseBudget.NONE));
        afXdp = new AfXdp(pool);
        try {
            netPorts = LabNodes.openPorts(wiring, network, afXdp);
        } catch (IOException | RuntimeException e) {
            afXdp.close();
            throw e;
        }
        faults = new LabFaults(scenario, wiring);
        bindings.add(new NodeBinding(agenda, List.of()));
        int hosts = wiring.hostCount();
        for (int node = 0; node < wiring.nodeCount(); node++) {
            Node driven = node < hosts
                    ? faults.wrap(wiring.name(node), nodes.stacks().get(node))
                    : nodes.switches().get(node - hosts);
            bindings.add(new NodeBinding(driven, faults.wrap(node, netPorts.get(node), pool)));
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
        nodes.close();
    }

    @Override
    public HostStack stack(int host) {
        return nodes.stacks().get(host);
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
        agenda.add(atNanos, () -> {
            stack(host).tick(nowNanos());
            action.run();
        });
    }

    @Override
    public List<Port> ports() {
        return nodes.ports();
    }

    /** {@return what tells how regularly the loop ran} */
    CycleMonitor monitor() {
        return loop.monitor();
    }

    /** {@return its time, once it has begun} */
    LabClock clock() {
        return clock;
    }

    /** {@return frames that have started on a link} */
    long packetHops() {
        long hops = 0;
        for (HostStack stack : nodes.stacks()) {
            hops += stack.counters().get(CounterId.FRAMES_SENT);
        }
        for (Port port : nodes.ports()) {
            hops += port.port().counters().get(CounterId.FRAMES_SENT);
        }
        return hops;
    }

    /** {@return frames that the kernel dropped because the loop came too late, or a frame was too long} */
    long framesLost() {
        long lost = 0;
        for (List<NetPort> nodePorts : netPorts) {
            for (NetPort port : nodePorts) {
                lost += port.lostFrames();
            }
        }
        return lost;
    }

    /** {@return what every port is, Node by Node} */
    List<PortInfo> portInfos() {
        return netPorts.stream().flatMap(List::stream).map(NetPort::info).toList();
    }

    /** {@return why a port can move no more frames, or null while all can} */
    String portFailure() {
        for (List<NetPort> nodePorts : netPorts) {
            for (NetPort port : nodePorts) {
                if (port.failure() != null) {
                    return port.failure();
                }
            }
        }
        return null;
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        } else {
            nodes.close();
            afXdp.close();
        }
    }
}
