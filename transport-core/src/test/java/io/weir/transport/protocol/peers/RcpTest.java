package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.testing.Acks;
import io.weir.transport.testing.SharedLink;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Rcp}, alone and over a link of 10 Gbit/s with an empty round trip of 95 us. */
class RcpTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DELAY_NANOS = 15_000;
    private static final double RTT_NANOS = 6 * DELAY_NANOS + 4_000;
    private static final PortSpec PORT = SharedLink.port().withPolicies(RcpPort.PART.usual());

    private final Rcp rcp = new Rcp();
    private final Acks acks = new Acks();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DataHeader.BYTES));

    // ---- the control

    @Test
    void windowBytes_noRateYet_hasRoomForTheFirstSegmentAlone() {
        assertEquals(0, rcp.windowBytes());
        rcp.observe(acks.of(1, 90_000, 5_000, Marks.RATE), 0);
        assertTrue(rcp.windowBytes() > RATE_BPS);
        assertEquals(5_000_000, rcp.rateBps());
    }

    @Test
    void observe_largeStamp_isUnsigned() {
        rcp.observe(acks.of(1, 90_000, 0xF000_0000, Marks.RATE), 0);
        assertEquals(0xF000_0000L * 1_000, rcp.rateBps());
    }

    @Test
    void observe_noPortHasARate_isLimitedByItsLinkAlone() {
        rcp.observe(acks.of(1, 90_000, DataHeader.WINDOW_UNSET, Marks.RATE), 0);
        assertEquals(0, rcp.rateBps());
        assertTrue(rcp.windowBytes() > 0);
    }

    @Test
    void observe_otherMarks_changeNothing() {
        rcp.observe(acks.of(1, 90_000, 7, Marks.CONGESTION), 0);
        assertEquals(0, rcp.windowBytes());
    }

    @Test
    void onSegment_always_asksAndTellsItsRoundTrip() {
        rcp.observe(acks.of(1, 80_000, 7, Marks.RATE), 0);
        rcp.observe(acks.of(1, 88_000, 7, Marks.RATE), 0);
        rcp.onSegment(buffer, 0, 0);
        assertEquals(DataHeader.WINDOW_UNSET, DataHeader.window(buffer, 0));
        assertEquals(Marks.RATE, DataHeader.marks(buffer, 0));
        assertEquals(81_000, DataHeader.roundTripNanos(buffer, 0));
    }

    @Test
    void onRetransmissionTimeout_rateKnown_asksAgain() {
        rcp.observe(acks.of(1, 90_000, 5_000, Marks.RATE), 0);
        rcp.onRetransmissionTimeout(0, 0);
        assertEquals(0, rcp.windowBytes());
        assertEquals(0, rcp.rateBps());
    }

    // ---- over a link

    @Test
    void run_secondFlowJoins_bothHaveTheirShareWithinFourRoundTrips() {
        SharedLink link = new SharedLink(RATE_BPS, DELAY_NANOS, PORT).flows(Rcp.KIND.usual(), 2, 2_000_000);
        ScenarioResult result = link.run(5_000_000, 0, 100_000);
        double[] first = link.shares(result, 0);
        double[] second = link.shares(result, 1);
        assertEquals(1, first[19], 0.02, "alone");
        // A round trip to open, one to ask, and two.
        assertEquals(0.5, first[24], 0.02);
        assertEquals(0.5, second[24], 0.02);
        for (int i = 40; i < 50; i++) {
            assertEquals(0.5, first[i], 0.02, "settled");
            assertEquals(0.5, second[i], 0.02, "settled");
        }
        assertEquals(0, SharedLink.shared(result).dataDrops());
    }

    @ParameterizedTest
    @CsvSource({"1, 100000", "1, 1000000", "3, 100000", "3, 500000", "7, 500000"})
    void run_shortFlowAmongLongOnes_takesAsLongAsByProcessorSharing(int longFlows, long bytes) {
        SharedLink link = new SharedLink(RATE_BPS, DELAY_NANOS, PORT)
                .flows(Rcp.KIND.usual(), longFlows, 1_000)
                .flow(Rcp.KIND.usual(), bytes, 5_000_000, Traffic.Times.NEVER.atNanos());
        ScenarioResult result = link.run(11_000_000, 0, 0);
        double sharedNanos = bytes * SharedLink.WIRE_PER_PAYLOAD * 8e9 / RATE_BPS * (longFlows + 1);
        // One round trip to open, one to ask for the rate, and half of one for the last byte to arrive.
        double expectedNanos = 2.5 * RTT_NANOS + sharedNanos;
        assertEquals(1, result.flows().get(longFlows).completionNanos() / expectedNanos, 0.12);
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void run_manyFlowsAtOnce_overflowsTheQueueAndSettles(int flows) {
        SharedLink link = new SharedLink(RATE_BPS, DELAY_NANOS, PORT).flows(Rcp.KIND.usual(), flows, 7_000);
        PortResult all = SharedLink.shared(link.run(8_000_000, 0, 0));
        assertTrue(all.queueBytesMax() > 380_000, all.toString());
        assertTrue(all.dataDrops() > 1_000, all.toString());
        PortResult settled = SharedLink.shared(link.run(24_000_000, 16_000_000, 0));
        assertTrue(settled.utilization() > 0.95, settled.toString());
        assertTrue(settled.queueBytesMean() < 20_000, settled.toString());
    }

    @Test
    void run_eightFlows_areEqual() {
        SharedLink link = new SharedLink(RATE_BPS, DELAY_NANOS, PORT).flows(Rcp.KIND.usual(), 8, 300_000);
        ScenarioResult result = link.run(16_000_000, 8_000_000, 0);
        assertTrue(result.summary().jainIndex() > 0.999, result.summary().toString());
        assertTrue(
                SharedLink.shared(result).utilization() > 0.99, result.summary().toString());
    }
}
