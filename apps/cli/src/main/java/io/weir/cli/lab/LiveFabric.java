package io.weir.cli.lab;

import io.weir.nic.host.PollWaiter;
import io.weir.nic.xdp.AfXdp;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.NetworkNodes;
import io.weir.transport.scenario.topology.Wiring;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The switches of a scenario alone, on their own thread; the hosts are the programs in their namespaces. */
final class LiveFabric implements AutoCloseable {
    private final EventLoop loop;

    private LiveFabric(EventLoop loop) {
        this.loop = loop;
    }

    /** Opens the switches' ports and begins to forward; nothing stays open if a port refuses. */
    static LiveFabric start(Scenario scenario, Wiring wiring, LabNetwork network) throws IOException {
        FramePool pool = LabNodes.newPool(wiring);
        NetworkNodes nodes = new NetworkNodes(
                scenario, wiring, LabNodes.services(scenario.withTraffic(List.of())), pool, LabNodes.settings(wiring));
        AfXdp afXdp = new AfXdp(pool);
        try {
            List<List<NetPort>> ports = LabNodes.openSwitchPorts(wiring, network, afXdp);
            List<NodeBinding> bindings = new ArrayList<>();
            for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
                bindings.add(new NodeBinding(nodes.switches().get(node - wiring.hostCount()), ports.get(node)));
            }
            int[] descriptors = ports.stream()
                    .flatMap(List::stream)
                    .mapToInt(NetPort::pollFileDescriptor)
                    .toArray();
            EventLoop loop = new EventLoop(
                    "weir-lab-switches", bindings, IdleMode.BACK_OFF, new PollWaiter(descriptors), nodes::close);
            loop.start();
            return new LiveFabric(loop);
        } catch (IOException | RuntimeException e) {
            afXdp.close();
            throw e;
        }
    }

    /** Fails if the loop has ended or a port has. */
    void requireHealthy() throws IOException {
        if (loop.failure() != null) {
            throw new IOException("the switches' loop ended by a fault: " + loop.failure(), loop.failure());
        }
        if (loop.portFailure() != null) {
            throw new IOException("a port of the lab failed: " + loop.portFailure());
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
