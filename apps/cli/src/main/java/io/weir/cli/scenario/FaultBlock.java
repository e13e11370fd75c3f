package io.weir.cli.scenario;

import io.weir.cli.unit.Fractions;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Fault.Direction;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.topology.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The faults list: what goes wrong, by time or by chance. */
final class FaultBlock {
    /** The keys of every kind. */
    static final List<String> KEYS = List.of("kind", "from", "until");

    /** The keys of a burst of loss. */
    static final List<String> BURST_KEYS = List.of("enter", "leave");

    private static final int NEVER_PPM = 0;
    private static final int LEAVE_PPM = 100_000;

    private final TrafficBlock.Surroundings around;
    private final Wiring wiring;

    private FaultBlock(TrafficBlock.Surroundings around) {
        this.around = around;
        this.wiring = new Wiring(around.network());
    }

    /** A kind of fault as files call it. */
    enum Kind {
        /** A link that loses, repeats, delays, reorders or damages frames. */
        BAD_LINK("bad-link"),
        /** A link that carries nothing. */
        LINK_DOWN("link-down"),
        /** A host that does nothing. */
        PAUSE("pause");

        private final String keyword;

        Kind(String keyword) {
            this.keyword = keyword;
        }

        /** {@return what files call it} */
        String keyword() {
            return keyword;
        }

        /** {@return the keys that it has, besides those of every kind} */
        List<String> ownKeys() {
            return switch (this) {
                case BAD_LINK ->
                    List.of(
                            "link",
                            "direction",
                            "loss",
                            "burst",
                            "duplicate",
                            "reorder",
                            "reorderBy",
                            "corrupt",
                            "delay");
                case LINK_DOWN -> List.of("link", "direction", "for", "every");
                case PAUSE -> List.of("host", "for", "every");
            };
        }

        /** {@return all keys that it may have} */
        List<String> keys() {
            List<String> all = new ArrayList<>(KEYS);
            all.addAll(ownKeys());
            return all;
        }
    }

    /** The direction of affected frames, as files call it: as the fault names the link's ends. */
    enum Way {
        /** Both ways. */
        BOTH,
        /** From the first end to the second. */
        FORWARD,
        /** From the second end to the first. */
        BACKWARD;

        /** {@return what files call it} */
        String keyword() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Direction of(boolean isLeftFirst) {
            if (this == BOTH) {
                return Direction.BOTH;
            }
            return (this == FORWARD) == isLeftFirst ? Direction.LEFT_TO_RIGHT : Direction.RIGHT_TO_LEFT;
        }
    }

    /** {@return what the list describes} */
    static List<Fault> read(YamlValue value, TrafficBlock.Surroundings around) {
        FaultBlock block = new FaultBlock(around);
        List<Fault> faults = new ArrayList<>();
        value.list().forEach(element -> block.add(element, faults));
        return faults;
    }

    private void add(YamlValue place, List<Fault> faults) {
        YamlMap map = place.map();
        Kind kind = map.require("kind").choice(List.of(Kind.values()), Kind::keyword);
        map.allowOnly(kind.keys());
        long fromNanos = map.get("from", TimeBlock::duration, 0L);
        map.find("from").ifPresent(value -> around.requireBeforeEnd(value, fromNanos));
        long untilNanos = map.get("until", TimeBlock::positive, around.durationNanos());
        if (untilNanos <= fromNanos) {
            throw map.require("until").refused("the fault is over before it begins; make it later than from");
        }
        switch (kind) {
            case BAD_LINK -> addBadLinks(map, fromNanos, untilNanos, faults);
            case LINK_DOWN -> addDownLinks(map, fromNanos, untilNanos, faults);
            case PAUSE -> addPauses(map, fromNanos, untilNanos, faults);
        }
    }

    private void addBadLinks(YamlMap map, long fromNanos, long untilNanos, List<Fault> faults) {
        Impairment impairment = impairment(map);
        if (impairment.equals(Impairment.NONE)) {
            throw map.require("kind")
                    .refused("nothing happens to the frames; give loss, burst, duplicate, reorder, corrupt or delay");
        }
        for (Affected link : links(map)) {
            faults.add(new Fault.BadLink(
                    link.spec().left(), link.spec().right(), link.direction(), fromNanos, untilNanos, impairment));
        }
    }

    private void addDownLinks(YamlMap map, long fromNanos, long untilNanos, List<Fault> faults) {
        long downNanos = TimeBlock.positive(map.require("for"));
        long everyNanos = everyNanos(map, downNanos);
        for (Affected link : links(map)) {
            faults.add(Fault.LinkDown.of(link.spec().left(), link.spec().right(), downNanos)
                    .withDirection(link.direction())
                    .withTime(fromNanos, untilNanos)
                    .withEveryNanos(everyNanos));
        }
    }

    private void addPauses(YamlMap map, long fromNanos, long untilNanos, List<Fault> faults) {
        long pauseNanos = TimeBlock.positive(map.require("for"));
        long everyNanos = everyNanos(map, pauseNanos);
        for (String host : around.hosts().read(map.require("host"))) {
            faults.add(Fault.HostPause.of(host, pauseNanos)
                    .withTime(fromNanos, untilNanos)
                    .withEveryNanos(everyNanos));
        }
    }

    private static long everyNanos(YamlMap map, long forNanos) {
        long everyNanos = map.get("every", TimeBlock::positive, 0L);
        if (everyNanos > 0 && everyNanos <= forNanos) {
            throw map.require("every").refused("the next one begins before this one is over; make it longer than for");
        }
        return everyNanos;
    }

    /**
     * A link and the direction that is affected.
     *
     * @param spec the link as the network has it
     * @param direction which way, as the network has it
     */
    private record Affected(LinkSpec spec, Direction direction) {}

    private List<Affected> links(YamlMap map) {
        Way way = map.get("direction", value -> value.choice(List.of(Way.values()), Way::keyword), Way.BOTH);
        NodeNames.LinkSelection ends = NodeNames.LinkSelection.read(
                map.require("link"), named -> named.place().locate(() -> wiring.node(named.name())));
        List<Affected> links = new ArrayList<>();
        for (String first : ends.left()) {
            for (String second : ends.right()) {
                int index = ends.place().locate(() -> wiring.linkBetween(first, second));
                LinkSpec spec = around.network().links().get(index);
                links.add(new Affected(spec, way.of(spec.left().equals(first))));
            }
        }
        return links;
    }

    private static Impairment impairment(YamlMap map) {
        int enterPpm = NEVER_PPM;
        int leavePpm = 1_000_000;
        if (map.find("burst").isPresent()) {
            YamlMap burst = map.require("burst").map();
            burst.allowOnly(BURST_KEYS);
            enterPpm = burst.require("enter").parse(Fractions::parsePpm);
            leavePpm = burst.get("leave", FaultBlock::positive, LEAVE_PPM);
        }
        long reorderNanos = map.get("reorderBy", Amounts::delay, 0L);
        int reorderPpm = ppm(map, "reorder");
        if ((reorderPpm > 0) != (reorderNanos > 0)) {
            throw map.find("reorder")
                    .or(() -> map.find("reorderBy"))
                    .orElseThrow()
                    .refused("means nothing alone; give both, as in reorder: 1% and reorderBy: 20us");
        }
        return Impairment.NONE
                .withLoss(ppm(map, "loss"))
                .withBursts(enterPpm, leavePpm)
                .withDuplicates(ppm(map, "duplicate"))
                .withReordering(reorderPpm, reorderNanos)
                .withCorruption(ppm(map, "corrupt"))
                .withDelayNanos(map.get("delay", Amounts::delay, 0L));
    }

    private static int positive(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm == 0) {
            throw value.refused("\"" + value.text() + "\" lets no burst end; write more than 0");
        }
        return ppm;
    }

    private static int ppm(YamlMap map, String key) {
        return map.get(key, value -> value.parse(Fractions::parsePpm), 0);
    }
}
