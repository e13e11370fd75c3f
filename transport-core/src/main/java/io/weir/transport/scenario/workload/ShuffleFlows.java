package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;

/** Every task sends to every task of another host. */
final class ShuffleFlows {
    private final Traffic.Shuffle entry;
    private final int[] hosts;
    private final FlowTimes starts;

    ShuffleFlows(Traffic.Shuffle entry, Wiring wiring, SeededRandom random) {
        this.entry = entry;
        this.hosts = PairedFlows.hosts(entry.hosts(), wiring);
        this.starts = new FlowTimes(entry.id(), entry.start(), random);
        if (hosts.length < 2 || entry.tasksPerHost() < 1 || entry.bytes() < 1) {
            throw new ConfigException("shuffle '" + entry.id() + "' needs at least 2 hosts, and tasksPerHost="
                    + entry.tasksPerHost() + " and bytes=" + entry.bytes() + " of at least 1");
        }
    }

    List<FlowPlan> expand() {
        List<FlowPlan> flows = new ArrayList<>();
        int tasks = hosts.length * entry.tasksPerHost();
        for (int from = 0; from < tasks; from++) {
            for (int to = 0; to < tasks; to++) {
                int source = hosts[from / entry.tasksPerHost()];
                int destination = hosts[to / entry.tasksPerHost()];
                // Tasks of one host need no network: ExpressPass counts 8 x (320 - 8) = 2496 flows of a host.
                if (source != destination) {
                    flows.add(flow(flows.size() + 1, source, destination));
                }
            }
        }
        return flows;
    }

    private FlowPlan flow(int number, int source, int destination) {
        FlowPlan.Schedule schedule = new FlowPlan.Schedule(starts.next(), Deadline.NO_DEADLINE, 0, 0);
        return new FlowPlan(entry.id() + "-" + number, source, destination, entry.bytes(), schedule, entry.protocol());
    }
}
