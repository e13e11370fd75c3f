package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;

/** The connections of a traffic of calls: their ends, and when each makes its first call. */
public final class CallPlan {
    private final Traffic.Calls traffic;
    private final int[] clients;
    private final int[] servers;
    private final long[] startNanos;

    CallPlan(Traffic.Calls traffic, Wiring wiring, SeededRandom random) {
        this.traffic = traffic;
        require(
                traffic.requestBytes() > 0
                        && traffic.responseBytes() > 0
                        && traffic.rounds() > 0
                        && traffic.outstanding() > 0,
                "requestBytes=" + traffic.requestBytes() + ", responseBytes=" + traffic.responseBytes() + ", rounds="
                        + traffic.rounds() + " and outstanding=" + traffic.outstanding() + " must be at least 1");
        require(
                traffic.connections() >= 0 && traffic.leadNanos() >= 0 && traffic.gapNanos() >= 0,
                "connections=" + traffic.connections() + ", leadNanos=" + traffic.leadNanos() + " and gapNanos="
                        + traffic.gapNanos() + " must not be negative");
        int[] from = PairedFlows.hosts(traffic.from(), wiring);
        int[] to = PairedFlows.hosts(traffic.to(), wiring);
        require(from.length > 0 && to.length > 0, "needs hosts in from and in to");
        int count = traffic.connections() > 0 ? traffic.connections() : Math.max(from.length, to.length);
        clients = new int[count];
        servers = new int[count];
        startNanos = new long[count];
        FlowTimes starts = new FlowTimes(traffic.id(), traffic.start(), random);
        for (int i = 0; i < count; i++) {
            clients[i] = from[i % from.length];
            servers[i] = to[i % to.length];
            startNanos[i] = starts.next();
            require(clients[i] != servers[i], "a host would ask itself; name others");
        }
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ConfigException("calls '" + traffic.id() + "': " + message);
        }
    }

    /** {@return the traffic} */
    public Traffic.Calls traffic() {
        return traffic;
    }

    /** {@return how many connections there are} */
    public int connectionCount() {
        return clients.length;
    }

    /** {@return the number of the host that asks over a connection} */
    public int client(int connection) {
        return clients[connection];
    }

    /** {@return the number of the host that responds over a connection} */
    public int server(int connection) {
        return servers[connection];
    }

    /** {@return when a connection opens} */
    public long openNanos(int connection) {
        return Math.max(0, startNanos[connection] - traffic.leadNanos());
    }

    /** {@return when a connection makes its first call} */
    public long startNanos(int connection) {
        return startNanos[connection];
    }
}
