package io.weir.transport.scenario.plan;

import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.topology.Wiring.Port;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * By which ports credits may leave a switch that have come in by one of its ports, over all shortest paths between all
 * hosts. Hosts of one switch have the same paths, so that the work grows with switches that have hosts, not with hosts.
 */
final class PortGraph {
    private static final int UNREACHED = Integer.MAX_VALUE;

    private final Wiring wiring;
    /** For each switch and each of its ports, the ports by which credits go on. */
    private final List<BitSet[]> onward = new ArrayList<>();

    PortGraph(Wiring wiring) {
        this.wiring = wiring;
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            BitSet[] sets = new BitSet[wiring.ports(node).size()];
            Arrays.setAll(sets, i -> new BitSet());
            onward.add(sets);
        }
        for (int node = wiring.hostCount(); node < wiring.nodeCount(); node++) {
            if (!hostPorts(node).isEmpty()) {
                addPathsTo(node);
            }
        }
    }

    /** {@return the ports of a switch by which credits go on that have come in by one of its ports} */
    BitSet onward(int node, int port) {
        return onward.get(node - wiring.hostCount())[port];
    }

    private BitSet hostPorts(int node) {
        BitSet set = new BitSet();
        List<Port> ports = wiring.ports(node);
        for (int i = 0; i < ports.size(); i++) {
            set.set(i, wiring.isHost(ports.get(i).peer()));
        }
        return set;
    }

    private void addPathsTo(int destination) {
        int[] distance = new int[wiring.nodeCount()];
        int[] order = byDistance(destination, distance);
        BitSet[] entries = new BitSet[wiring.nodeCount()];
        for (int i = order.length - 1; i >= 0; i--) {
            int node = order[i];
            BitSet in = entries[node] == null ? new BitSet() : entries[node];
            in.or(hostPorts(node));
            if (!in.isEmpty()) {
                BitSet out = node == destination ? hostPorts(node) : nearer(node, distance);
                connect(node, in, out);
                enter(node, out, entries);
            }
        }
    }

    /** {@return the switches that reach {@code destination}, nearest first} */
    private int[] byDistance(int destination, int[] distance) {
        Arrays.fill(distance, UNREACHED);
        int[] queue = new int[wiring.nodeCount()];
        distance[destination] = 0;
        queue[0] = destination;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            for (Port port : wiring.ports(queue[head])) {
                int peer = port.peer();
                if (!wiring.isHost(peer) && distance[peer] == UNREACHED) {
                    distance[peer] = distance[queue[head]] + 1;
                    queue[tail++] = peer;
                }
            }
        }
        return Arrays.copyOf(queue, tail);
    }

    private BitSet nearer(int node, int[] distance) {
        BitSet set = new BitSet();
        List<Port> ports = wiring.ports(node);
        for (int i = 0; i < ports.size(); i++) {
            int peer = ports.get(i).peer();
            set.set(i, !wiring.isHost(peer) && distance[peer] == distance[node] - 1);
        }
        return set;
    }

    private void connect(int node, BitSet in, BitSet out) {
        BitSet[] sets = onward.get(node - wiring.hostCount());
        for (int port = in.nextSetBit(0); port >= 0; port = in.nextSetBit(port + 1)) {
            boolean isOwn = sets[port].get(port);
            sets[port].or(out);
            // Nothing goes back where it came from.
            sets[port].set(port, isOwn);
        }
    }

    private void enter(int node, BitSet out, BitSet[] entries) {
        for (int port = out.nextSetBit(0); port >= 0; port = out.nextSetBit(port + 1)) {
            Port link = wiring.ports(node).get(port);
            if (!wiring.isHost(link.peer())) {
                if (entries[link.peer()] == null) {
                    entries[link.peer()] = new BitSet();
                }
                entries[link.peer()].set(link.peerPort());
            }
        }
    }
}
