package io.weir.cli.scenario;

import io.weir.transport.scenario.topology.Wiring;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Which Nodes frames can get to. Hosts forward nothing. */
final class ReachableNodes {
    private ReachableNodes() {}

    /** {@return the Nodes that can be reached from a host, itself among them} */
    static Set<Integer> from(Wiring wiring, int host) {
        Set<Integer> reached = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>();
        reached.add(host);
        open.add(host);
        while (!open.isEmpty()) {
            int node = open.remove();
            for (Wiring.Port port : wiring.ports(node)) {
                boolean isNew = reached.add(port.peer());
                if (isNew && !wiring.isHost(port.peer())) {
                    open.add(port.peer());
                }
            }
        }
        return reached;
    }
}
