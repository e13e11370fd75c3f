package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Pairing;
import io.weir.transport.scenario.Traffic.Times;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Traffic of kind flows: between pairs of hosts, one connection each. */
final class FlowsBlock {
    /** Its keys, besides those of all traffic. */
    static final List<String> KEYS = List.of("from", "to", "pairing", "count", "start", "stop", "size", "on", "off");

    /** The word that stands for a flow without an end. */
    static final String UNLIMITED = "unlimited";

    static final int COUNT_MAX = 1_000_000;

    private final YamlMap map;
    private final YamlValue place;
    private final TrafficBlock.Surroundings around;

    FlowsBlock(YamlMap map, YamlValue place, TrafficBlock.Surroundings around) {
        this.map = map;
        this.place = place;
        this.around = around;
    }

    Traffic read(String id, ProtocolConfig protocol) {
        List<String> from = around.hosts().read(map.require("from"));
        List<String> to = around.hosts().read(map.require("to"));
        Pairing pairing = map.get(
                "pairing",
                value -> value.choice(
                        List.of(Pairing.values()), choice -> choice.name().toLowerCase(Locale.ROOT)),
                Pairing.ZIP);
        int count = map.get("count", value -> (int) value.integer(1, COUNT_MAX), 0);
        requirePairs(from, to, pairing, count);
        Times start = map.get("start", TimeBlock::read, Times.ZERO);
        map.find("start").ifPresent(value -> around.requireBeforeEnd(value, start.atNanos()));
        Times stop = map.get("stop", TimeBlock::read, Times.NEVER);
        if (stop.atNanos() <= start.atNanos()) {
            throw map.require("stop").refused("the flows stop before they start; make it later than start");
        }
        requireBoth("on", "off");
        return new Traffic.Flows(
                id,
                from,
                to,
                pairing,
                count,
                start,
                stop,
                map.get("size", FlowsBlock::size, Traffic.UNLIMITED_BYTES),
                map.get("on", TimeBlock::positive, 0L),
                map.get("off", TimeBlock::positive, 0L),
                protocol);
    }

    private static long size(YamlValue value) {
        return value.text().equals(UNLIMITED) ? Traffic.UNLIMITED_BYTES : TrafficBlock.bytes(value);
    }

    private void requireBoth(String first, String second) {
        if (map.find(first).isPresent() != map.find(second).isPresent()) {
            String present = map.find(first).isPresent() ? first : second;
            throw map.require(present).refused("means nothing alone; give both on and off, as in on: 1ms and off: 4ms");
        }
    }

    private void requirePairs(List<String> from, List<String> to, Pairing pairing, int count) {
        if (pairing == Pairing.RANDOM && count == 0) {
            throw place.refused("the key \"count\" is missing; say how many random pairs");
        }
        if (pairing != Pairing.ZIP) {
            requireTwoHosts(place, from, to);
            return;
        }
        int pairs = count > 0 ? count : Math.max(from.size(), to.size());
        for (int i = 0; i < pairs; i++) {
            String source = from.get(i % from.size());
            if (source.equals(to.get(i % to.size()))) {
                throw map.require("to")
                        .refused("flow " + (i + 1) + " would go from \"" + source + "\" to itself; name other hosts, or"
                                + " pairing: all or random, which leave such pairs out");
            }
        }
    }

    /** Refuses two lists that have only one and the same host. */
    static void requireTwoHosts(YamlValue place, List<String> from, List<String> to) {
        Set<String> sources = Set.copyOf(from);
        if (sources.size() == 1 && sources.equals(Set.copyOf(to))) {
            throw place.refused(
                    "flows would go from \"" + from.get(0) + "\" to itself; name another host in from or in to");
        }
    }
}
