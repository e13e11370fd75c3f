package io.weir.cli.scenario;

import io.weir.cli.scenario.TrafficBlock.Entry;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Pairing;
import io.weir.transport.scenario.Traffic.Times;
import java.util.List;
import java.util.Locale;

/** Traffic of kind flows: between pairs of hosts, one connection each. */
final class FlowsBlock {
    /** Its keys, besides those of all traffic. */
    static final List<String> KEYS = List.of("from", "to", "pairing", "count", "start", "stop", "size", "on", "off");

    /** The word that stands for a flow without an end. */
    static final String UNLIMITED = "unlimited";

    private FlowsBlock() {}

    static Traffic read(Entry entry) {
        YamlMap map = entry.map();
        List<String> from = entry.hosts("from");
        List<String> to = entry.hosts("to");
        Pairing pairing = map.get(
                "pairing",
                value -> value.choice(
                        List.of(Pairing.values()), choice -> choice.name().toLowerCase(Locale.ROOT)),
                Pairing.ZIP);
        int count = entry.count("count", Entry.COUNT_MAX, 0);
        requirePairs(entry, from, to, pairing, count);
        Times start = entry.starts();
        Times stop = map.get("stop", TimeBlock::read, Times.NEVER);
        if (stop.atNanos() <= start.atNanos()) {
            throw map.require("stop").refused("the flows stop before they start; make it later than start");
        }
        requireBoth(map, "on", "off");
        return Traffic.Flows.of(entry.id(), from, to, entry.protocol())
                .withPairing(pairing)
                .withCount(count)
                .withStart(start)
                .withStop(stop)
                .withBytes(map.get("size", FlowsBlock::size, Traffic.UNLIMITED_BYTES))
                .withPauses(map.get("on", TimeBlock::positive, 0L), map.get("off", TimeBlock::positive, 0L));
    }

    private static long size(YamlValue value) {
        return value.text().equals(UNLIMITED) ? Traffic.UNLIMITED_BYTES : TrafficBlock.bytes(value);
    }

    private static void requireBoth(YamlMap map, String first, String second) {
        if (map.find(first).isPresent() != map.find(second).isPresent()) {
            String present = map.find(first).isPresent() ? first : second;
            throw map.require(present).refused("means nothing alone; give both on and off, as in on: 1ms and off: 4ms");
        }
    }

    private static void requirePairs(Entry entry, List<String> from, List<String> to, Pairing pairing, int count) {
        if (pairing == Pairing.RANDOM && count == 0) {
            throw entry.place().refused("the key \"count\" is missing; say how many random pairs");
        }
        if (pairing != Pairing.ZIP) {
            entry.requireTwoHosts(from, to);
            Entry.requireCount(entry.place(), pairing == Pairing.ALL ? (long) from.size() * to.size() : count);
            return;
        }
        int pairs = count > 0 ? count : Math.max(from.size(), to.size());
        for (int i = 0; i < pairs; i++) {
            String source = from.get(i % from.size());
            if (source.equals(to.get(i % to.size()))) {
                throw entry.map()
                        .require("to")
                        .refused("flow " + (i + 1) + " would go from \"" + source + "\" to itself; name other hosts, or"
                                + " pairing: all or random, which leave such pairs out");
            }
        }
    }
}
