package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.dx.LyingReceiver.Lie;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Dx} over a link of 10 Gbit/s that flows share, in virtual time. */
class DxLinkTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DELAY_NANOS = 33_333;
    private static final long MILLISECOND = 1_000_000;
    private static final PortSpec MARKING = SharedLink.port().with(384_500, EcnConfig.step(100_000));
    private static final int WIRE_BYTES = 1_538;
    private static final int MANY_FLOWS = 300;

    /** DX whose receivers lie. */
    private record Lying(Lie lie) implements ProtocolConfig {
        @Override
        public ProtocolId id() {
            return Dx.KIND.id();
        }

        @Override
        public String preset() {
            return "dx-lying";
        }

        @Override
        public ProtocolFactory newFactory(SeededRandom random) {
            return new Reactive(id(), context -> new Dx(Dx.KIND.usual(), context), () -> new LyingReceiver(lie));
        }
    }

    private static ScenarioResult run(ProtocolConfig protocol, int flows, PortSpec port) {
        return new SharedLink(RATE_BPS, DELAY_NANOS, port)
                .flows(protocol, flows, 30_000)
                .run(150 * MILLISECOND, 100 * MILLISECOND, 0);
    }

    @ParameterizedTest
    @CsvSource({"2, 0.99", "10, 0.985", "30, 0.98"})
    void run_longFlows_fillTheLinkWithAQuarterOfTheQueueThatDctcpHas(int flows, double utilizationMin) {
        ScenarioResult result = run(Dx.KIND.usual(), flows, SharedLink.port());
        PortResult own = SharedLink.shared(result);
        PortResult dctcp = SharedLink.shared(run(Catalogue.find("dctcp").orElseThrow(), flows, MARKING));
        assertTrue(own.utilization() > utilizationMin, own.toString());
        assertTrue(4 * own.queueBytesMean() < dctcp.queueBytesMean(), own + " next to " + dctcp);
        assertTrue(result.summary().jainIndex() > 0.95, result.summary().toString());
        assertEquals(0, own.dataDrops());
    }

    /**
     * A window is a segment at least, so what 300 flows have in flight beyond the 163 frames of the path stands in the
     * queue: that is the least. What is on top depends on the starts, and only the port's 250 frames bound it: a flow
     * that starts while others queue takes their queue for distance, and keeps as much there. So there is no bound of
     * the longest queue to test, and the others are of what was measured: means of 138 to 247 frames, and 0.03 % of all
     * frames dropped over 32 starts, 0.35 % in the worst.
     */
    @Test
    void run_moreFlowsThanTheRoundTripHasSegments_queueARoundTripAndLoseHardlyAnything() {
        long[] gapsNanos = {20_000, 30_000, 31_000, 40_000};
        double pathFrames = 6 * DELAY_NANOS * 1e-9 * RATE_BPS / (8 * WIRE_BYTES);
        double leastBytes = (MANY_FLOWS - pathFrames) * WIRE_BYTES;
        double queueBytes = 0;
        long drops = 0;
        for (long gapNanos : gapsNanos) {
            PortResult own = SharedLink.shared(new SharedLink(RATE_BPS, DELAY_NANOS, SharedLink.port())
                    .flows(Dx.KIND.usual(), MANY_FLOWS, gapNanos)
                    .run(150 * MILLISECOND, 100 * MILLISECOND, 0));
            assertTrue(own.utilization() > 0.999, own.toString());
            assertTrue(own.queueBytesMean() > 0.95 * leastBytes, own + " where " + leastBytes + " B must queue");
            queueBytes += own.queueBytesMean() / gapsNanos.length;
            drops += own.dataDrops();
        }
        assertTrue(queueBytes < 230 * WIRE_BYTES, queueBytes + " B");
        double frames = gapsNanos.length * 50e-3 * RATE_BPS / (8 * WIRE_BYTES);
        assertTrue(drops < 0.002 * frames, drops + " of " + frames);
    }

    @ParameterizedTest
    @CsvSource({"300, 0.9", "1200, 0.8", "3000, 0.75", "6000, 0.5"})
    void run_noisyStamps_findTheirHeadroom(long deviationNanos, double jainMin) {
        HostSpec none = HostSpec.named("");
        HostSpec noisy = new HostSpec("", none.delay(), new StampNoise(deviationNanos), none.streams(), none.timers());
        ScenarioResult result = new SharedLink(RATE_BPS, DELAY_NANOS, SharedLink.port())
                .hosts(noisy)
                .flows(Dx.KIND.usual(), 5, 30_000)
                .run(150 * MILLISECOND, 50 * MILLISECOND, 0);
        PortResult own = SharedLink.shared(result);
        assertTrue(own.utilization() > 0.9, own.toString());
        assertTrue(own.queueBytesMax() < 30 * WIRE_BYTES, own.toString());
        assertTrue(result.summary().jainIndex() > jainMin, result.summary().toString());
    }

    @Test
    void run_aloneOnTheLink_fillsIt() {
        PortResult own = SharedLink.shared(run(Dx.KIND.usual(), 1, SharedLink.port()));
        assertTrue(own.utilization() > 0.999, own.toString());
        assertTrue(own.queueBytesMax() <= 2 * WIRE_BYTES, own.toString());
    }

    private static double goodputBpsOfAPeerThat(Lie lie) {
        return new SharedLink(RATE_BPS, DELAY_NANOS, SharedLink.port())
                .flow(Dx.KIND.usual(), Long.MAX_VALUE, 0, Long.MAX_VALUE)
                .flow(Dx.KIND.usual(), Long.MAX_VALUE, 20_000, Long.MAX_VALUE)
                .flow(new Lying(lie), Long.MAX_VALUE, 40_000, Long.MAX_VALUE)
                .run(100 * MILLISECOND, 50 * MILLISECOND, 0)
                .flows()
                .get(2)
                .goodputBps();
    }

    @ParameterizedTest
    @EnumSource(names = {"NEGATIVE_TURNAROUND", "ENDLESS_TURNAROUND", "FRAME_OF_THE_FUTURE"})
    void run_peerWithImpossibleStamps_getsNoMoreThanAnHonestOne(Lie lie) {
        double honest = goodputBpsOfAPeerThat(Lie.NONE);
        double lying = goodputBpsOfAPeerThat(lie);
        assertTrue(honest > 2e9, honest + " bit/s");
        assertTrue(lying < 1.1 * honest, lying + " of " + honest + " bit/s");
    }

    /** What nobody can know: docs/protocols/dx.md lists it, and who is hurt. */
    @Test
    void run_peerThatSaysThereIsNoQueue_takesFromTheOthers() {
        double honest = goodputBpsOfAPeerThat(Lie.NONE);
        double lying = goodputBpsOfAPeerThat(Lie.EMPTY_PATH);
        assertTrue(lying > 1.5 * honest, lying + " of " + honest + " bit/s");
    }
}
