package io.weir.transport.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.testing.Scenarios;
import org.junit.jupiter.api.Test;

/** Tests {@link NoisyStamps}, {@link StampNoise} and what they do to a flow. */
class NoisyStampsTest {
    private static final StampNoise NOISE = new StampNoise(1_200);
    private static final int DRAWS = 200_000;

    private static NoisyStamps stamps(long seed) {
        return new NoisyStamps(NOISE, new SeededRandom(seed));
    }

    @Test
    void nextNanos_manyDraws_haveTheDeviationAboutTheArrival() {
        NoisyStamps stamps = stamps(1);
        double sum = 0;
        double squares = 0;
        int withinOne = 0;
        for (int i = 0; i < DRAWS; i++) {
            long noiseNanos = stamps.nextNanos() + NOISE.nanosMax();
            sum += noiseNanos;
            squares += (double) noiseNanos * noiseNanos;
            withinOne += Math.abs(noiseNanos) <= NOISE.deviationNanos() ? 1 : 0;
        }
        assertEquals(0, sum / DRAWS, 10);
        assertEquals(1_200, Math.sqrt(squares / DRAWS), 10);
        assertEquals(0.683, (double) withinOne / DRAWS, 0.01);
    }

    @Test
    void nextNanos_anyDraw_isNeitherOfTheFutureNorFartherThanFourDeviations() {
        NoisyStamps stamps = stamps(2);
        for (int i = 0; i < DRAWS; i++) {
            long nanos = stamps.nextNanos();
            assertTrue(nanos <= 0 && nanos >= -2 * NOISE.nanosMax(), nanos + " ns");
        }
    }

    @Test
    void nextNanos_sameSeed_isTheSame() {
        NoisyStamps first = stamps(3);
        NoisyStamps second = stamps(3);
        NoisyStamps other = stamps(4);
        long same = 0;
        for (int i = 0; i < 100; i++) {
            long nanos = first.nextNanos();
            assertEquals(nanos, second.nextNanos());
            same += nanos == other.nextNanos() ? 1 : 0;
        }
        assertNotEquals(100, same);
    }

    @Test
    void stampNoise_outsideItsBounds_isRefused() {
        assertThrows(ConfigException.class, () -> new StampNoise(-1));
        assertThrows(ConfigException.class, () -> new StampNoise(1_000_001));
        assertEquals(4_800, NOISE.nanosMax());
    }

    @Test
    void run_noiseOfStamps_showsInTheRoundTripsThatAFlowMeasures() {
        ScenarioResult noisy = run(new StampNoise(2_000));
        long exactNanos = shortestRttNanos(run(StampNoise.NONE));
        long noisyNanos = shortestRttNanos(noisy);
        // The least of some thousand sums of two noises of 2 us: a few deviations below the path's, and eight at most.
        assertTrue(noisyNanos >= exactNanos - 16_000 && noisyNanos < exactNanos - 4_000, noisyNanos + " ns");
        assertEquals(noisy, run(new StampNoise(2_000)));
    }

    private static ScenarioResult run(StampNoise noise) {
        HostSpec named = HostSpec.named("");
        HostSpec host = new HostSpec("", named.delay(), noise, null, named.timers());
        LinkTemplate link = new LinkTemplate(Scenarios.RATE_BPS, 8_000);
        return Simulation.run(
                new Scenarios(Lines.dumbbell(1, host, link, link))
                        .flows("f", Catalogue.find("dx").orElseThrow(), Traffic.UNLIMITED_BYTES)
                        .measured(new Measurement(100_000, 0, false, false, true))
                        .lasting(3_000_000),
                () -> 0,
                Simulation.Progress.UNWATCHED);
    }

    private static long shortestRttNanos(ScenarioResult result) {
        return result.series().windows().flows().get(0).baseRttNanos();
    }
}
