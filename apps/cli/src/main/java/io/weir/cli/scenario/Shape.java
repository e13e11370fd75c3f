package io.weir.cli.scenario;

import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import java.util.List;
import java.util.Map;

/** The networks that a few numbers describe: what numbers they need, and which layers of links they have. */
enum Shape {
    /** Hosts around one switch. */
    STAR("star") {
        @Override
        List<String> counts() {
            return List.of("hosts");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return counts.get("hosts");
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            return Lines.star(counts.get("hosts"), host, layers.get(0));
        }
    },
    /** Pairs of hosts at both ends of one link. */
    DUMBBELL("dumbbell") {
        @Override
        List<String> counts() {
            return List.of("pairs");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, TRUNK);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return 2L * counts.get("pairs");
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            return Lines.dumbbell(counts.get("pairs"), host, layers.get(0), layers.get(1));
        }
    },
    /** Bottlenecks in a line, each with a flow of its own. */
    PARKING_LOT("parking-lot") {
        @Override
        List<String> counts() {
            return List.of("bottlenecks");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, TRUNK);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return 2L * counts.get("bottlenecks") + 2;
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            return Lines.parkingLot(counts.get("bottlenecks"), host, layers.get(0), layers.get(1));
        }
    },
    /** Two bottlenecks in a line: many flows cross both, one the second alone. */
    MULTI_BOTTLENECK("multi-bottleneck") {
        @Override
        List<String> counts() {
            return List.of("flows");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, TRUNK);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return 2L * counts.get("flows") + 2;
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            return Lines.multiBottleneck(counts.get("flows"), host, layers.get(0), layers.get(1));
        }
    },
    /** Every leaf switch has a link to every spine switch. */
    LEAF_SPINE("leaf-spine") {
        @Override
        List<String> counts() {
            return List.of("leaves", "spines", "hostsPerLeaf");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, "fabric");
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return (long) counts.get("leaves") * counts.get("hostsPerLeaf");
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            return Trees.leafSpine(
                    counts.get("leaves"),
                    counts.get("spines"),
                    counts.get("hostsPerLeaf"),
                    host,
                    layers.get(0),
                    layers.get(1));
        }
    },
    /** A three-tier Clos network of any widths. */
    CLOS("clos") {
        @Override
        List<String> counts() {
            return List.of("pods", "torsPerPod", "aggrsPerPod", "cores", "hostsPerTor");
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, RACK, CORE);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            return (long) counts.get("pods") * counts.get("torsPerPod") * counts.get("hostsPerTor");
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            ClosShape shape = new ClosShape(
                    counts.get("pods"),
                    counts.get("torsPerPod"),
                    counts.get("aggrsPerPod"),
                    counts.get("cores"),
                    counts.get("hostsPerTor"));
            return Trees.clos(shape, host, layers.get(0), layers.get(1), layers.get(2));
        }
    },
    /** The fat tree of switches with k ports. */
    FAT_TREE("fat-tree") {
        @Override
        List<String> counts() {
            return List.of("ports", OVER_SUBSCRIPTION);
        }

        @Override
        List<String> layers() {
            return List.of(EDGE, RACK, CORE);
        }

        @Override
        long hostCount(Map<String, Integer> counts) {
            long half = counts.get("ports") / 2;
            return 2 * half * half * half * counts.get(OVER_SUBSCRIPTION);
        }

        @Override
        Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers) {
            ClosShape shape = ClosShape.fatTree(counts.get("ports"), counts.get(OVER_SUBSCRIPTION));
            return Trees.clos(shape, host, layers.get(0), layers.get(1), layers.get(2));
        }
    };

    /** The layer of the hosts' links, the first of every shape. */
    static final String EDGE = "edge";

    /** The one number that may be left out. */
    static final String OVER_SUBSCRIPTION = "overSubscription";

    private static final String TRUNK = "trunk";
    private static final String RACK = "rack";
    private static final String CORE = "core";

    private final String word;

    Shape(String word) {
        this.word = word;
    }

    /** {@return what files call it} */
    String word() {
        return word;
    }

    /** {@return the numbers that it needs} */
    abstract List<String> counts();

    /** {@return its layers of links, the hosts' first} */
    abstract List<String> layers();

    /** {@return how many hosts it has} */
    abstract long hostCount(Map<String, Integer> counts);

    /** {@return the network} */
    abstract Network build(Map<String, Integer> counts, HostSpec host, List<LinkTemplate> layers);
}
