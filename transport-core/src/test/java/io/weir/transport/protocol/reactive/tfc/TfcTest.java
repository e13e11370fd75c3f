package io.weir.transport.protocol.reactive.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests TFC over a link of 1 Gbit/s with an empty round trip of 125 us, of which delays are 60 us: ten full frames. */
class TfcTest {
    private static final long RATE_BPS = 1_000_000_000L;
    private static final long DELAY_NANOS = 10_000;
    private static final long MILLISECOND = 1_000_000;
    private static final int FRAME_BYTES = 1_538;
    private static final PortSpec PORT = SharedLink.port().withPolicies(TfcPortConfig.DEFAULT);

    private static SharedLink link() {
        return new SharedLink(RATE_BPS, DELAY_NANOS, PORT);
    }

    private static PortResult settled(ProtocolConfig protocol, int flows) {
        return SharedLink.shared(link().flows(protocol, flows, 50_000).run(60 * MILLISECOND, 20 * MILLISECOND, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 8, 20, 50, 100})
    void run_anyNumberOfFlows_linkIsFullAndTheQueueIsNot(int flows) {
        ScenarioResult result =
                link().flows(Tfc.KIND.usual(), flows, 50_000).run(60 * MILLISECOND, 20 * MILLISECOND, 0);
        PortResult shared = SharedLink.shared(result);
        assertEquals(0.97, shared.utilization(), 0.04, shared.toString());
        assertEquals(0, shared.dataDrops());
        assertTrue(shared.queueBytesMean() < 1.5 * FRAME_BYTES, shared.toString());
        assertTrue(result.summary().jainIndex() > 0.999, result.summary().toString());
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
        PortSpec without =
                SharedLink.port().withPolicies(TfcPortConfig.DEFAULT.with(new TfcPortConfig.Arbiter(0, MILLISECOND)));
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

    @Test
    void run_noSwitchHasTokens_onlyTheReceiverLimits() {
        PortResult shared = SharedLink.shared(new SharedLink(RATE_BPS, DELAY_NANOS, SharedLink.port())
                .flows(Tfc.KIND.usual(), 1, 0)
                .run(20 * MILLISECOND, 10 * MILLISECOND, 0));
        assertEquals(1, shared.utilization(), 0.01);
    }
}
