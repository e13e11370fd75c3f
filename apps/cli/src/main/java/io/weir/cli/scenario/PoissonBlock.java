package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Traffic of kind poisson: flows that arrive at random between random hosts, with random sizes. */
final class PoissonBlock {
    /** Its keys, besides those of all traffic. */
    static final List<String> KEYS = List.of("from", "to", "sizes", "load", "loadOf", "start", "until", "count");

    /** The words for what a load is a share of. */
    static final List<String> CAPACITIES = List.of("hosts", "uplinks");

    private final YamlMap map;
    private final YamlValue place;
    private final TrafficBlock.Surroundings around;

    PoissonBlock(YamlMap map, YamlValue place, TrafficBlock.Surroundings around) {
        this.map = map;
        this.place = place;
        this.around = around;
    }

    Traffic read(String id, ProtocolConfig protocol) {
        List<String> from = map.get("from", around.hosts()::read, around.hosts().all());
        List<String> to = map.get("to", around.hosts()::read, around.hosts().all());
        FlowsBlock.requireTwoHosts(place, from, to);
        long startNanos = map.get("start", TimeBlock::duration, 0L);
        map.find("start").ifPresent(value -> around.requireBeforeEnd(value, startNanos));
        long untilNanos = map.get("until", TimeBlock::positive, around.durationNanos());
        if (untilNanos <= startNanos) {
            throw map.require("until").refused("the arrivals end before they begin; make it later than start");
        }
        return new Traffic.Poisson(
                id,
                from,
                to,
                around.sizes().read(map.require("sizes")),
                load(map.require("load")),
                capacityBps(from),
                startNanos,
                untilNanos,
                map.get("count", value -> (int) value.integer(1, FlowsBlock.COUNT_MAX), FlowsBlock.COUNT_MAX),
                protocol);
    }

    private static double load(YamlValue value) {
        double load = value.parse(Fractions::parse);
        if (load == 0) {
            throw value.refused("\"" + value.text() + "\" brings no flow at all; write more than 0");
        }
        return load;
    }

    private long capacityBps(List<String> from) {
        YamlValue value = map.find("loadOf").orElse(place);
        String text = map.get("loadOf", YamlValue::text, CAPACITIES.get(0));
        Wiring wiring = new Wiring(around.network());
        Set<Integer> senders = new LinkedHashSet<>();
        from.forEach(name -> senders.add(wiring.node(name)));
        if (text.equals(CAPACITIES.get(0))) {
            return senders.stream()
                    .mapToLong(host -> wiring.hostLink(host).rateBps())
                    .sum();
        }
        if (!text.equals(CAPACITIES.get(1))) {
            return value.parse(PoissonBlock::rate);
        }
        long capacityBps = uplinksBps(wiring, senders);
        if (capacityBps == 0) {
            throw value.refused("no switch of the sending hosts has a link to another switch; write hosts or a rate");
        }
        return capacityBps;
    }

    private static long rate(String text) {
        if (!text.isEmpty() && Character.isLetter(text.charAt(0))) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no capacity; write " + String.join(", ", CAPACITIES) + " or a rate");
        }
        return Rates.parse(text);
    }

    /** {@return the sum of the links that lead from the hosts' own switches to other switches} */
    private static long uplinksBps(Wiring wiring, Set<Integer> hosts) {
        Set<Integer> switches = new LinkedHashSet<>();
        hosts.forEach(host -> wiring.ports(host).forEach(port -> switches.add(port.peer())));
        return switches.stream()
                .filter(node -> !wiring.isHost(node))
                .flatMap(node -> wiring.ports(node).stream())
                .filter(port -> !wiring.isHost(port.peer()))
                .mapToLong(port -> wiring.link(port).rateBps())
                .sum();
    }
}
