package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditSettings;
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
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several senders and one receiver at a switch without a meter: credits for k frames keep its queue within {@link
 * BufferPlan}'s bound.
 */
class PlainSwitchBoundTest {
    private static final long DURATION_NANOS = 3_000_000;
    private static final PortSpec PLAIN =
            new PortSpec(10_000_000, CreditSettings.DEFAULT.withModel(CreditModel.OFF), null);

    private static Network star(int senders, int creditFramesMax, long rateBps, long hostSpreadNanos) {
        ProcessingDelay delay = new ProcessingDelay(List.of(
                new ProcessingDelay.Point(1_000, 0), new ProcessingDelay.Point(1_000 + hostSpreadNanos, 1_000_000)));
        HostSpec named = HostSpec.named("").withCreditFramesMax(creditFramesMax);
        HostSpec host = new HostSpec(
                "", delay, named.stampNoise(), named.streams(), named.timers(), named.pauses(), creditFramesMax, 0);
        return Lines.star(senders + 1, host, new LinkTemplate(rateBps, 2_000, 1_500, PortSpec.DEFAULT, PLAIN));
    }

    private static ScenarioResult play(Network network, long seed) {
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        int last = names.size() - 1;
        Scenario scenario = new Scenarios(network)
                .with(Traffic.Flows.of(
                                "incast", names.subList(0, last), names.subList(last, last + 1), ExpressPass.weir())
                        .withPairing(Traffic.Pairing.ALL)
                        .withStart(new Traffic.Times(0, 0, 50_000)))
                .seed(seed)
                .lasting(DURATION_NANOS);
        return Simulation.run(scenario, () -> 0, Simulation.Progress.UNWATCHED);
    }

    private static long queueBytesMax(ScenarioResult result, String receiver) {
        return result.ports().stream()
                .filter(port -> port.port().equals(receiver))
                .mapToLong(PortResult::queueBytesMax)
                .max()
                .orElseThrow();
    }

    private static PortBound boundOf(Network network, int creditFrames, String receiver) {
        return BufferPlan.of(network, PlanSettings.OF_NETWORK.withCreditFrames(creditFrames)).stream()
                .filter(bound -> bound.peer().equals(receiver))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"2, 10", "4, 10", "8, 10", "16, 10", "32, 40", "64, 40", "64, 100"})
    void of_creditsForSeveralFrames_boundsWhatIsMeasured(int creditFrames, long rateGbps) {
        SeededRandom random = new SeededRandom(creditFrames);
        double largest = 0;
        for (int senders : new int[] {2, 3, 7}) {
            Network network = star(senders, creditFrames, rateGbps * 1_000_000_000L, random.nextInt(5_000));
            String receiver = network.hosts().get(senders).name();
            PortBound bound = boundOf(network, creditFrames, receiver);
            long measuredBytes = queueBytesMax(play(network, random.nextInt(1_000_000)), receiver);
            assertTrue(
                    measuredBytes <= bound.dataQueueBytes(),
                    senders + " senders: " + measuredBytes + " B of " + bound.dataQueueBytes());
            largest = Math.max(largest, (double) measuredBytes / bound.dataQueueBytes());
        }
        assertTrue(largest > 0.04, "nothing queued: " + largest);
    }

    @Test
    void of_severalFrames_growsByTwoFramesForEach() {
        Network network = star(2, 1, 10_000_000_000L, 0);
        String receiver = network.hosts().get(2).name();
        long four = boundOf(network, 4, receiver).dataQueueBytes();
        long sixteen = boundOf(network, 16, receiver).dataQueueBytes();
        // As many at once, and as many in the way of the last of them at their sender: a hundredth less, which the
        // meter leaves free.
        assertTrue(Math.abs(2 * 12 * 1_538 - (sixteen - four)) <= 12 * 1_538 / 10, sixteen + " B and " + four);
        assertEquals(16 * 1_538, boundOf(network, 16, receiver).creditBytes());
    }

    @Test
    void of_severalFramesBetweenSwitches_hasNoBound() {
        LinkTemplate link = new LinkTemplate(10_000_000_000L, 2_000);
        Network network = Lines.dumbbell(2, HostSpec.named(""), link, link);
        List<PortBound> bounds = BufferPlan.of(network, PlanSettings.OF_NETWORK.withCreditFrames(16));
        assertEquals(2, bounds.stream().filter(bound -> !bound.isBounded()).count());
        assertEquals(4, bounds.stream().filter(PortBound::isBounded).count());
    }
}
