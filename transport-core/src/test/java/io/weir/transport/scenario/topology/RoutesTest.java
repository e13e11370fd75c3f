package io.weir.transport.scenario.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.SwitchSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shortest paths, and networks that have none. */
class RoutesTest {
    private static final HostSpec HOST = HostSpec.named("");
    private static final LinkTemplate LINK = new LinkTemplate(10_000_000_000L, 1_000);

    private static Network network(String hosts, String switches, String... links) {
        return new Network(
                Stream.of(hosts.split(" ", -1))
                        .filter(name -> !name.isEmpty())
                        .map(HostSpec::named)
                        .toList(),
                Stream.of(switches.split(" ", -1)).map(SwitchSpec::new).toList(),
                Stream.of(links).map(RoutesTest::link).toList(),
                Network.Multipath.ECMP);
    }

    private static LinkSpec link(String text) {
        String[] words = text.split(" ", -1);
        int mtuBytes = words.length > 2 ? Integer.parseInt(words[2]) : 1500;
        return new LinkSpec(words[0], words[1], 1_000_000_000L, 0, mtuBytes, PortSpec.DEFAULT, PortSpec.DEFAULT);
    }

    private static void requireRefusal(String expected, Network network) {
        ConfigException e = assertThrows(ConfigException.class, () -> new Routes(new Wiring(network)));
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    @Test
    void nextPorts_fatTree_areAllUpwardLinksOrTheOneDown() {
        Wiring wiring = new Wiring(Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK));
        Routes routes = new Routes(wiring);
        int tor = wiring.node("tor1");
        assertArrayEquals(new int[] {0}, routes.nextPorts(tor, wiring.host("h1")));
        assertArrayEquals(new int[] {2, 3}, routes.nextPorts(tor, wiring.host("h16")));
        assertArrayEquals(new int[] {0}, routes.nextPorts(wiring.node("agg1"), wiring.host("h1")));
        assertArrayEquals(new int[] {2, 3}, routes.nextPorts(wiring.node("agg1"), wiring.host("h16")));
        assertArrayEquals(new int[] {3}, routes.nextPorts(wiring.node("core1"), wiring.host("h16")));
    }

    @Test
    void layer_ofALink_isTheSameAtBothEnds() {
        Wiring wiring = new Wiring(Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK));
        Routes routes = new Routes(wiring);
        assertEquals(1, routes.layer(wiring.node("tor1"), wiring.host("h16")));
        assertEquals(1, routes.layer(wiring.node("agg8"), wiring.host("h16")));
        assertEquals(2, routes.layer(wiring.node("agg1"), wiring.host("h16")));
        assertEquals(2, routes.layer(wiring.node("core1"), wiring.host("h16")));
    }

    @Test
    void nextPorts_hostBetweenTwoSwitches_isNoWay() {
        requireRefusal("host 'b' has 2 links", network("a b c", "s t", "a s", "b s", "b t", "c t"));
    }

    @Test
    void wiring_namesThatDoNotFit_areRefused() {
        requireRefusal("no host or switch called 'x'; the network has a, b, s", network("a b", "s", "a s", "b x"));
        requireRefusal("two hosts or switches called 'a'", network("a a", "s", "a s"));
        requireRefusal("two hosts or switches called 's'", network("a s", "s", "a s"));
        requireRefusal("from 's' to itself", network("a", "s", "a s", "s s"));
        requireRefusal("has no hosts", network("", "s"));
    }

    @Test
    void wiring_hostWithoutLink_isRefused() {
        requireRefusal("host 'b' has 0 links; a host has exactly 1", network("a b", "s", "a s"));
    }

    @Test
    void routes_networkInTwoParts_isRefused() {
        requireRefusal(
                "no path leads from host 'c' to host 'a'", network("a b c d", "s t", "a s", "b s", "c t", "d t"));
    }

    @Test
    void routes_linkInBetweenTakesShorterPacketsOnly_isRefused() {
        requireRefusal(
                "would agree on packets of mtuBytes=9000, and a link between them takes 1500",
                network("a b", "s t", "a s 9000", "s t 1500", "t b 9000"));
        // Hosts that would not send longer ones are fine.
        new Routes(new Wiring(network("a b", "s t", "a s 9000", "s t 1500", "t b 1500")));
    }

    @Test
    void wiring_twoHostsOnOneLink_needNoSwitch() {
        Routes routes = new Routes(new Wiring(new Network(
                List.of(HostSpec.named("a"), HostSpec.named("b")),
                List.of(),
                List.of(link("a b")),
                Network.Multipath.ECMP)));
        assertEquals(1, routes.linkCount(0, 1));
    }

    @Test
    void host_nameOfASwitch_isRefused() {
        Wiring wiring = new Wiring(network("a b", "s", "a s", "b s"));
        ConfigException e = assertThrows(ConfigException.class, () -> wiring.host("s"));
        assertTrue(e.getMessage().contains("'s' is a switch"), e.getMessage());
    }
}
