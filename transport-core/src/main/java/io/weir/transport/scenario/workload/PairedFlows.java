package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Pairing;
import io.weir.transport.scenario.topology.Wiring;
import java.util.ArrayList;
import java.util.List;

/** Flows between hosts that are named. */
final class PairedFlows {
    private final Traffic.Flows entry;
    private final int[] from;
    private final int[] to;
    private final SeededRandom pairRandom;
    private final FlowTimes starts;
    private final FlowTimes stops;

    PairedFlows(Traffic.Flows entry, Wiring wiring, SeededRandom random) {
        this.entry = entry;
        this.from = hosts(entry.from(), wiring);
        this.to = hosts(entry.to(), wiring);
        this.pairRandom = random.split();
        this.starts = new FlowTimes(entry.id(), entry.start(), random.split());
        this.stops = new FlowTimes(entry.id(), entry.stop(), random.split());
        require(from.length > 0 && to.length > 0, "needs hosts in from and in to");
        require(entry.bytes() > 0, "bytes=" + entry.bytes() + " must be positive");
        require(
                entry.onNanos() >= 0 && entry.offNanos() >= 0 && (entry.offNanos() == 0 || entry.onNanos() > 0),
                "onNanos=" + entry.onNanos() + " and offNanos=" + entry.offNanos()
                        + " must not be negative; a flow that pauses needs a time for which it does not");
        require(entry.count() >= 0, "count=" + entry.count() + " must not be negative");
        require(
                entry.pairing() != Pairing.RANDOM || entry.count() > 0,
                "count=0 leaves open how many random pairs there are; say how many");
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ConfigException("flows '" + entry.id() + "': " + message);
        }
    }

    static int[] hosts(List<String> names, Wiring wiring) {
        return names.stream().mapToInt(wiring::host).toArray();
    }

    List<FlowPlan> expand() {
        List<int[]> pairs = pairs();
        require(!pairs.isEmpty(), "the only pairs are of a host with itself; name others");
        int count = entry.count() > 0 ? entry.count() : pairs.size();
        List<FlowPlan> flows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int[] pair = pairs.get(i % pairs.size());
            require(pair[0] != pair[1], "flow " + (i + 1) + " would go from a host to itself; change the lists");
            long startNanos = starts.next();
            FlowPlan.Schedule schedule =
                    new FlowPlan.Schedule(startNanos, stops.next(), entry.onNanos(), entry.offNanos());
            String id = entry.id() + "-" + (i + 1);
            flows.add(new FlowPlan(id, pair[0], pair[1], entry.bytes(), schedule, entry.protocol()));
        }
        return flows;
    }

    private List<int[]> pairs() {
        List<int[]> pairs = new ArrayList<>();
        switch (entry.pairing()) {
            case ZIP -> {
                for (int i = 0; i < Math.max(from.length, to.length); i++) {
                    pairs.add(new int[] {from[i % from.length], to[i % to.length]});
                }
            }
            case ALL -> addAll(pairs);
            case RANDOM -> {
                RandomPairs random = new RandomPairs(entry.id(), from, to, pairRandom);
                for (int i = 0; i < entry.count(); i++) {
                    pairs.add(random.next());
                }
            }
        }
        return pairs;
    }

    private void addAll(List<int[]> pairs) {
        for (int source : from) {
            for (int destination : to) {
                if (source != destination) {
                    pairs.add(new int[] {source, destination});
                }
            }
        }
    }
}
