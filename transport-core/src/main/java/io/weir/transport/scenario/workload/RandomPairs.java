package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import java.util.stream.IntStream;

/** Pairs of hosts, drawn uniformly; a host is never paired with itself. */
final class RandomPairs {
    private final int[] from;
    private final int[] to;
    private final SeededRandom random;

    RandomPairs(String id, int[] from, int[] to, SeededRandom random) {
        this.from = from;
        this.to = to;
        this.random = random;
        for (int source : from) {
            if (IntStream.of(to).allMatch(destination -> destination == source)) {
                throw new ConfigException(
                        "traffic '" + id + "': a sending host has nobody to send to but itself; add hosts to 'to'");
            }
        }
    }

    int[] next() {
        int source = from[random.nextInt(from.length)];
        int destination = to[random.nextInt(to.length)];
        while (destination == source) {
            destination = to[random.nextInt(to.length)];
        }
        return new int[] {source, destination};
    }
}
