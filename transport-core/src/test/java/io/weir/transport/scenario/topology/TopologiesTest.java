package io.weir.transport.scenario.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shapes of generated networks. */
class TopologiesTest {
    private static final HostSpec HOST = HostSpec.named("");
    private static final LinkTemplate EDGE = new LinkTemplate(10_000_000_000L, 1_000);
    private static final LinkTemplate TRUNK = new LinkTemplate(40_000_000_000L, 4_000);

    private static List<String> peers(Network network, String node) {
        Wiring wiring = new Wiring(network);
        return wiring.ports(wiring.node(node)).stream()
                .map(port -> wiring.name(port.peer()))
                .toList();
    }

    private static List<String> names(String prefix, int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> prefix + i).toList();
    }

    @Test
    void star_threeHosts_areAroundOneSwitch() {
        Network network = Lines.star(3, HOST, EDGE);
        assertEquals(names("h", 1, 3), peers(network, "switch"));
        assertEquals(3, network.links().size());
    }

    @Test
    void dumbbell_twoPairs_haveOneLinkBetweenThem() {
        Network network = Lines.dumbbell(2, HOST, EDGE, TRUNK);
        assertEquals(List.of("h1", "h2", "right"), peers(network, "left"));
        assertEquals(List.of("h3", "h4", "left"), peers(network, "right"));
        LinkSpec trunk = network.links().get(4);
        assertEquals(40_000_000_000L, trunk.rateBps());
        assertEquals(4_000, trunk.propagationNanos());
    }

    @Test
    void parkingLot_threeBottlenecks_isALineWithHostsAlongIt() {
        Network network = Lines.parkingLot(3, HOST, EDGE, TRUNK);
        assertEquals(8, network.hosts().size());
        assertEquals(List.of("h1", "h2", "sw2"), peers(network, "sw1"));
        assertEquals(List.of("h3", "h6", "sw1", "sw3"), peers(network, "sw2"));
        assertEquals(List.of("h4", "h7", "sw2", "sw4"), peers(network, "sw3"));
        assertEquals(List.of("h5", "h8", "sw3"), peers(network, "sw4"));
    }

    @Test
    void parkingLot_flowsOfItsHalves_crossAllBottlenecksOrOne() {
        Routes routes = new Routes(new Wiring(Lines.parkingLot(3, HOST, EDGE, TRUNK)));
        assertEquals(5, routes.linkCount(0, 4));
        for (int i = 1; i <= 3; i++) {
            assertEquals(3, routes.linkCount(i, 4 + i));
        }
    }

    @Test
    void multiBottleneck_flowsOfItsHalves_crossBothLinksOrTheSecond() {
        Network network = Lines.multiBottleneck(2, HOST, EDGE, TRUNK);
        assertEquals(List.of("h5", "h6", "sw2"), peers(network, "sw1"));
        assertEquals(List.of("h4", "sw1", "sw3"), peers(network, "sw2"));
        assertEquals(List.of("h1", "h2", "h3", "sw2"), peers(network, "sw3"));
        Routes routes = new Routes(new Wiring(network));
        assertEquals(3, routes.linkCount(0, 3));
        assertEquals(4, routes.linkCount(1, 4));
    }

    @Test
    void leafSpine_twoByThree_connectsEachLeafToEachSpine() {
        Network network = Trees.leafSpine(2, 3, 2, HOST, EDGE, TRUNK);
        assertEquals(List.of("h1", "h2", "spine1", "spine2", "spine3"), peers(network, "leaf1"));
        assertEquals(List.of("leaf1", "leaf2"), peers(network, "spine2"));
    }

    @Test
    void expressPass_tree_isWiredAsInThePaper() {
        Network network = Trees.expressPass(HOST, new LinkTemplate(10_000_000_000L, 4_000));
        assertEquals(192, network.hosts().size());
        assertEquals(32 + 16 + 8, network.switches().size());
        for (int tor = 0; tor < 32; tor++) {
            List<String> peers = peers(network, "tor" + (tor + 1));
            assertEquals(names("h", 6 * tor + 1, 6 * tor + 6), peers.subList(0, 6));
            // Counted from 0, switch i of the racks has links to 2 floor(i/4) and the next.
            assertEquals(names("agg", 2 * (tor / 4) + 1, 2 * (tor / 4) + 2), peers.subList(6, 8));
        }
        for (int agg = 0; agg < 16; agg++) {
            List<String> cores = peers(network, "agg" + (agg + 1)).subList(4, 8);
            for (String core : cores) {
                assertEquals(agg % 2, (Integer.parseInt(core.substring(4)) - 1) % 2);
            }
        }
        assertEquals(5_000, network.links().get(0).propagationNanos());
        assertEquals(4_000, network.links().get(network.links().size() - 1).propagationNanos());
        Routes routes = new Routes(new Wiring(network));
        assertEquals(6, routes.linkCount(0, 191));
        assertEquals(4, routes.linkCount(0, 23));
        assertEquals(2, routes.linkCount(0, 5));
    }

    @Test
    void fatTree_ofFourPorts_hasEqualLayersUnlessOverSubscribed() {
        assertEquals(
                ClosShape.builder()
                        .pods(4)
                        .torsPerPod(2)
                        .aggrsPerPod(2)
                        .cores(4)
                        .hostsPerTor(2)
                        .build(),
                ClosShape.fatTree(4, 1));
        assertEquals(
                ClosShape.builder()
                        .pods(4)
                        .torsPerPod(2)
                        .aggrsPerPod(2)
                        .cores(4)
                        .hostsPerTor(6)
                        .build(),
                ClosShape.fatTree(4, 3));
        Network network = Trees.clos(ClosShape.fatTree(4, 1), HOST, EDGE, TRUNK, TRUNK);
        assertEquals(16, network.hosts().size());
        network.switches()
                .forEach(node -> assertEquals(4, peers(network, node.name()).size()));
    }

    @Test
    void shapes_thatCannotBe_areRefused() {
        assertThrows(ConfigException.class, () -> ClosShape.fatTree(5, 1));
        ConfigException uneven = assertThrows(ConfigException.class, () -> ClosShape.builder()
                .pods(2)
                .torsPerPod(2)
                .aggrsPerPod(2)
                .cores(3)
                .hostsPerTor(1)
                .build());
        assertTrue(uneven.getMessage().contains("cores=3 is not a multiple of aggrsPerPod=2"), uneven.getMessage());
        assertThrows(ConfigException.class, () -> Lines.star(0, HOST, EDGE));
        assertThrows(ConfigException.class, () -> Lines.dumbbell(-1, HOST, EDGE, TRUNK));
    }
}
