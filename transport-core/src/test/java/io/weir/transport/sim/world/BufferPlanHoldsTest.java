package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.plan.BufferPlan;
import io.weir.transport.scenario.plan.PlanSettings;
import io.weir.transport.scenario.plan.PortBound;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.ClosShape;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Trees;
import io.weir.transport.testing.Scenarios;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays random networks with as much traffic as they bear: no data queue is ever longer than {@link BufferPlan} says.
 */
class BufferPlanHoldsTest {
    private static final long DURATION_NANOS = 1_500_000;
    private static final int NETWORKS = 12;
    private static final long[] RATES_BPS = {1_000_000_000L, 10_000_000_000L, 40_000_000_000L};

    private static LinkTemplate link(SeededRandom random) {
        long rateBps = RATES_BPS[random.nextInt(RATES_BPS.length)];
        return new LinkTemplate(rateBps, random.nextInt(8_000), PortSpec.DEFAULT);
    }

    private static HostSpec host(SeededRandom random) {
        long least = random.nextInt(2_000);
        long spread = 1L + random.nextInt(8_000);
        ProcessingDelay delay = new ProcessingDelay(
                List.of(new ProcessingDelay.Point(least, 0), new ProcessingDelay.Point(least + spread, 1_000_000)));
        HostSpec any = HostSpec.named("");
        return new HostSpec("", delay, any.stampNoise(), any.streams(), any.timers());
    }

    private static Network network(SeededRandom random) {
        HostSpec host = host(random);
        return switch (random.nextInt(4)) {
            case 0 -> Lines.star(3 + random.nextInt(6), host, link(random));
            case 1 -> Lines.dumbbell(1 + random.nextInt(5), host, link(random), link(random));
            case 2 ->
                Trees.leafSpine(2 + random.nextInt(3), 1 + random.nextInt(3), 2, host, link(random), link(random));
            default ->
                Trees.clos(
                        ClosShape.builder()
                                .pods(2)
                                .torsPerPod(2)
                                .aggrsPerPod(2)
                                .cores(2)
                                .hostsPerTor(2)
                                .build(),
                        host,
                        link(random),
                        link(random),
                        link(random));
        };
    }

    /** One way: acknowledgements and openings of the other way would come on top, which no credit permits. */
    private static Traffic halfToHalf(Network network, ProtocolConfig protocol) {
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        return Traffic.Flows.of(
                        "all",
                        names.subList(0, names.size() / 2),
                        names.subList(names.size() / 2, names.size()),
                        protocol)
                .withPairing(Traffic.Pairing.ALL)
                .withStart(new Traffic.Times(0, 0, 100_000));
    }

    private static double largestShare(Network network, ScenarioResult result) {
        Map<String, PortBound> bounds = new LinkedHashMap<>();
        BufferPlan.of(network, PlanSettings.OF_NETWORK)
                .forEach(bound -> bounds.put(bound.node() + ">" + bound.peer(), bound));
        double largest = 0;
        for (PortResult port : result.ports()) {
            PortBound bound = bounds.get(port.node() + ">" + port.port());
            largest = Math.max(largest, (double) port.queueBytesMax() / bound.dataQueueBytes());
        }
        return largest;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void of_randomNetworks_boundsWhatIsMeasured(long seed) {
        SeededRandom random = new SeededRandom(seed);
        double largest = 0;
        for (int i = 0; i < NETWORKS; i++) {
            Network network = network(random);
            ProtocolConfig protocol = random.nextInt(2) == 0 ? ExpressPass.naive() : ExpressPass.weir();
            Scenario scenario = new Scenarios(network)
                    .with(halfToHalf(network, protocol))
                    .seed(random.nextInt(1_000_000))
                    .lasting(DURATION_NANOS);
            ScenarioResult result = Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
            double share = largestShare(network, result);
            assertTrue(share <= 1, "seed " + seed + ", network " + i + ": a queue of " + share + " times its bound");
            largest = Math.max(largest, share);
        }
        assertTrue(largest > 0.1, "nothing queued: " + largest);
    }
}
