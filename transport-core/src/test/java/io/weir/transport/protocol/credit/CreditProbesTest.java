package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.testing.Acks;
import io.weir.transport.wire.IpAddress;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link CreditProbes} of a flow whose round trip is known to be 80 us, and whose host has seen no credit come
 * back.
 */
class CreditProbesTest {
    private static final long FRAME = 800;
    private static final long RTT = 80_000;
    private static final long EXPIRY = 1_000_000;

    private final CreditHost host = new CreditHost(
            new StandingBudget(8 * StandingBudget.UNIT_BYTES), new HostRtt(), new HostDelivery(), new SpareCredits());
    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter lossMeter = new CreditLossMeter(ledger, false);
    private final CreditRtt rtt = new CreditRtt(host.rtt(), FRAME);
    private final BacklogNeeds needs = new BacklogNeeds(
            host,
            ledger,
            lossMeter,
            rtt,
            new StandingCredit(host.standing().accountOf(IpAddress.v4(1), StandingBudget.UNIT_BYTES)),
            true,
            1_000);

    private CreditProbes probes(int backlogFrames) {
        needs.setMetered(true);
        needs.begin(1);
        needs.setBytes(backlogFrames * 1_000L);
        rtt.onHandshake(RTT - 2 * FRAME);
        CreditProbes probes = new CreditProbes(CreditConfig.DEFAULT, host, needs, rtt, null, Acks.calm(), true);
        probes.begin();
        probes.onSent(0);
        return probes;
    }

    @Test
    void nextNanos_oneFrameWhereLossIsLikely_isSoonAfterARoundTrip() {
        CreditProbes probes = probes(1);
        assertEquals(RTT + RTT / 8, probes.nextNanos());
        probes.onSent(1_000);
        assertEquals(1_000 + RTT + RTT / 8, probes.nextNanos());
    }

    @Test
    void nextNanos_roundTripUnknown_leavesItToExpiry() {
        CreditProbes probes = probes(1);
        rtt.onHandshake(0);
        assertEquals(NO_DEADLINE, probes.nextNanos());
        assertEquals(EXPIRY, probes.expiryNanos());
    }

    @Test
    void onSilence_severalFrames_fourTimesTwoCreditsFollowAnEighthOfARoundTripApart() {
        CreditProbes probes = probes(7);
        for (int i = 1; i <= 4; i++) {
            assertEquals(RTT / 8, probes.nextNanos());
            assertTrue(probes.onSilence(RTT / 8));
            assertEquals(2L * i, probes.credits());
        }
        assertFalse(probes.isSounding());
        assertEquals(RTT + RTT / 8, probes.nextNanos());
        probes.onSilence(RTT + RTT / 8);
        assertTrue(probes.isSounding());
    }

    @Test
    void onSilence_again_doublesItsCreditsAsFarAsTheHostCanAfford() {
        CreditProbes probes = probes(1);
        probes.onSilence(0);
        long first = probes.credits();
        assertEquals(needs.creditsForShort(1), first);
        probes.onSilence(0);
        assertEquals(3 * first, probes.credits());
        host.spares().onSent(10_000);
        probes.onSilence(0);
        assertEquals(3 * first + 1, probes.credits());
        probes.onHeard();
        assertEquals(0, probes.credits());
    }

    @Test
    void onSilence_afterExpiry_addsNothingAndEachNextOneTakesTwiceAsLong() {
        CreditProbes probes = probes(1);
        probes.onSilence(EXPIRY - 1);
        long asked = probes.credits();
        assertFalse(probes.onSilence(EXPIRY));
        assertEquals(asked, probes.credits());
        probes.onGivenUp();
        assertEquals(0, probes.credits());
        assertEquals(2 * EXPIRY, probes.expiryNanos());
        probes.onHeard();
        assertEquals(EXPIRY, probes.expiryNanos());
    }
}
