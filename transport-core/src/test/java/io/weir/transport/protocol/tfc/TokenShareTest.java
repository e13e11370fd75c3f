package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.PartSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link TokenShare} on a link of one byte a nanosecond, where frames are 1000 bytes and a round trip without
 * queues 6000 ns.
 */
class TokenShareTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final int FRAME_BYTES = 1_000;
    private static final long RTT_NANOS = 6_000;
    /** Tokens that are never adjusted: equations 1 to 5. */
    private static final PartSettings PLAIN = TfcPort.PART.usual().with(TfcPort.ALPHA, 1_000_000);

    private static final PartSettings ADJUSTED = TfcPort.PART.usual();

    private static TokenShare share(PartSettings settings) {
        return new TokenShare(settings, RATE_BPS, FRAME_BYTES, RTT_NANOS);
    }

    @Test
    void onSlot_figure1_sixTokensAndThreeEffectiveFlowsAreWindowsOfTwo() {
        TokenShare share = share(PLAIN);
        // Flow 1's round trip is the slot, flow 2's is half of it: one mark and two.
        share.onSlot(RTT_NANOS, RTT_NANOS, 6 * FRAME_BYTES, 3);
        assertEquals(6 * FRAME_BYTES, share.tokenBytes());
        assertEquals(3, share.flows());
        assertEquals(2 * FRAME_BYTES, share.windowBytes());
    }

    @Test
    void onSlot_figure2_aFlowThatSendsNothingLeavesItsTokensToTheOther() {
        TokenShare share = share(PLAIN);
        share.onSlot(RTT_NANOS, RTT_NANOS, 6 * FRAME_BYTES, 3);
        share.onSlot(RTT_NANOS, RTT_NANOS, 6 * FRAME_BYTES, 3);
        assertEquals(2 * FRAME_BYTES, share.windowBytes());
        share.onSlot(RTT_NANOS, RTT_NANOS, 4 * FRAME_BYTES, 2);
        assertEquals(3 * FRAME_BYTES, share.windowBytes());
    }

    @Test
    void onSlot_queueingDelay_countsForFlowsAndNotForTokens() {
        TokenShare share = share(PLAIN);
        // Equations 3 to 5: the slot is twice the base round trip; each of three flows has one round in it.
        share.onSlot(RTT_NANOS, 2 * RTT_NANOS, 12 * FRAME_BYTES, 3);
        assertEquals(6 * FRAME_BYTES, share.tokenBytes());
        assertEquals(2 * FRAME_BYTES, share.windowBytes());
    }

    @Test
    void onSlot_halfUsedLink_movesAnEighthOfTheWayToTheAdjustedTokens() {
        TokenShare share = share(ADJUSTED);
        // Equation 7: rho is 1/2, so that the slot's tokens would be 6 * 0.97 / 0.5 = 11.64; equation 8: 7/8 * 6 + 1/8
        // * 11.64.
        share.onSlot(RTT_NANOS, RTT_NANOS, 3 * FRAME_BYTES, 1);
        assertEquals(6_705, (double) share.tokenBytes(), 1);
    }

    @Test
    void onSlot_roundTripsLongerThanTheBase_comesToTheExpectedUtilization() {
        TokenShare share = share(ADJUSTED);
        double rho = 0;
        for (int i = 0; i < 200; i++) {
            // Hosts take so long that a round is 1.3 times the base round trip: tokens arrive in that time.
            rho = share.tokenBytes() / (1.3 * RTT_NANOS);
            share.onSlot(RTT_NANOS, RTT_NANOS * 13 / 10, share.tokenBytes(), 1);
        }
        assertEquals(0.97, rho, 0.002);
    }

    @Test
    void onSlot_linkUsedAsExpected_settlesAtWhatItPasses() {
        TokenShare share = share(ADJUSTED);
        for (int i = 0; i < 200; i++) {
            share.onSlot(RTT_NANOS, RTT_NANOS, 5_820, 1);
        }
        assertEquals(6_000, (double) share.tokenBytes(), 6);
    }

    @Test
    void onSlot_idleLink_isBoundedByTheGain() {
        TokenShare share = share(ADJUSTED);
        for (int i = 0; i < 200; i++) {
            share.onSlot(RTT_NANOS, RTT_NANOS, i % 2, 1);
        }
        assertEquals(12_000, (double) share.tokenBytes(), 12);
    }

    @Test
    void onSlot_overload_neverLeavesLessThanAFrameForAll() {
        TokenShare share = share(ADJUSTED);
        for (int i = 0; i < 200; i++) {
            share.onSlot(RTT_NANOS, 10, 1_000_000_000, 1);
        }
        assertEquals(FRAME_BYTES, share.tokenBytes());
    }

    @Test
    void onSlot_longestRoundTripOfTheFastestLink_doesNotOverflow() {
        PartSettings largest = TfcPort.PART
                .usual()
                .with(TfcPort.RHO0, 1_000_000)
                .with(TfcPort.ALPHA, 0)
                .with(TfcPort.GAIN, 16);
        TokenShare share = new TokenShare(largest, 1_000_000_000_000L, FRAME_BYTES, 100_000_000);
        share.onSlot(100_000_000, 100_000_000, 1, 1);
        assertTrue(share.tokenBytes() > 1_000_000_000L, "tokens " + share.tokenBytes());
    }

    @Test
    void onSlot_newBaseRoundTrip_countsAtOnce() {
        TokenShare share = share(ADJUSTED);
        share.onSlot(RTT_NANOS / 3, RTT_NANOS / 3, 1_940, 1);
        assertEquals(2_000, (double) share.tokenBytes(), 2);
    }

    @Test
    void onFlows_moreThanInTheSlotBefore_lowersTheWindowAtOnce() {
        TokenShare share = share(PLAIN);
        share.onSlot(RTT_NANOS, RTT_NANOS, 6 * FRAME_BYTES, 2);
        share.onFlows(2);
        assertEquals(3 * FRAME_BYTES, share.windowBytes());
        share.onFlows(6);
        assertEquals(FRAME_BYTES, share.windowBytes());
        share.onFlows(1);
        assertEquals(FRAME_BYTES, share.windowBytes());
    }

    @Test
    void settings_impossible_areRefused() {
        for (Parameter<Long> parameter :
                List.of(TfcPort.RHO0, TfcPort.GAIN, TfcPort.RTT, TfcPort.WINDOW, TfcPort.MISSES, TfcPort.HOLD)) {
            assertThrows(ConfigException.class, () -> PLAIN.with(parameter, 0), parameter.key());
        }
        for (Parameter<Long> parameter : List.of(TfcPort.RHO0, TfcPort.ALPHA)) {
            assertThrows(ConfigException.class, () -> PLAIN.with(parameter, 1_000_001), parameter.key());
        }
        assertThrows(ConfigException.class, () -> PLAIN.with(TfcPort.GAIN, 17));
        assertThrows(ConfigException.class, () -> PLAIN.with(TfcPort.RTT, 100_000_001));
        assertThrows(ConfigException.class, () -> PLAIN.with(TfcPort.HELD, -1));
    }
}
