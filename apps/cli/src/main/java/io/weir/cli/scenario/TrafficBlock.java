package io.weir.cli.scenario;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The traffic list: what crosses the network. */
final class TrafficBlock {
    /** The keys of every kind. */
    static final List<String> KEYS = List.of("kind", "id", "protocol");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Surroundings around;
    private final Set<String> ids = new HashSet<>();

    private TrafficBlock(Surroundings around) {
        this.around = around;
    }

    /**
     * What the parts of a file need to know of the rest of it.
     *
     * @param network the network
     * @param hosts its hosts, by name
     * @param protocol what schedules flows that say nothing
     * @param durationNanos when the scenario ends
     * @param files where distributions of sizes are found
     */
    record Surroundings(
            Network network, HostSelection hosts, ProtocolConfig protocol, long durationNanos, FolderFiles files) {
        /** Refuses a time at which nothing happens any more. */
        void requireBeforeEnd(YamlValue place, long nanos) {
            if (nanos >= durationNanos) {
                throw place.refused(Durations.print(nanos) + " is not before the end of the scenario, "
                        + Durations.print(durationNanos) + "; make it earlier, or duration longer");
            }
        }
    }

    /**
     * One element of the list, and how its keys are read that several kinds have.
     *
     * @param map its keys
     * @param place where it is written
     * @param around the rest of the file
     * @param id what results call it
     * @param protocol what schedules it
     */
    record Entry(YamlMap map, YamlValue place, Surroundings around, String id, ProtocolConfig protocol) {
        /** The most flows or messages that an element may make. */
        static final int COUNT_MAX = 1_000_000;

        List<String> hosts(String key) {
            return around.hosts().read(map.require(key));
        }

        List<String> hostsOrAll(String key) {
            return map.get(key, around.hosts()::read, around.hosts().all());
        }

        Times starts() {
            return starts(Times.ZERO);
        }

        Times starts(Times usual) {
            Times starts = map.get("start", TimeBlock::read, usual);
            around.requireBeforeEnd(map.find("start").orElse(place), starts.atNanos());
            return starts;
        }

        long startNanos(long usualNanos) {
            long startNanos = map.get("start", TimeBlock::duration, usualNanos);
            around.requireBeforeEnd(map.find("start").orElse(place), startNanos);
            return startNanos;
        }

        /** {@return when no more of {@code what} begins, which is after the start} */
        long untilNanos(long startNanos, String what) {
            long untilNanos = map.get("until", TimeBlock::positive, around.durationNanos());
            if (untilNanos <= startNanos) {
                throw map.require("until").refused("the " + what + " end before they begin; make it later than start");
            }
            return untilNanos;
        }

        int count(String key, int max, int usual) {
            return map.get(key, value -> (int) value.integer(1, max), usual);
        }

        /** {@return a size of something to send: at least a byte, with no limit but the number's} */
        long bytes(String key) {
            return TrafficBlock.bytes(map.require(key));
        }

        /** Refuses more flows than can be had. */
        static void requireCount(YamlValue at, long flows) {
            if (flows > COUNT_MAX) {
                throw at.refused("makes " + flows + " flows; at most " + COUNT_MAX + " can be had");
            }
        }

        /** Refuses two lists that have only one and the same host. */
        void requireTwoHosts(List<String> from, List<String> to) {
            Set<String> sources = Set.copyOf(from);
            if (sources.size() == 1 && sources.equals(Set.copyOf(to))) {
                throw place.refused(
                        "flows would go from \"" + from.get(0) + "\" to itself; name another host in from or in to");
            }
        }
    }

    /** A kind of traffic as files call it. */
    enum Kind {
        /** Flows between pairs of hosts. */
        FLOWS,
        /** Flows that arrive at random. */
        POISSON,
        /** Everyone to everyone. */
        SHUFFLE,
        /** Requests and responses. */
        EXCHANGE,
        /** Messages at a rate. */
        MESSAGES,
        /** Requests and responses of many connections, each by itself. */
        CALLS;

        /** {@return what files call it} */
        String keyword() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** {@return the keys that it has, besides those of every kind} */
        List<String> ownKeys() {
            return switch (this) {
                case FLOWS -> FlowsBlock.KEYS;
                case POISSON -> PoissonBlock.KEYS;
                case SHUFFLE -> MessageBlocks.SHUFFLE_KEYS;
                case EXCHANGE -> MessageBlocks.EXCHANGE_KEYS;
                case MESSAGES -> MessageBlocks.MESSAGES_KEYS;
                case CALLS -> MessageBlocks.CALLS_KEYS;
            };
        }

        /** {@return all keys that it may have} */
        List<String> keys() {
            List<String> all = new ArrayList<>(KEYS);
            all.addAll(ownKeys());
            return all;
        }
    }

    /** {@return what the list describes} */
    static List<Traffic> read(YamlValue value, Surroundings around) {
        TrafficBlock block = new TrafficBlock(around);
        List<Traffic> traffic = new ArrayList<>();
        for (YamlValue element : value.list()) {
            traffic.add(block.readOne(element));
        }
        return traffic;
    }

    private Traffic readOne(YamlValue place) {
        YamlMap map = place.map();
        Kind kind = map.require("kind").choice(List.of(Kind.values()), Kind::keyword);
        map.allowOnly(kind.keys());
        String id = id(map, kind, place);
        ProtocolConfig protocol = map.get("protocol", value -> protocol(kind, value), around.protocol());
        Entry entry = new Entry(map, place, around, id, protocol);
        return switch (kind) {
            case FLOWS -> FlowsBlock.read(entry);
            case POISSON -> PoissonBlock.read(entry);
            case SHUFFLE -> MessageBlocks.shuffle(entry);
            case EXCHANGE -> MessageBlocks.exchange(entry);
            case MESSAGES -> MessageBlocks.messages(entry);
            case CALLS -> MessageBlocks.calls(entry);
        };
    }

    private ProtocolConfig protocol(Kind kind, YamlValue value) {
        if (!KernelTcp.isMeantBy(value)) {
            return ProtocolBlock.read(value, around.protocol());
        }
        if (kind != Kind.FLOWS) {
            throw value.refused("\"" + value.text() + "\" can carry traffic of kind flows only; write kind: flows, or a"
                    + " protocol of Weir's");
        }
        return KernelTcp.read(value);
    }

    private String id(YamlMap map, Kind kind, YamlValue place) {
        String id = map.get("id", TrafficBlock::given, kind.keyword());
        YamlValue at = map.find("id").orElse(place);
        for (int i = 2; map.find("id").isEmpty() && ids.contains(id); i++) {
            id = kind.keyword() + "-" + i;
        }
        if (!ids.add(id)) {
            throw at.refused("\"" + id + "\" is there already; each traffic needs another id");
        }
        return id;
    }

    private static String given(YamlValue value) {
        String id = value.string();
        if (!ID.matcher(id).matches()) {
            throw value.refused("\"" + id + "\" is no id; write letters, digits, - and _, as in long-flows");
        }
        return id;
    }

    static long bytes(YamlValue value) {
        long bytes = value.parse(Sizes::parse);
        if (bytes == 0) {
            throw value.refused("\"" + value.text() + "\" is nothing to send; write a byte or more");
        }
        return bytes;
    }
}
