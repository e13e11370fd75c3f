package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.testing.Acks;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link Hull}, alone and over a link of 10 Gbit/s next to DCTCP. */
class HullTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DELAY_NANOS = 10_000;
    private static final PortSpec PHANTOM =
            SharedLink.port().withPolicies(PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, 15_000));
    private static final PortSpec MARKING = SharedLink.port().with(384_500, EcnConfig.step(100_000));

    private final Hull hull = new Hull(Hull.KIND.usual(), Acks.context(RATE_BPS));
    private final Acks acks = new Acks();

    @Test
    void rateBps_noRoundTripKnown_isUnlimited() {
        assertEquals(0, hull.rateBps());
        assertTrue(hull.understandsMarks());
    }

    @Test
    void rateBps_roundTripKnown_isAQuarterMoreThanAWindowEach() {
        hull.observe(acks.of(1, 100_000, 0, 0), 0);
        hull.onAck(acks.of(1, 100_000, 0, 0), false, 0);
        double windowBits = hull.windowBytes() * SharedLink.WIRE_PER_PAYLOAD * 8;
        assertEquals(1.25 * windowBits * 1e9 / 100_000, (double) hull.rateBps(), 1_000_000);
    }

    @Test
    void rateBps_windowOfManyLinks_isTheLinks() {
        hull.observe(acks.of(1, 1_000, 0, 0), 0);
        hull.onAck(acks.of(1, 1_000, 0, 0), false, 0);
        assertEquals(RATE_BPS, hull.rateBps());
    }

    @Test
    void onRetransmissionTimeout_pacesTheSmallerWindow() {
        hull.observe(acks.of(1, 100_000, 0, 0), 0);
        hull.onAck(acks.of(1, 100_000, 0, 0), false, 0);
        long before = hull.rateBps();
        hull.onRetransmissionTimeout(hull.windowBytes(), 0);
        assertEquals(before / 10.0, (double) hull.rateBps(), 1_000);
    }

    @ParameterizedTest
    @CsvSource({"2, 20", "10, 7"})
    void run_longFlows_giveUpATenthOfTheLinkForANearlyEmptyQueue(int flows, int shorter) {
        ScenarioResult hulls = new SharedLink(RATE_BPS, DELAY_NANOS, PHANTOM)
                .flows(Hull.KIND.usual(), flows, 100_000)
                .run(20_000_000, 10_000_000, 0);
        PortResult own = SharedLink.shared(hulls);
        PortResult dctcp = SharedLink.shared(new SharedLink(RATE_BPS, DELAY_NANOS, MARKING)
                .flows(Catalogue.find("dctcp").orElseThrow(), flows, 100_000)
                .run(20_000_000, 10_000_000, 0));
        assertTrue(own.utilization() > 0.88 && own.utilization() < 0.95, own.toString());
        assertTrue(dctcp.utilization() > 0.99, dctcp.toString());
        assertTrue(own.queueBytesMean() * shorter < dctcp.queueBytesMean(), own + " next to " + dctcp);
        assertTrue(hulls.summary().jainIndex() > 0.99, hulls.summary().toString());
        assertEquals(0, own.dataDrops());
    }
}
