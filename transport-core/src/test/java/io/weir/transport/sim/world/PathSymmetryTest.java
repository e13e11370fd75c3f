package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimPort;
import io.weir.transport.testing.Scenarios;
import io.weir.transport.wire.FlowFields;
import io.weir.transport.wire.TrafficClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Credits and data of a flow take the same links in opposite directions (ExpressPass section 3.1), and the flows of a
 * network take all its links, seen in the frames of many random flows.
 */
class PathSymmetryTest {
    private static final HostSpec HOST = HostSpec.named("");
    private static final LinkTemplate LINK = new LinkTemplate(10_000_000_000L, 1_000);
    private static final int FLOWS = 2_000;

    private final FlowFields fields = new FlowFields();
    private final Map<String, Map<TrafficClass, Set<String>>> linksOfFlows = new LinkedHashMap<>();
    private final Map<String, Integer> flowsOfLinks = new TreeMap<>();

    static Stream<Network> networks() {
        return Stream.of(
                Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK),
                Trees.clos(ClosShape.fatTree(6, 2), HOST, LINK, LINK, LINK),
                Trees.expressPass(HOST, LINK),
                Trees.leafSpine(4, 3, 4, HOST, LINK, LINK),
                parallelTrunks());
    }

    /** Two switches with three links between them. */
    private static Network parallelTrunks() {
        Network one = Lines.dumbbell(4, HOST, LINK, LINK);
        List<LinkSpec> links = new ArrayList<>(one.links());
        links.add(LINK.between("left", "right"));
        // Which end is called the left one makes no difference.
        links.add(LINK.between("right", "left"));
        return new Network(one.hosts(), one.switches(), links, Network.Multipath.ECMP);
    }

    private void run(Network network) {
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        Traffic flows = Traffic.Flows.of("f", names, names, ExpressPass.weir())
                .withPairing(Traffic.Pairing.RANDOM)
                .withCount(FLOWS)
                .withStart(new Traffic.Times(0, 2_000, 2_000))
                .withBytes(3_000);
        Scenario scenario = new Scenarios(network).with(flows).untilDone(1_000_000_000L);
        try (Simulation simulation = new Simulation(scenario, () -> 0)) {
            simulation.world().simulator().setTrace((link, frame, now) -> {
                fields.read(frame.buffer(), frame.offset(), frame.length());
                String flow = Math.min(fields.source(), fields.destination()) + " "
                        + Math.max(fields.source(), fields.destination());
                TrafficClass type = TrafficClass.of(frame.buffer(), frame.offset(), frame.length());
                linksOfFlows
                        .computeIfAbsent(flow, key -> new TreeMap<>())
                        .computeIfAbsent(type, key -> new HashSet<>())
                        .add(nameOf(link));
            });
            ScenarioResult result = simulation.run(Simulation.Progress.UNWATCHED);
            result.flows().forEach(flow -> assertEquals(3_000, flow.bytes(), flow.toString()));
        }
        linksOfFlows.values().forEach(byType -> byType.get(TrafficClass.DATA)
                .forEach(link -> flowsOfLinks.merge(link, 1, Integer::sum)));
    }

    private static String nameOf(SimLink link) {
        String from = name(link.from());
        String to = name(link.to());
        return from.compareTo(to) < 0 ? from + " " + to : to + " " + from;
    }

    private static String name(SimPort port) {
        return port.node().name() + ":" + port.index();
    }

    @ParameterizedTest
    @MethodSource("networks")
    void creditsAndData_ofRandomFlows_takeTheSameLinks(Network network) {
        run(network);
        assertEquals(FLOWS, linksOfFlows.size());
        linksOfFlows.forEach((flow, byType) -> {
            assertEquals(byType.get(TrafficClass.DATA), byType.get(TrafficClass.CREDIT));
            // Handshake, requests and acknowledgements as well: no class of frames takes its own link.
            byType.values().forEach(links -> assertEquals(byType.get(TrafficClass.DATA), links));
        });
    }

    @ParameterizedTest
    @MethodSource("networks")
    void flows_ofRandomHosts_spreadOverTheLinksOfALayer(Network network) {
        run(network);
        Map<String, List<Integer>> byLayer = new TreeMap<>();
        for (LinkSpec link : network.links()) {
            if (!link.left().startsWith("h")) {
                byLayer.computeIfAbsent(layerOf(link), key -> new ArrayList<>());
            }
        }
        flowsOfLinks.forEach((link, flows) -> {
            String layer = link.replaceAll("[0-9:]+", "");
            if (byLayer.containsKey(layer)) {
                byLayer.get(layer).add(flows);
            }
        });
        for (LinkSpec link : network.links()) {
            if (byLayer.containsKey(layerOf(link))) {
                List<Integer> counts = byLayer.get(layerOf(link));
                double mean =
                        counts.stream().mapToInt(Integer::intValue).average().orElseThrow();
                assertEquals(
                        network.links().stream()
                                .filter(other -> layerOf(other).equals(layerOf(link)))
                                .count(),
                        counts.size(),
                        "links that carry flows, of those of " + layerOf(link));
                // Five standard deviations of a uniform choice.
                counts.forEach(count ->
                        assertTrue(Math.abs(count - mean) < 5 * Math.sqrt(mean), layerOf(link) + " carry " + counts));
            }
        }
    }

    private static String layerOf(LinkSpec link) {
        String left = link.left().replaceAll("[0-9]+", "");
        String right = link.right().replaceAll("[0-9]+", "");
        return left.compareTo(right) < 0 ? left + " " + right : right + " " + left;
    }

    @Test
    void spray_onEqualPaths_usesAllForOneFlow() {
        Network network = Trees.leafSpine(2, 4, 1, HOST, LINK, LINK).withMultipath(Network.Multipath.SPRAY);
        Scenario scenario =
                new Scenarios(network).flows("f", ExpressPass.weir(), 1_000_000).untilDone(100_000_000L);
        try (Simulation simulation = new Simulation(scenario, () -> 0)) {
            ScenarioResult result = simulation.run(Simulation.Progress.UNWATCHED);
            assertEquals(1_000_000, result.flows().get(0).bytes());
            result.ports().stream()
                    .filter(port -> port.node().equals("leaf1") && port.port().startsWith("spine"))
                    .forEach(port -> assertTrue(port.utilization() > 0.05, port.toString()));
        }
    }
}
