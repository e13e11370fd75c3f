package io.weir.cli.scenario;

import io.weir.cli.unit.Rates;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Traffic of the kinds shuffle, exchange and messages. */
final class MessageBlocks {
    /** The keys of a shuffle, besides those of all traffic. */
    static final List<String> SHUFFLE_KEYS = List.of("hosts", "tasksPerHost", "size", "start");

    /** The keys of an exchange, besides those of all traffic. */
    static final List<String> EXCHANGE_KEYS =
            List.of("client", "servers", "perServer", "request", "response", "rounds", "start", "gap");

    /** The keys of messages, besides those of all traffic. */
    static final List<String> MESSAGES_KEYS =
            List.of("from", "to", "size", "rate", "arrivals", "lead", "start", "until", "count");

    private static final long LEAD_NANOS = 1_000_000;
    private static final int TASKS_MAX = 1_000;
    private static final int CONNECTIONS_MAX = 65_536;

    private MessageBlocks() {}

    static Traffic shuffle(
            YamlMap map, YamlValue place, TrafficBlock.Surroundings around, String id, ProtocolConfig protocol) {
        List<String> hosts =
                map.get("hosts", around.hosts()::read, around.hosts().all());
        if (new HashSet<>(hosts).size() < 2) {
            throw map.require("hosts").refused("a shuffle needs two hosts or more; name another");
        }
        Times start = map.get("start", TimeBlock::read, Times.ZERO);
        map.find("start").ifPresent(value -> around.requireBeforeEnd(value, start.atNanos()));
        int tasksPerHost = map.get("tasksPerHost", value -> (int) value.integer(1, TASKS_MAX), 1);
        long tasks = (long) tasksPerHost * hosts.size();
        FlowsBlock.requireCount(map.find("tasksPerHost").orElse(place), tasks * (tasks - tasksPerHost));
        return new Traffic.Shuffle(id, hosts, tasksPerHost, TrafficBlock.bytes(map.require("size")), start, protocol);
    }

    static Traffic exchange(YamlMap map, TrafficBlock.Surroundings around, String id, ProtocolConfig protocol) {
        String client = around.hosts().readOne(map.require("client"));
        long startNanos = map.get("start", TimeBlock::duration, 0L);
        map.find("start").ifPresent(value -> around.requireBeforeEnd(value, startNanos));
        return new Traffic.Exchange(
                id,
                client,
                servers(map, around, client),
                TrafficBlock.bytes(map.require("request")),
                TrafficBlock.bytes(map.require("response")),
                map.get("rounds", value -> (int) value.integer(1, Integer.MAX_VALUE), 1),
                startNanos,
                map.get("gap", TimeBlock::duration, 0L),
                protocol);
    }

    private static List<String> servers(YamlMap map, TrafficBlock.Surroundings around, String client) {
        YamlValue value = map.require("servers");
        List<String> hosts = new ArrayList<>(around.hosts().read(value));
        boolean isAll = value.isScalar() && value.text().equals(NodeNames.ALL);
        if (isAll) {
            hosts.remove(client);
        }
        if (hosts.contains(client) || hosts.isEmpty()) {
            throw value.refused("\"" + client + "\" would ask itself; name other hosts than the client");
        }
        int perServer = map.get("perServer", times -> (int) times.integer(1, CONNECTIONS_MAX), 1);
        if ((long) perServer * hosts.size() > CONNECTIONS_MAX) {
            throw value.refused(hosts.size() + " hosts with " + perServer + " connections each are more than "
                    + CONNECTIONS_MAX + " connections; name fewer");
        }
        List<String> servers = new ArrayList<>();
        for (int i = 0; i < perServer; i++) {
            servers.addAll(hosts);
        }
        return servers;
    }

    static Traffic messages(
            YamlMap map, YamlValue place, TrafficBlock.Surroundings around, String id, ProtocolConfig protocol) {
        List<String> from = around.hosts().read(map.require("from"));
        List<String> to = around.hosts().read(map.require("to"));
        requireOthers(map, from, to);
        long leadNanos = map.get("lead", TimeBlock::duration, LEAD_NANOS);
        long startNanos = map.get("start", TimeBlock::duration, LEAD_NANOS);
        around.requireBeforeEnd(map.find("start").orElse(place), startNanos);
        long untilNanos = map.get("until", TimeBlock::positive, around.durationNanos());
        if (untilNanos <= startNanos) {
            throw map.require("until").refused("the messages end before they begin; make it later than start");
        }
        return new Traffic.Messages(
                id,
                from,
                to,
                TrafficBlock.bytes(map.require("size")),
                map.require("rate").parse(Rates::parse),
                map.get("arrivals", value -> value.choice(List.of(false, true), MessageBlocks::arrivals), false),
                leadNanos,
                startNanos,
                untilNanos,
                map.get("count", value -> (int) value.integer(1, FlowsBlock.COUNT_MAX), FlowsBlock.COUNT_MAX),
                protocol);
    }

    private static String arrivals(boolean isRandom) {
        return isRandom ? "poisson" : "even";
    }

    private static void requireOthers(YamlMap map, List<String> from, List<String> to) {
        for (int i = 0; i < Math.max(from.size(), to.size()); i++) {
            String source = from.get(i % from.size());
            if (source.equals(to.get(i % to.size()))) {
                throw map.require("to").refused("\"" + source + "\" would send to itself; name other hosts");
            }
        }
    }
}
