package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.wire.IpAddress;
import org.junit.jupiter.api.Test;

/** Tests {@link BacklogNeeds}: segments of 1,000 B, which take 800 ns. */
class BacklogNeedsTest {
    private final CreditHost host = new CreditHost(
            new StandingBudget(8 * StandingBudget.UNIT_BYTES), new HostRtt(), new HostDelivery(), new SpareCredits());
    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter lossMeter = new CreditLossMeter(ledger, false);
    private final CreditRtt rtt = new CreditRtt(host.rtt(), 800);
    private final StandingCredit standing =
            new StandingCredit(host.standing().accountOf(IpAddress.v4(1), StandingBudget.UNIT_BYTES));

    private BacklogNeeds needs(boolean hasSpares, boolean isMetered, long backlogBytes) {
        BacklogNeeds needs = new BacklogNeeds(host, ledger, lossMeter, rtt, standing, hasSpares, 1_000);
        needs.setMetered(isMetered);
        needs.begin(1);
        needs.setBytes(backlogBytes);
        return needs;
    }

    private void echo(long sequence) {
        ledger.onSent(1);
        lossMeter.onEcho(sequence, 0);
    }

    @Test
    void credits_noSpares_areOneForEachFrame() {
        assertEquals(2, needs(false, true, 1_001).credits(1));
    }

    @Test
    void credits_noMeters_areOneForEachFrame() {
        assertEquals(2, needs(true, false, 1_001).credits(1));
    }

    @Test
    void credits_metersOnAYoungFlow_haveSpares() {
        BacklogNeeds needs = needs(true, true, 1_000);
        assertTrue(needs.isLossLikely());
        assertEquals(needs.creditsForShort(1), needs.credits(1));
        assertTrue(needs.credits(1) > 1);
    }

    @Test
    void credits_hostHasNoneToSpare_areOneForEachFrame() {
        host.spares().onSent(10_000);
        assertEquals(7, needs(true, true, 7_000).credits(1));
    }

    @Test
    void credits_hostLosesHalf_spareAFifthOfARoundTripAndNoFewerThanEight() {
        for (int i = 0; i < 64; i++) {
            host.delivery().onEcho(1);
        }
        BacklogNeeds needs = needs(true, true, 7_000);
        assertEquals(7 + 8, needs.credits(1), "the round trip is not known");
        rtt.onHandshake(10_000);
        assertEquals(7 + 8, needs.credits(1));
        rtt.onHandshake(100 * 800);
        assertEquals(7 + 102 / 5, needs.credits(1));
        rtt.onHandshake(1_000_000);
        assertTrue(needs.creditsForShort(7) > 7 + 102 / 5);
        assertTrue(needs.credits(1) > 7 + 102 / 5);
    }

    @Test
    void isFirst_onlyBeforeItBegan() {
        BacklogNeeds needs = new BacklogNeeds(host, ledger, lossMeter, rtt, standing, true, 1_000);
        needs.setBytes(24_000);
        assertTrue(needs.isFirst());
        needs.begin(1);
        assertFalse(needs.isFirst());
    }

    @Test
    void credits_last64FramesOfALongFlow_spareAFew() {
        BacklogNeeds needs = needs(true, true, 65_000);
        rtt.onHandshake(1_000_000);
        for (int i = 1; i <= 400; i++) {
            echo(i);
            host.delivery().onEcho(i % 8 == 0 ? 1 : 0);
        }
        assertEquals(host.delivery().creditsFor(65), needs.credits(401));
        needs.setBytes(64_000);
        assertTrue(needs.credits(401) > host.delivery().creditsFor(64));
    }

    @Test
    void isShort_untilMoreThan24WereUsedSinceItBegan() {
        BacklogNeeds needs = needs(true, true, 100_000);
        for (int i = 1; i <= 24; i++) {
            echo(i);
        }
        assertTrue(needs.isShort());
        echo(25);
        assertFalse(needs.isShort());
        needs.begin(26);
        assertTrue(needs.isShort());
    }

    @Test
    void lost_standingCreditOvertaken_isNotLost() {
        BacklogNeeds needs = needs(true, true, 1_000);
        standing.setWanted(true);
        standing.tryMake(true, 1, 0);
        echo(2);
        assertEquals(1, ledger.lost());
        assertEquals(0, needs.lost());
        standing.end();
        assertEquals(1, needs.lost());
    }
}
