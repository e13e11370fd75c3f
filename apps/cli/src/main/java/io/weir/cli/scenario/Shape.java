package io.weir.cli.scenario;

import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The networks that a few numbers describe: what numbers they need, and which layers of links they have. */
enum Shape {
    /** Hosts around one switch. */
    STAR(List.of(Shape.EDGE), "hosts"),
    /** Pairs of hosts at both ends of one link. */
    DUMBBELL(List.of(Shape.EDGE, "trunk"), "pairs"),
    /** Bottlenecks in a line, each with one more flow. */
    PARKING_LOT(List.of(Shape.EDGE, "trunk"), "bottlenecks"),
    /** Two bottlenecks in a line: many flows cross both, one the second alone. */
    MULTI_BOTTLENECK(List.of(Shape.EDGE, "trunk"), "flows"),
    /** Every leaf switch has a link to every spine switch. */
    LEAF_SPINE(List.of(Shape.EDGE, "fabric"), "leaves", "spines", "hostsPerLeaf"),
    /** A three-tier Clos network of any widths. */
    CLOS(List.of(Shape.EDGE, "rack", "core"), "pods", "torsPerPod", "aggrsPerPod", "cores", "hostsPerTor"),
    /** The fat tree of switches with k ports. */
    FAT_TREE(List.of(Shape.EDGE, "rack", "core"), "ports", Shape.OVER_SUBSCRIPTION);

    /** The layer of the hosts' links, the first of every shape. */
    static final String EDGE = "edge";

    /** The one number that may be left out. */
    static final String OVER_SUBSCRIPTION = "overSubscription";

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> layers;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> counts;

    Shape(List<String> layers, String... counts) {
        this.layers = layers;
        this.counts = List.of(counts);
    }

    /** {@return the name in files} */
    String keyword() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return the numbers that it needs} */
    List<String> counts() {
        return counts;
    }

    /** {@return its layers of links, the hosts' first} */
    List<String> layers() {
        return layers;
    }

    /** {@return a number of the file, in the order of {@link #counts}} */
    private int count(Map<String, Integer> values, int index) {
        return values.get(counts.get(index));
    }

    /** {@return how many hosts it has} */
    long hostCount(Map<String, Integer> values) {
        long first = count(values, 0);
        return switch (this) {
            case STAR -> first;
            case DUMBBELL -> 2 * first;
            case PARKING_LOT, MULTI_BOTTLENECK -> 2 * first + 2;
            case LEAF_SPINE -> first * count(values, 2);
            case CLOS -> first * count(values, 1) * count(values, 4);
            case FAT_TREE -> 2 * cube(first / 2) * count(values, 1);
        };
    }

    /** {@return how many links between switches it has} */
    long trunkCount(Map<String, Integer> values) {
        long first = count(values, 0);
        return switch (this) {
            case STAR -> 0;
            case DUMBBELL -> 1;
            case PARKING_LOT -> first;
            case MULTI_BOTTLENECK -> 2;
            case LEAF_SPINE -> first * count(values, 1);
            case CLOS -> first * ((long) count(values, 1) * count(values, 2) + count(values, 3));
            case FAT_TREE -> 4 * cube(first / 2);
        };
    }

    private static long cube(long value) {
        return value * value * value;
    }

    /** {@return the network} */
    Network build(Map<String, Integer> values, HostSpec host, List<LinkTemplate> links) {
        LinkTemplate edge = links.get(0);
        int first = count(values, 0);
        return switch (this) {
            case STAR -> Lines.star(first, host, edge);
            case DUMBBELL -> Lines.dumbbell(first, host, edge, links.get(1));
            case PARKING_LOT -> Lines.parkingLot(first, host, edge, links.get(1));
            case MULTI_BOTTLENECK -> Lines.multiBottleneck(first, host, edge, links.get(1));
            case LEAF_SPINE -> Trees.leafSpine(first, count(values, 1), count(values, 2), host, edge, links.get(1));
            case CLOS -> Trees.clos(clos(values), host, edge, links.get(1), links.get(2));
            case FAT_TREE ->
                Trees.clos(ClosShape.fatTree(first, count(values, 1)), host, edge, links.get(1), links.get(2));
        };
    }

    private ClosShape clos(Map<String, Integer> values) {
        return ClosShape.builder()
                .pods(count(values, 0))
                .torsPerPod(count(values, 1))
                .aggrsPerPod(count(values, 2))
                .cores(count(values, 3))
                .hostsPerTor(count(values, 4))
                .build();
    }
}
