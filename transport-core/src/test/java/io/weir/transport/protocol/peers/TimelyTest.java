package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.Acks;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;

/** Tests {@link Timely}, alone and over a link of 10 Gbit/s with an empty round trip of 16 us. */
class TimelyTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final double EMPTY_RTT_NANOS = 16_000;
    private static final double DELTA_BPS = 10_000_000;
    private static final Settings PATCHED = Timely.KIND.presets().get(1);
    private static final PortSpec PORT = SharedLink.port().with(800_000, null);

    private final Acks acks = new Acks();
    private Timely timely = new Timely(Timely.KIND.usual(), Acks.context(RATE_BPS));

    /** {@return by how much the completion of a segment changes the rate} */
    private double completes(long rttNanos) {
        double before = timely.rateBps();
        timely.observe(acks.of(11, rttNanos, 0, 0), 0);
        return timely.rateBps() - before;
    }

    /** Brings the rate down to where it can rise. */
    private void halve() {
        timely.onRetransmissionTimeout(0, 0);
        assertEquals(RATE_BPS / 2, timely.rateBps());
    }

    @Test
    void observe_partOfASegment_changesNothing() {
        halve();
        timely.observe(acks.of(10, 30_000, 0, 0), 0);
        assertEquals(RATE_BPS / 2, timely.rateBps());
        timely.observe(acks.of(1, 30_000, 0, 0), 0);
        assertEquals(RATE_BPS / 2 + (long) DELTA_BPS, timely.rateBps());
    }

    @Test
    void observe_belowTheLowThreshold_risesWhateverTheGradient() {
        halve();
        completes(20_000);
        assertEquals(DELTA_BPS, completes(49_000), 1);
    }

    @Test
    void observe_aboveTheHighThreshold_fallsWhateverTheGradient() {
        completes(2_000_000);
        assertEquals(RATE_BPS * (1 - 0.8 * (1 - 500.0 / 2_000)), (double) timely.rateBps(), 1);
    }

    @Test
    void observe_risingRoundTrip_fallsByTheGradient() {
        completes(100_000);
        assertEquals(-RATE_BPS * 0.8 * 0.875 * 4_000 / 20_000, completes(104_000), 1);
    }

    @Test
    void observe_fallingFiveTimes_risesFiveFold() {
        halve();
        for (int i = 0; i < 4; i++) {
            assertEquals(DELTA_BPS, completes(100_000 - i * 1_000), 1);
        }
        assertEquals(5 * DELTA_BPS, completes(95_000), 1);
        completes(130_000);
        completes(90_000);
        assertEquals(DELTA_BPS, completes(89_000), 1);
    }

    @Test
    void observe_patchedAndFlat_goesHalfOfBothWays() {
        timely = new Timely(PATCHED, Acks.context(RATE_BPS));
        halve();
        // Weight 1/2: half of delta up, half of beta times how far the round trip is from tLow down.
        assertEquals(DELTA_BPS / 2 - RATE_BPS / 2 * 0.008 * 0.5 * 1, completes(100_000), 1);
    }

    // ---- over a link

    private static ScenarioResult run(Settings settings, long durationNanos) {
        return new SharedLink(RATE_BPS, 2_000, PORT)
                .flows(settings, 2, 1_000_000)
                .run(durationNanos, durationNanos * 3 / 4, 0);
    }

    private static double rttNanos(double queueBytes) {
        return EMPTY_RTT_NANOS + queueBytes * 8e9 / RATE_BPS;
    }

    @Test
    void run_twoFlows_roundTripStaysAtTheLowThresholdAndFarBelowTheHighOne() {
        PortResult port = SharedLink.shared(run(Timely.KIND.usual(), 120_000_000));
        assertTrue(rttNanos((double) port.queueBytesP99()) < 60_000, port.toString());
        assertTrue(rttNanos((double) port.queueBytesMax()) > 40_000, port.toString());
        assertTrue(rttNanos((double) port.queueBytesMax()) < 500_000, port.toString());
        assertTrue(port.utilization() > 0.9, port.toString());
    }

    @Test
    void run_patchedTwoFlows_shareAlikeAtTheOneFixedPoint() {
        ScenarioResult result = run(PATCHED, 60_000_000);
        PortResult port = SharedLink.shared(result);
        // Where neither term wins: delta / 2 = beta / 2 x C / N x (RTT - tLow) / tLow.
        double fixedNanos = 50_000 * (1 + DELTA_BPS * 2 / (0.008 * RATE_BPS));
        assertEquals(fixedNanos, rttNanos(port.queueBytesMean()), 0.03 * fixedNanos);
        assertTrue(result.summary().jainIndex() > 0.9999, result.summary().toString());
    }

    @Test
    void run_originalTwoFlows_neverShareAlike() {
        double jain = run(Timely.KIND.usual(), 160_000_000).summary().jainIndex();
        assertTrue(jain < 0.999, "there is a fixed point after all: Jain's index is " + jain);
    }
}
