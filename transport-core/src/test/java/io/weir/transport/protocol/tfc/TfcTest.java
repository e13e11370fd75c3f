package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.SharedLink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests TFC over a link of 1 Gbit/s with an empty round trip of 125 us, of which delays are 60 us: ten full frames. */
class TfcTest {
    private static final int LOSSY_SEEDS = 6;

    private static final long RATE_BPS = 1_000_000_000L;
    private static final long DELAY_NANOS = 10_000;
    private static final long MILLISECOND = 1_000_000;
    private static final int FRAME_BYTES = 1_538;
    /** Six delays, three serializations of a full frame, and as many of an acknowledgement. */
    private static final long PATH_NANOS = 6 * DELAY_NANOS + 3 * 8 * (FRAME_BYTES + 84);

    private static final PortSpec PORT = SharedLink.port().withPolicies(TfcPort.PART.usual());

    private static SharedLink link() {
        return new SharedLink(RATE_BPS, DELAY_NANOS, PORT);
    }

    private static PortResult settled(ProtocolConfig protocol, int flows) {
        return SharedLink.shared(link().flows(protocol, flows, 50_000).run(60 * MILLISECOND, 20 * MILLISECOND, 0));
    }

    /** With windows of one to two frames the mean queue is one to three frames, by the moments at which flows begin. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, 7, 8, 20, 50, 100})
    void run_anyNumberOfFlows_linkIsFullAndTheQueueIsNot(int flows) {
        List<Double> queues = new ArrayList<>();
        for (long gapNanos : List.of(0L, 10_000L, 50_000L, 70_000L, 300_000L)) {
            ScenarioResult result =
                    link().flows(Tfc.KIND.usual(), flows, gapNanos).run(80 * MILLISECOND, 40 * MILLISECOND, 0);
            PortResult shared = SharedLink.shared(result);
            assertEquals(0.97, shared.utilization(), 0.04, shared.toString());
            assertEquals(0, shared.dataDrops());
            assertTrue(result.summary().jainIndex() > 0.999, result.summary().toString());
            queues.add(shared.queueBytesMean());
        }
        queues.sort(null);
        assertTrue(queues.get(2) < 2 * FRAME_BYTES, "mean queues " + queues);
        assertTrue(queues.get(4) < 3 * FRAME_BYTES, "mean queues " + queues);
    }

    @Test
    void run_restOfAWindowKept_usesMoreOfTheLinkThanRoundingDown() {
        PortResult down = settled(Tfc.KIND.usual().with(Tfc.ROUNDING, 0), 7);
        PortResult kept = settled(Tfc.KIND.usual(), 7);
        assertTrue(kept.utilization() > down.utilization() + 0.04, down + " and " + kept);
        assertTrue(kept.queueBytesMax() < down.queueBytesMax(), down + " and " + kept);
    }

    @Test
    void run_thousandSendersAtOnce_noDropsAndAFullLink() {
        PortResult shared =
                SharedLink.shared(link().flows(Tfc.KIND.usual(), 1_000, 0).run(100 * MILLISECOND, 30 * MILLISECOND, 0));
        assertEquals(0, shared.dataDrops());
        assertEquals(0.97, shared.utilization(), 0.01, shared.toString());
        assertTrue(shared.queueBytesMax() <= 2 * FRAME_BYTES, shared.toString());
    }

    @Test
    void run_withoutTheArbiter_hundredsOfSendersFillTheQueue() {
        PortSpec without = SharedLink.port().withPolicies(TfcPort.PART.usual().with(TfcPort.HELD, 0));
        PortResult shared = SharedLink.shared(new SharedLink(RATE_BPS, DELAY_NANOS, without)
                .flows(Tfc.KIND.usual(), 200, 50_000)
                .run(60 * MILLISECOND, 20 * MILLISECOND, 0));
        assertTrue(shared.queueBytesMean() > 100 * FRAME_BYTES, shared.toString());
    }

    @Test
    void run_secondFlowJoins_bothHaveTheirShareWithinThreeRoundTrips() {
        SharedLink link = link().flows(Tfc.KIND.usual(), 2, 5 * MILLISECOND);
        ScenarioResult result = link.run(10 * MILLISECOND, 0, 500_000);
        double[] first = link.shares(result, 0);
        double[] second = link.shares(result, 1);
        assertEquals(0.98, first[9], 0.03, "alone");
        // Four round trips: to open the connection with its cookie, to ask, and one of what was given.
        for (int i = 12; i < 20; i++) {
            assertEquals(0.49, first[i], 0.06, "interval " + i);
            assertEquals(0.49, second[i], 0.06, "interval " + i);
        }
        assertEquals(0, SharedLink.shared(result).dataDrops());
    }

    private static List<Long> gauge(ScenarioResult result, String name) {
        return result.series().ports().stream()
                .filter(port -> port.node().equals("left") && port.port().equals("right"))
                .findFirst()
                .orElseThrow()
                .gauge(name);
    }

    /**
     * The path has 50 us more each way from 100 ms to 500 ms: two windows of the minimum later the port knows. As it
     * gets shorter, marks of the new path come close behind those of the old: a round that is too short, which goes
     * with its window too.
     */
    @Test
    void run_pathLongerForAWhile_basicRoundTripFollowsAndTheLinkStaysFull() {
        Fault.Impairment longer = Fault.Impairment.NONE.withDelayNanos(50_000);
        SharedLink link = link().flows(Tfc.KIND.usual(), 3, 50_000)
                .but(new Fault.BadLink(
                        "left", "right", Fault.Direction.BOTH, 100 * MILLISECOND, 500 * MILLISECOND, longer));
        ScenarioResult result = link.run(700 * MILLISECOND, 0, 10 * MILLISECOND);
        List<Long> baseRtt = gauge(result, "tfcBaseRttNanos");
        double before = baseRtt.get(8);
        assertEquals(before + 100_000, baseRtt.get(48).doubleValue(), 3_000, baseRtt.toString());
        assertEquals(before, baseRtt.get(68).doubleValue(), 3_000, baseRtt.toString());
        List<Double> total = result.series().totalGoodputBps();
        for (int i : new int[] {8, 45, 68}) {
            double use = total.get(i) * SharedLink.WIRE_PER_PAYLOAD / RATE_BPS;
            assertEquals(0.97, use, 0.03, "interval " + i);
        }
        assertEquals(0, SharedLink.shared(result).dataDrops());
    }

    /**
     * The port counts by the first flow's marks. When that host falls silent, another's must take their place, or its
     * share stays unused.
     */
    @Test
    void run_delimiterFallsSilent_theOtherFlowHasTheLinkWithinMilliseconds() {
        SharedLink link = link().flows(Tfc.KIND.usual(), 2, MILLISECOND)
                .but(Fault.LinkDown.of("h1", "left", 40 * MILLISECOND).withTime(20 * MILLISECOND, 60 * MILLISECOND));
        ScenarioResult result = link.run(60 * MILLISECOND, 0, MILLISECOND);
        double[] first = link.shares(result, 0);
        double[] second = link.shares(result, 1);
        assertEquals(0.49, first[15], 0.06);
        assertEquals(0.49, second[15], 0.06);
        for (int i = 23; i < 60; i++) {
            assertEquals(0, first[i], "interval " + i);
            assertEquals(0.97, second[i], 0.04, "interval " + i);
        }
        assertEquals(0, SharedLink.shared(result).dataDrops());
    }

    /**
     * One frame in fifty is lost each way, so of 25 rounds one has no answer to its mark. That costs a flow about one
     * round trip, and 0.97 x (1 - 1/25) of the link is left. A rest is for rounds of few frames, whose lost marks only
     * a time-out finds.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6})
    void run_marksAndAnswersLost_costARoundTripEach(int flows) {
        Fault.Impairment loss = Fault.Impairment.NONE.withLoss(20_000);
        for (int seed = 1; seed <= LOSSY_SEEDS; seed++) {
            ScenarioResult result = link().seed(seed)
                    .flows(Tfc.KIND.usual(), flows, 50_000)
                    .but(new Fault.BadLink("left", "right", Fault.Direction.BOTH, 0, Long.MAX_VALUE, loss))
                    .run(200 * MILLISECOND, 20 * MILLISECOND, 10 * MILLISECOND);
            double use = SharedLink.shared(result).utilization();
            assertTrue(use > 0.9, use + " with seed " + seed);
            for (long baseRttNanos : gauge(result, "tfcBaseRttNanos")) {
                assertTrue(baseRttNanos >= PATH_NANOS, "rtt_b of " + baseRttNanos + " ns with seed " + seed);
            }
        }
    }

    @Test
    void run_noSwitchHasTokens_onlyTheReceiverLimits() {
        PortResult shared = SharedLink.shared(new SharedLink(RATE_BPS, DELAY_NANOS, SharedLink.port())
                .flows(Tfc.KIND.usual(), 1, 0)
                .run(20 * MILLISECOND, 10 * MILLISECOND, 0));
        assertEquals(1, shared.utilization(), 0.01);
    }
}
