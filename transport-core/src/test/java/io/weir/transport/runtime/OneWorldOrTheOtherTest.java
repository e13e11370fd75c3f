package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.SwitchSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.run.ScenarioRun;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.world.SimOptions;
import io.weir.transport.sim.world.SimWorld;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Plays one scenario in the simulator and by the agent of an event loop, and compares every frame on every link: the
 * drivers move frames and time, and nothing of what happens is theirs.
 *
 * <p>The simulator handles frames that come to a Node in the same nanosecond in the order in which they left, the agent
 * in the order of its ports; either is right, and a switch's random drops then fall on other credits. The links' delays
 * are odd and the links slow, so that such ties are rare; a seed that has one is passed over, and another takes its
 * place.
 */
class OneWorldOrTheOtherTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long DURATION_NANOS = 150 * MILLISECOND;
    private static final long EDGE_BPS = 100_000_000;
    private static final long TRUNK_BPS = 90_000_000;
    private static final int PAIRS = 3;
    private static final int LOST_EACH = 61;
    private static final long SEEDS = 5;
    /** So many seeds are tried for as many without a tie. */
    private static final long SEEDS_TRIED_MAX = 10;

    /** What a world did. */
    private record Play(FrameRecord frames, ScenarioResult result) {}

    private static Network network() {
        List<HostSpec> hosts = List.of("a0", "a1", "a2", "b0", "b1", "b2").stream()
                .map(HostSpec::named)
                .toList();
        List<LinkSpec> links = List.of(
                link("a0", "left", EDGE_BPS, 10_007),
                link("a1", "left", EDGE_BPS, 13_163),
                link("a2", "left", EDGE_BPS, 17_471),
                link("b0", "right", EDGE_BPS, 11_311),
                link("b1", "right", EDGE_BPS, 14_537),
                link("b2", "right", EDGE_BPS, 19_373),
                link("left", "right", TRUNK_BPS, 23_869));
        return new Network(
                hosts, List.of(new SwitchSpec("left"), new SwitchSpec("right")), links, Network.Multipath.ECMP);
    }

    private static LinkSpec link(String left, String right, long rateBps, long propagationNanos) {
        return new LinkSpec(left, right, rateBps, propagationNanos, 1500, PortSpec.DEFAULT, PortSpec.DEFAULT);
    }

    private static Scenario scenario(long seed) {
        Traffic flows = Traffic.Flows.of(
                        "bulk", List.of("a0", "a1", "a2"), List.of("b0", "b1", "b2"), ExpressPass.weir())
                .withCount(PAIRS)
                .withStart(new Traffic.Times(0, 2_341_977, 0))
                .withBytes(250_000);
        Traffic exchange = Traffic.Exchange.of("ask", "a1", List.of("b0", "b2"), ExpressPass.paper())
                .withBytes(200, 9_000)
                .withRounds(12)
                .withStartNanos(5_000_011)
                .withGapNanos(1_000_003);
        return new Scenario(
                "one",
                "",
                seed,
                DURATION_NANOS,
                false,
                network(),
                List.of(flows, exchange),
                List.of(),
                new Measurement(10 * MILLISECOND, 0, true, true),
                false);
    }

    /** {@return what loses some frames of all kinds} */
    private static Predicate<Frame> loss() {
        int[] count = {0};
        return frame -> ++count[0] % LOST_EACH == 0;
    }

    private static Play simulated(Scenario scenario) {
        Wiring wiring = new Wiring(scenario.network());
        ServicePorts services = new ServicePorts(scenario);
        FrameRecord frames = new FrameRecord();
        try (SimWorld world = new SimWorld(scenario, wiring, services, SimOptions.DEFAULT)) {
            ScenarioRun run = new ScenarioRun(scenario, world, wiring, services);
            world.simulator()
                    .setTrace((link, frame, now) -> frames.add(
                            link.from().node().name() + ">" + link.to().node().name(), frame, now));
            int trunk = wiring.node("left");
            Predicate<Frame> isLost = loss();
            world.link(trunk, PAIRS).setFilter((frame, now) -> !isLost.test(frame));
            run.start();
            world.simulator().run(DURATION_NANOS);
            return new Play(frames, run.result("world", true, null));
        }
    }

    private static Play byAgent(Scenario scenario) {
        Wiring wiring = new Wiring(scenario.network());
        ServicePorts services = new ServicePorts(scenario);
        FrameRecord frames = new FrameRecord();
        try (AgentWorld world = new AgentWorld(scenario, wiring, services, frames)) {
            ScenarioRun run = new ScenarioRun(scenario, world, wiring, services);
            world.setLoss(wiring.node("left"), PAIRS, loss());
            run.start();
            world.run(DURATION_NANOS);
            return new Play(frames, run.result("world", true, null));
        }
    }

    @Test
    void play_flowsThroughSwitchesWithLoss_everyFrameOfBothWorldsIsTheSame() {
        int compared = 0;
        for (long seed = 1; compared < SEEDS && seed <= SEEDS_TRIED_MAX; seed++) {
            Scenario scenario = scenario(seed);
            Play byAgent = byAgent(scenario);
            if (byAgent.frames().ties().isEmpty()) {
                compare("seed " + seed, simulated(scenario), byAgent);
                compared++;
            }
        }
        assertEquals(SEEDS, compared, "seeds without two frames that come to one node at the same time");
    }

    private static void compare(String name, Play simulated, Play byAgent) {
        requireEventful(simulated.result());
        List<FrameRecord.Departure> expected = simulated.frames().inOrder();
        List<FrameRecord.Departure> found = byAgent.frames().inOrder();
        for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
            assertEquals(expected.get(i), found.get(i), name + ", frame " + i);
        }
        assertEquals(expected.size(), found.size(), name);
        assertEquals(simulated.result(), byAgent.result(), name);
    }

    /** Were the run dull, equal frames would prove little. */
    private static void requireEventful(ScenarioResult result) {
        // It does not know of the frames that the test takes from a link.
        result.problems().forEach(problem -> assertTrue(problem.endsWith("although no frame was lost"), problem));
        assertEquals(
                PAIRS,
                result.flows().stream()
                        .filter(flow -> flow.completionNanos() != null)
                        .count());
        assertTrue(
                result.flows().stream()
                                .mapToLong(FlowResult::retransmittedBytes)
                                .sum()
                        > 0,
                "nothing was lost");
        assertTrue(result.ports().stream().mapToLong(PortResult::creditDrops).sum() > 0, "no credit was dropped");
        assertEquals(12, result.exchanges().get(0).rounds());
    }
}
