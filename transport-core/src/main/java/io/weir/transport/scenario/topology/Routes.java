package io.weir.transport.scenario.topology;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.topology.Wiring.Port;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The shortest paths of a network: at every switch, for every host, all ports that lead one hop nearer to it, in the
 * order of the links. Where the layers of a network are wired alike, equal numbers at two switches of a layer lead to
 * equally placed switches of the next, so that both directions of a flow, hashed alike, take the same links.
 */
public final class Routes {
    private static final int UNREACHED = Integer.MAX_VALUE;

    private final Wiring wiring;
    /** Links from each Node to each host. */
    private final int[][] distances;
    /** Links from each Node to the nearest host. */
    private final int[] heights;

    /**
     * Computes the paths; refuses a network in which a host cannot reach another, or only by frames shorter than its
     * own.
     */
    public Routes(Wiring wiring) {
        this.wiring = wiring;
        this.distances = new int[wiring.hostCount()][];
        this.heights = new int[wiring.nodeCount()];
        Arrays.fill(heights, UNREACHED);
        for (int host = 0; host < distances.length; host++) {
            distances[host] = distancesTo(host);
            for (int node = 0; node < heights.length; node++) {
                heights[node] = Math.min(heights[node], distances[host][node]);
            }
        }
    }

    private int[] distancesTo(int host) {
        int[] distance = new int[wiring.nodeCount()];
        int[] mtuBytes = new int[wiring.nodeCount()];
        int[] queue = new int[wiring.nodeCount()];
        Arrays.fill(distance, UNREACHED);
        distance[host] = 0;
        mtuBytes[host] = Integer.MAX_VALUE;
        queue[0] = host;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int node = queue[head];
            // A host forwards nothing.
            if (head > 0 && wiring.isHost(node)) {
                continue;
            }
            for (Port port : wiring.ports(node)) {
                int peer = port.peer();
                int pathMtuBytes = Math.min(mtuBytes[node], wiring.link(port).mtuBytes());
                if (distance[peer] == UNREACHED) {
                    distance[peer] = distance[node] + 1;
                    mtuBytes[peer] = pathMtuBytes;
                    queue[tail++] = peer;
                } else if (distance[peer] == distance[node] + 1) {
                    mtuBytes[peer] = Math.min(mtuBytes[peer], pathMtuBytes);
                }
            }
        }
        requireReached(host, distance, mtuBytes);
        return distance;
    }

    private void requireReached(int host, int[] distance, int[] mtuBytes) {
        int ownMtuBytes = wiring.hostLink(host).mtuBytes();
        for (int other = 0; other < wiring.hostCount(); other++) {
            if (distance[other] == UNREACHED) {
                throw new ConfigException("no path leads from host '" + wiring.name(other) + "' to host '"
                        + wiring.name(host) + "'; connect their switches");
            }
            int neededBytes = Math.min(ownMtuBytes, wiring.hostLink(other).mtuBytes());
            if (other != host && mtuBytes[other] < neededBytes) {
                throw new ConfigException("hosts '" + wiring.name(other) + "' and '" + wiring.name(host)
                        + "' would agree on packets of mtuBytes=" + neededBytes
                        + ", and a link between them takes " + mtuBytes[other]
                        + "; raise that link's mtuBytes or lower that of the hosts' links");
            }
        }
    }

    /** {@return the ports of a Node by which the shortest paths to a host begin} */
    public int[] nextPorts(int node, int host) {
        int[] distance = distances[host];
        return IntStream.range(0, wiring.ports(node).size())
                .filter(i -> distance[wiring.ports(node).get(i).peer()] == distance[node] - 1)
                .toArray();
    }

    /**
     * {@return the layer of the links among which a switch chooses for a host: how far the lower end of the lowest is
     * from the nearest host} Both ends of such a link give it the same number.
     */
    public int layer(int node, int host) {
        int layer = heights[node];
        for (int index : nextPorts(node, host)) {
            layer = Math.min(layer, heights[wiring.ports(node).get(index).peer()]);
        }
        return layer;
    }

    /** {@return how many links the path between two hosts has} */
    public int linkCount(int from, int to) {
        return distances[to][from];
    }

    /** {@return who is connected to whom} */
    public Wiring wiring() {
        return wiring;
    }
}
