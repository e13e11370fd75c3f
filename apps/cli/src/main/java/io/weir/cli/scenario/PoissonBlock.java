package io.weir.cli.scenario;

import io.weir.cli.scenario.TrafficBlock.Entry;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.yaml.YamlValue;
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

    private PoissonBlock() {}

    static Traffic read(Entry entry) {
        List<String> from = entry.hostsOrAll("from");
        List<String> to = entry.hostsOrAll("to");
        entry.requireTwoHosts(from, to);
        long startNanos = entry.startNanos(0);
        return Traffic.Poisson.of(
                        entry.id(),
                        from,
                        to,
                        entry.around().files().sizes(entry.map().require("sizes")),
                        entry.protocol())
                .withLoad(load(entry.map().require("load")), capacityBps(entry, from))
                .withTime(startNanos, entry.untilNanos(startNanos, "arrivals"))
                .withCount(entry.count("count", Entry.COUNT_MAX, Entry.COUNT_MAX));
    }

    private static double load(YamlValue value) {
        double load = value.parse(Fractions::parse);
        if (load == 0) {
            throw value.refused("\"" + value.text() + "\" brings no flow at all; write more than 0");
        }
        return load;
    }

    private static long capacityBps(Entry entry, List<String> from) {
        YamlValue value = entry.map().find("loadOf").orElse(entry.place());
        String text = entry.map().get("loadOf", YamlValue::text, CAPACITIES.get(0));
        Wiring wiring = new Wiring(entry.around().network());
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
