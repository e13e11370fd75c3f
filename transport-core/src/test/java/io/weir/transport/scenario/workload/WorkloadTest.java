package io.weir.transport.scenario.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Pairing;
import io.weir.transport.scenario.Traffic.Times;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.time.Deadline;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From traffic to flows. */
class WorkloadTest {
    private static final ProtocolConfig PROTOCOL = ExpressPass.weir();
    private static final long SECOND = 1_000_000_000;
    private static final Network NETWORK = Lines.star(6, HostSpec.named(""), new LinkTemplate(10_000_000_000L, 1_000));
    private static final List<String> ALL = List.of("h1", "h2", "h3", "h4", "h5", "h6");

    private static Workload expand(long seed, Traffic... traffic) {
        Scenario scenario =
                new Scenario("t", "", seed, SECOND, false, NETWORK, List.of(traffic), List.of(), Measurement.SUMMARY);
        return new Workload(scenario, new Wiring(NETWORK));
    }

    private static Traffic.Flows flows(String id, List<String> from, List<String> to, Pairing pairing, int count) {
        return Traffic.Flows.of(id, from, to, PROTOCOL)
                .withPairing(pairing)
                .withCount(count)
                .withStart(new Times(100, 10, 0))
                .withBytes(1000);
    }

    private static Traffic.Poisson poisson(String id, SizeDistribution sizes, double load) {
        return Traffic.Poisson.of(id, ALL, ALL, sizes, PROTOCOL)
                .withLoad(load, 60_000_000_000L)
                .withTime(0, SECOND)
                .withCount(1_000_000);
    }

    private static String pairs(Workload workload) {
        StringBuilder text = new StringBuilder();
        workload.flows().forEach(flow -> text.append(flow.source() + 1)
                .append('>')
                .append(flow.destination() + 1)
                .append(' '));
        return text.toString().strip();
    }

    @Test
    void flows_zip_pairsInOrderAndTheShorterListBeginsAgain() {
        Workload workload = expand(1, flows("a", List.of("h1", "h2", "h3"), List.of("h4", "h5"), Pairing.ZIP, 0));
        assertEquals("1>4 2>5 3>4", pairs(workload));
        assertEquals("a-1", workload.flows().get(0).id());
        assertEquals(120, workload.flows().get(2).startNanos());
        assertEquals(Deadline.NO_DEADLINE, workload.flows().get(2).schedule().stopNanos());
    }

    @Test
    void flows_countBeyondTheirPairs_beginAgain() {
        assertEquals("1>4 2>4 1>4", pairs(expand(1, flows("a", List.of("h1", "h2"), List.of("h4"), Pairing.ZIP, 3))));
        assertEquals("1>4", pairs(expand(1, flows("a", List.of("h1", "h2"), List.of("h4"), Pairing.ZIP, 1))));
    }

    @Test
    void flows_all_pairsEachWithEachOther() {
        List<String> hosts = List.of("h1", "h2", "h3");
        assertEquals("1>2 1>3 2>1 2>3 3>1 3>2", pairs(expand(1, flows("a", hosts, hosts, Pairing.ALL, 0))));
    }

    @Test
    void flows_random_useAllHostsAndNeverOneTwice() {
        Workload workload = expand(1, flows("a", ALL, ALL, Pairing.RANDOM, 2_000));
        int[] sent = new int[6];
        workload.flows().forEach(flow -> {
            assertNotEquals(flow.source(), flow.destination());
            sent[flow.source()]++;
        });
        for (int count : sent) {
            assertTrue(count > 250 && count < 420, count + " of 2000");
        }
    }

    @Test
    void flows_spreadOfTimes_isAddedAtRandomBelowItsBound() {
        Traffic.Flows flows = Traffic.Flows.of("a", ALL, List.of("h1"), PROTOCOL)
                .withPairing(Pairing.ALL)
                .withCount(1_000)
                .withStart(new Times(0, 0, 500))
                .withStop(new Times(10_000, 1_000, 0))
                .withBytes(1);
        Set<Long> starts = new HashSet<>();
        List<FlowPlan> plans = expand(1, flows).flows();
        plans.forEach(flow -> {
            assertTrue(flow.startNanos() >= 0 && flow.startNanos() < 500);
            starts.add(flow.startNanos());
        });
        assertTrue(starts.size() > 400, starts.size() + " times");
        assertEquals(12_000, plans.get(2).schedule().stopNanos());
    }

    @Test
    void flows_thatCannotBe_areRefused() {
        requireRefusal("would go from a host to itself", flows("a", List.of("h1"), List.of("h1"), Pairing.ZIP, 0));
        requireRefusal("pairs are of a host with itself", flows("a", List.of("h1"), List.of("h1"), Pairing.ALL, 0));
        requireRefusal("nobody to send to but itself", flows("a", ALL, List.of("h1"), Pairing.RANDOM, 1));
        requireRefusal("count=0", flows("a", ALL, ALL, Pairing.RANDOM, 0));
        requireRefusal("no host or switch called 'h7'", flows("a", List.of("h7"), ALL, Pairing.ZIP, 0));
        requireRefusal("'switch' is a switch", flows("a", List.of("switch"), ALL, Pairing.ZIP, 0));
        requireRefusal("needs hosts in from", flows("a", List.of(), ALL, Pairing.ZIP, 0));
        Traffic.Flows twice = flows("a", List.of("h1"), List.of("h2"), Pairing.ZIP, 0);
        ConfigException e = assertThrows(ConfigException.class, () -> expand(1, twice, twice));
        assertTrue(e.getMessage().contains("two kinds of traffic called 'a'"), e.getMessage());
    }

    private static void requireRefusal(String expected, Traffic traffic) {
        ConfigException e = assertThrows(ConfigException.class, () -> expand(1, traffic));
        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    @Test
    void shuffle_eachTask_sendsToTheTasksOfOtherHosts() {
        Traffic.Shuffle shuffle =
                new Traffic.Shuffle("s", List.of("h1", "h2", "h3"), 2, 1_000, new Times(5, 0, 0), PROTOCOL);
        Workload workload = expand(1, shuffle);
        assertEquals(6 * 4, workload.flows().size());
        assertTrue(pairs(workload).startsWith("1>2 1>2 1>3 1>3 1>2 1>2"), pairs(workload));
        assertEquals(5, workload.flows().get(23).startNanos());
    }

    @Test
    void poisson_atALoad_offersItInFramesAsTheyReallyAre() throws IOException {
        SizeDistribution sizes = SizeDistributionsTest.load("xpass_webserver");
        List<FlowPlan> plans = expand(3, poisson("p", sizes, 0.6)).flows();
        double wireBytes = 0;
        for (FlowPlan plan : plans) {
            // A frame of an MTU of 1500: 1424 B of payload and 114 B of headers and framing.
            wireBytes += plan.bytes() + 114 * ((plan.bytes() + 1423) / 1424);
        }
        assertTrue(plans.size() > 50_000, plans.size() + " flows");
        assertEquals(0.6, wireBytes * 8 / 60e9, 0.6 * 0.02);
    }

    @Test
    void poisson_gaps_areExponential() throws IOException {
        List<FlowPlan> plans = expand(4, poisson("p", SizeDistributionsTest.load("xpass_webserver"), 0.6))
                .flows();
        double mean = (double) plans.get(plans.size() - 1).startNanos() / plans.size();
        int longer = 0;
        for (int i = 1; i < plans.size(); i++) {
            longer += plans.get(i).startNanos() - plans.get(i - 1).startNanos() > mean ? 1 : 0;
        }
        assertEquals(Math.exp(-1), (double) longer / plans.size(), 0.01);
    }

    @Test
    void poisson_anotherLoad_hasTheSameFlowsAtOtherTimes() throws IOException {
        SizeDistribution sizes = SizeDistributionsTest.load("xpass_websearch");
        List<FlowPlan> little = expand(1, poisson("p", sizes, 0.2)).flows();
        List<FlowPlan> much = expand(1, poisson("p", sizes, 0.8)).flows();
        for (int i = 0; i < 100; i++) {
            assertEquals(little.get(i).bytes(), much.get(i).bytes());
            assertEquals(little.get(i).source(), much.get(i).source());
            assertEquals(4.0, (double) little.get(i).startNanos() / much.get(i).startNanos(), 0.01);
        }
    }

    @Test
    void poisson_countAndEnd_boundIt() throws IOException {
        SizeDistribution sizes = SizeDistributionsTest.load("xpass_webserver");
        Traffic.Poisson few = Traffic.Poisson.of("p", ALL, ALL, sizes, PROTOCOL)
                .withLoad(0.5, 60_000_000_000L)
                .withTime(1_000_000, SECOND)
                .withCount(10);
        List<FlowPlan> plans = expand(1, few).flows();
        assertEquals(10, plans.size());
        assertTrue(plans.get(0).startNanos() >= 1_000_000);
        expand(1, poisson("p", sizes, 0.5)).flows().forEach(flow -> assertTrue(flow.startNanos() < SECOND));
    }

    @Test
    void expand_oneMoreKindOfTraffic_changesNothingAboutTheOthers() throws IOException {
        SizeDistribution sizes = SizeDistributionsTest.load("xpass_webserver");
        Traffic.Poisson poisson = poisson("p", sizes, 0.1);
        Traffic.Flows random = flows("a", ALL, ALL, Pairing.RANDOM, 100);
        List<FlowPlan> alone = expand(1, poisson).flows();
        List<FlowPlan> together = expand(1, random, poisson).flows();
        assertEquals(alone, together.subList(100, together.size()));
        assertNotEquals(alone, expand(2, poisson).flows());
    }

    @Test
    void exchange_thatCannotBe_isRefused() {
        requireRefusal("'h1' would ask itself", exchange("h1", List.of("h2", "h1"), 1));
        requireRefusal("rounds=0", exchange("h1", List.of("h2"), 0));
        requireRefusal("at least one server", exchange("h1", List.of(), 1));
        assertEquals(
                1, expand(1, exchange("h1", List.of("h2", "h2"), 1)).exchanges().size());
    }

    private static Traffic.Exchange exchange(String client, List<String> servers, int rounds) {
        return Traffic.Exchange.of("e", client, servers, PROTOCOL)
                .withBytes(100, 1_000)
                .withRounds(rounds);
    }
}
