package io.weir.transport.scenario.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.SwitchSpec;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link BufferPlan} against networks that are small enough to be computed by hand. */
class BufferPlanTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final HostSpec HOST = HostSpec.named("");
    private static final PlanSettings TESTBED = PlanSettings.OF_NETWORK.withHostSpreadNanos(5_100);
    private static final PortSpec PAPER = port(CreditModel.PAPER);
    private static final LinkTemplate LINK = new LinkTemplate(RATE_BPS, 1_000, PAPER);
    /** Eight credits of 84 B behind a meter of 84/1622 of 10 Gbps: 8 x 1297.6 ns, rounded up. */
    private static final long CREDITS_NANOS = 10_381;
    /** There and back: 2 x 1 us, a credit of 84 B (67.2 ns) and a frame of 1538 B (1230.4 ns), each rounded up. */
    private static final long LINK_NANOS = 2_000 + 68 + 1_231;

    private static PortSpec port(CreditModel model) {
        CreditSettings credits = CreditSettings.DEFAULT
                .withModel(model)
                .with(CreditSettings.CREDITLESS, 0)
                .with(CreditSettings.DROP, Drop.TAIL)
                .with(CreditSettings.LARGEST, 84);
        return new PortSpec(0, credits, null);
    }

    private static PortBound find(List<PortBound> bounds, String node, String peer) {
        return bounds.stream()
                .filter(bound -> bound.node().equals(node) && bound.peer().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void of_oneSwitch_isCreditQueueAndHostSpread() {
        PortBound bound = find(BufferPlan.of(Lines.star(3, HOST, LINK), TESTBED), "switch", "h1");
        assertEquals(new DelayBreakdown(CREDITS_NANOS, 5_100, 0), bound.spread());
        // 8 x (84 + 1538), and 5.1 us of 1538/1622 of 10 Gbps; 19.02 KB as in Table 1
        assertEquals(12_977, bound.creditBytes());
        assertEquals(6_045, bound.hostBytes());
        assertEquals(0, bound.pathBytes());
        assertEquals(19_022, bound.equationBytes());
        assertEquals(2, bound.burstCredits());
        assertEquals(8, bound.credits().queueCredits());
    }

    @Test
    void of_oneSwitch_dataQueueHasWhatTheEquationLeavesOut() {
        PortBound bound = find(BufferPlan.of(Lines.star(3, HOST, LINK), TESTBED), "switch", "h1");
        // A frame before the credit, three credits at the meter (3893 ns), and 1230.4 - 67.2 ns for a frame of 84 B.
        long nanos = CREDITS_NANOS + 5_100 + 1_231 + 3_893 + (1_231 - 68);
        double passedBytes = nanos / 1297.6 * 1538;
        assertEquals(passedBytes + 4 * 1538, (double) bound.dataQueueBytes(), 3);
    }

    @Test
    void of_dumbbell_addsUpAlongThePath() {
        List<PortBound> bounds = BufferPlan.of(Lines.dumbbell(2, HOST, LINK, LINK), TESTBED);
        // By the trunk come credits for the hosts of this side alone.
        assertEquals(
                new DelayBreakdown(CREDITS_NANOS, 5_100, 0),
                find(bounds, "left", "right").spread());
        // A host's go to its neighbour, or over the trunk, whose port at the other switch has a spread and a data queue
        // of as much.
        assertEquals(
                new DelayBreakdown(3 * CREDITS_NANOS, 2 * 5_100, LINK_NANOS),
                find(bounds, "left", "h1").spread());
    }

    @Test
    void of_hostsThatDiffer_takesTheirOwnDelays() {
        ProcessingDelay slow = new ProcessingDelay(
                List.of(new ProcessingDelay.Point(2_000, 0), new ProcessingDelay.Point(7_000, 1_000_000)));
        Network star = Lines.star(3, HOST, LINK);
        List<HostSpec> hosts = new ArrayList<>(star.hosts());
        hosts.set(1, new HostSpec("h2", slow, HOST.stampNoise(), null, HOST.timers()));
        Network mixed = new Network(hosts, star.switches(), star.links(), star.multipath());
        List<PortBound> bounds = BufferPlan.of(mixed, PlanSettings.OF_NETWORK);
        // h3 answers at once, h2 after up to 7 us; h2's own port sees h1 and h3 only.
        assertEquals(7_000, find(bounds, "switch", "h1").spread().hostNanos());
        assertEquals(0, find(bounds, "switch", "h2").spread().hostNanos());
    }

    @Test
    void of_fewerCredits_boundIsSmaller() {
        Network tree = Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK);
        List<PortBound> eight = BufferPlan.of(tree, TESTBED);
        List<PortBound> four =
                BufferPlan.of(tree, PlanSettings.OF_NETWORK.withQueueCredits(4).withHostSpreadNanos(1_000));
        for (int i = 0; i < eight.size(); i++) {
            assertTrue(four.get(i).equationBytes() < eight.get(i).equationBytes());
            assertTrue(four.get(i).dataQueueBytes() < eight.get(i).dataQueueBytes());
            assertTrue(eight.get(i).dataQueueBytes() > eight.get(i).equationBytes());
        }
    }

    @Test
    void of_fatTree_isWhatTheRecursionGivesByHand() {
        List<PortBound> bounds = BufferPlan.of(Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK), TESTBED);
        long host = 5_100;
        assertEquals(
                new DelayBreakdown(CREDITS_NANOS, host, 0),
                find(bounds, "tor1", "agg1").spread());
        assertEquals(
                new DelayBreakdown(3 * CREDITS_NANOS, 2 * host, 0),
                find(bounds, "agg1", "core1").spread());
        assertEquals(
                new DelayBreakdown(7 * CREDITS_NANOS, 4 * host, 0),
                find(bounds, "core1", "agg1").spread());
        // Down: over the core and two further switches, less one hop to a rack next to.
        assertEquals(
                new DelayBreakdown(15 * CREDITS_NANOS, 8 * host, 2 * LINK_NANOS),
                find(bounds, "agg1", "tor1").spread());
        assertEquals(
                new DelayBreakdown(31 * CREDITS_NANOS, 16 * host, 2 * LINK_NANOS + 4 * LINK_NANOS),
                find(bounds, "tor1", "h1").spread());
    }

    @Test
    void of_circle_hasNoBoundWherePortsWaitForEachOther() {
        List<HostSpec> hosts = new ArrayList<>();
        List<SwitchSpec> switches = new ArrayList<>();
        List<LinkSpec> links = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            hosts.add(HOST.withName("h" + i));
            switches.add(new SwitchSpec("s" + i));
            links.add(LINK.between("h" + i, "s" + i));
            links.add(LINK.between("s" + i, "s" + (i + 1) % 5));
        }
        Network circle = new Network(hosts, switches, links, Network.Multipath.ECMP);
        List<PortBound> bounds = BufferPlan.of(circle, TESTBED);
        assertFalse(find(bounds, "s0", "s1").isBounded());
        assertFalse(find(bounds, "s0", "h0").isBounded());
        assertEquals(0, find(bounds, "s0", "s1").equationBytes());
    }

    @Test
    void of_triangle_isBounded() {
        List<LinkSpec> links = List.of(
                LINK.between("a", "s1"),
                LINK.between("b", "s2"),
                LINK.between("c", "s3"),
                LINK.between("s1", "s2"),
                LINK.between("s2", "s3"),
                LINK.between("s3", "s1"));
        Network triangle = new Network(
                List.of(HOST.withName("a"), HOST.withName("b"), HOST.withName("c")),
                List.of(new SwitchSpec("s1"), new SwitchSpec("s2"), new SwitchSpec("s3")),
                links,
                Network.Multipath.ECMP);
        List<PortBound> bounds = BufferPlan.of(triangle, TESTBED);
        assertTrue(bounds.stream().allMatch(PortBound::isBounded));
        assertEquals(
                new DelayBreakdown(CREDITS_NANOS, 5_100, 0),
                find(bounds, "s1", "s2").spread());
    }

    @Test
    void of_portWithoutMeter_isRefused() {
        LinkTemplate unmetered = new LinkTemplate(RATE_BPS, 1_000, port(CreditModel.OFF));
        Network network = Lines.dumbbell(1, HOST, LINK, unmetered);
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> BufferPlan.of(network, PlanSettings.OF_NETWORK));
        assertTrue(
                refusal.getMessage().contains("the port of 'left' to 'right' has no credit meter"),
                refusal.getMessage());
    }

    @Test
    void of_pauseBudget_addsItsBytesToEveryPort() {
        Network tree = Trees.clos(ClosShape.fatTree(4, 1), HOST, LINK, LINK, LINK);
        List<PortBound> strict = BufferPlan.of(tree, PlanSettings.OF_NETWORK);
        List<PortBound> paused = BufferPlan.of(tree, PlanSettings.OF_NETWORK.withPauseBytes(261_460));
        for (int i = 0; i < strict.size(); i++) {
            assertEquals(strict.get(i).dataQueueBytes() + 261_460, paused.get(i).dataQueueBytes());
            assertEquals(strict.get(i).hostBytes() + 261_460, paused.get(i).hostBytes());
        }
    }
}
