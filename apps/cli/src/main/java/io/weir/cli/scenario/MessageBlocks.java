package io.weir.cli.scenario;

import io.weir.cli.scenario.TrafficBlock.Entry;
import io.weir.cli.unit.Rates;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Traffic of the kinds shuffle, exchange, messages and calls. */
final class MessageBlocks {
    /** The keys of a shuffle, besides those of all traffic. */
    static final List<String> SHUFFLE_KEYS = List.of("hosts", "tasksPerHost", "size", "start");

    /** The keys of an exchange, besides those of all traffic. */
    static final List<String> EXCHANGE_KEYS =
            List.of("client", "servers", "perServer", "request", "response", "rounds", "start", "gap");

    /** The keys of messages, besides those of all traffic. */
    static final List<String> MESSAGES_KEYS =
            List.of("from", "to", "size", "rate", "arrivals", "lead", "start", "until", "count");

    /** The keys of calls, besides those of all traffic. */
    static final List<String> CALLS_KEYS = List.of(
            "from", "to", "connections", "outstanding", "request", "response", "rounds", "lead", "start", "gap");

    private static final int OUTSTANDING_MAX = 65_536;
    private static final long LEAD_NANOS = 1_000_000;
    private static final int TASKS_MAX = 1_000;
    private static final int CONNECTIONS_MAX = 65_536;

    private MessageBlocks() {}

    static Traffic shuffle(Entry entry) {
        List<String> hosts = entry.hostsOrAll("hosts");
        if (new HashSet<>(hosts).size() < 2) {
            throw entry.map().require("hosts").refused("a shuffle needs two hosts or more; name another");
        }
        Times start = entry.starts();
        int tasksPerHost = entry.count("tasksPerHost", TASKS_MAX, 1);
        long tasks = (long) tasksPerHost * hosts.size();
        Entry.requireCount(entry.map().find("tasksPerHost").orElse(entry.place()), tasks * (tasks - tasksPerHost));
        return new Traffic.Shuffle(entry.id(), hosts, tasksPerHost, entry.bytes("size"), start, entry.protocol());
    }

    static Traffic exchange(Entry entry) {
        String client = entry.around().hosts().readOne(entry.map().require("client"));
        long startNanos = entry.startNanos(0);
        return Traffic.Exchange.of(entry.id(), client, servers(entry, client), entry.protocol())
                .withBytes(entry.bytes("request"), entry.bytes("response"))
                .withRounds(entry.count("rounds", Integer.MAX_VALUE, 1))
                .withStartNanos(startNanos)
                .withGapNanos(entry.map().get("gap", TimeBlock::duration, 0L));
    }

    private static List<String> servers(Entry entry, String client) {
        YamlValue value = entry.map().require("servers");
        List<String> hosts = new ArrayList<>(entry.hosts("servers"));
        boolean isAll = value.isScalar() && value.text().equals(NodeNames.ALL);
        if (isAll) {
            hosts.remove(client);
        }
        if (hosts.contains(client) || hosts.isEmpty()) {
            throw value.refused("\"" + client + "\" would ask itself; name other hosts than the client");
        }
        int perServer = entry.count("perServer", CONNECTIONS_MAX, 1);
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

    static Traffic messages(Entry entry) {
        List<String> from = entry.hosts("from");
        List<String> to = entry.hosts("to");
        requireOthers(entry.map(), from, to);
        long leadNanos = entry.map().get("lead", TimeBlock::duration, LEAD_NANOS);
        long startNanos = entry.startNanos(LEAD_NANOS);
        long untilNanos = entry.untilNanos(startNanos, "messages");
        return Traffic.Messages.of(entry.id(), from, to, entry.protocol())
                .withBytes(entry.bytes("size"))
                .withRate(
                        entry.map().require("rate").parse(Rates::parse),
                        entry.map()
                                .get(
                                        "arrivals",
                                        value -> value.choice(List.of(false, true), MessageBlocks::arrivals),
                                        false))
                .withLeadNanos(leadNanos)
                .withTime(startNanos, untilNanos)
                .withCount(entry.count("count", Entry.COUNT_MAX, Entry.COUNT_MAX));
    }

    static Traffic calls(Entry entry) {
        List<String> from = entry.hosts("from");
        List<String> to = entry.hosts("to");
        requireOthers(entry.map(), from, to);
        int connections = entry.count("connections", CONNECTIONS_MAX, 0);
        Times start = entry.starts(new Times(LEAD_NANOS, 0, 0));
        return Traffic.Calls.of(entry.id(), from, to, entry.protocol())
                .withConnections(connections, entry.count("outstanding", OUTSTANDING_MAX, 1))
                .withBytes(entry.bytes("request"), entry.bytes("response"))
                .withRounds(
                        entry.count("rounds", Integer.MAX_VALUE, 1), entry.map().get("gap", TimeBlock::duration, 0L))
                .withStart(entry.map().get("lead", TimeBlock::duration, LEAD_NANOS), start);
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
