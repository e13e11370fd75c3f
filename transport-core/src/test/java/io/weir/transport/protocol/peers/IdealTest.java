package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Settings;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.SharedLink;
import org.junit.jupiter.api.Test;

/** Tests {@link Ideal} over a link of 10 Gbit/s that all flows share. */
class IdealTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final Settings IDEAL = Ideal.KIND.usual().with(Ideal.TRUNK, RATE_BPS);

    private final SharedLink link = new SharedLink(RATE_BPS, 10_000, SharedLink.port());

    @Test
    void run_flowsJoinAndLeave_everyoneHasItsExactShareAtOnce() {
        for (int i = 0; i < 4; i++) {
            link.flow(IDEAL, Traffic.UNLIMITED_BYTES, i * 1_000_000L, Traffic.Times.NEVER.atNanos());
        }
        ScenarioResult result = link.run(4_000_000, 0, 250_000);
        for (int flows = 1; flows <= 4; flows++) {
            for (int i = 0; i < flows; i++) {
                // The interval after the one in which the latest has opened its connection.
                assertEquals(1.0 / flows, link.shares(result, i)[4 * (flows - 1) + 2], 0.02);
            }
        }
        assertEquals(0, SharedLink.shared(result).dataDrops());
    }

    @Test
    void run_manyFlows_queueIsAtMostAFrameOfEach() {
        link.flows(IDEAL, 64, 3_000);
        ScenarioResult result = link.run(4_000_000, 1_000_000, 0);
        assertTrue(
                SharedLink.shared(result).queueBytesMax() <= 64 * 1538,
                result.ports().toString());
        assertTrue(
                SharedLink.shared(result).utilization() > 0.99, result.ports().toString());
        assertTrue(result.summary().jainIndex() > 0.999, result.summary().toString());
    }

    @Test
    void run_flowThatEnds_givesItsShareBack() {
        link.flow(IDEAL, 1_000_000, 0, Traffic.Times.NEVER.atNanos()).flows(IDEAL, 1, 0);
        ScenarioResult result = link.run(4_000_000, 0, 500_000);
        double alone = 1_000_000 * SharedLink.WIRE_PER_PAYLOAD * 8e9 / RATE_BPS;
        assertEquals(2, result.flows().get(0).completionNanos() / alone, 0.15);
        assertEquals(1, link.shares(result, 1)[6], 0.02);
    }

    @Test
    void run_again_findsTheSame() {
        link.flows(IDEAL, 3, 10_000);
        String hash = link.run(1_000_000, 0, 0).run().traceHash();
        assertEquals(hash, link.run(1_000_000, 0, 0).run().traceHash());
    }

    @Test
    void newFactory_withoutANetwork_isRefused() {
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> Ideal.KIND.usual().newFactory(new SeededRandom(1)));
        assertTrue(refusal.getMessage().contains("simulations only"), refusal.getMessage());
        assertTrue(Ideal.KIND.usual().realPortObstacle().contains("oracle"));
    }
}
