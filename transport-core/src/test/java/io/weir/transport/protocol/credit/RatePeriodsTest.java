package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.CatchUp;
import io.weir.pacer.CreditPacer;
import io.weir.pacer.CreditShape;
import io.weir.pacer.PauseBudget;
import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.protocol.HostPauses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RatePeriods} with a control that notes what it is told. */
class RatePeriodsTest {
    private static final long FRAME = 1_000;
    private static final long RTT = 100_000;

    private final List<String> periods = new ArrayList<>();
    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter lossMeter = new CreditLossMeter(ledger, false);
    private final CreditRtt rtt = new CreditRtt(new HostRtt(), FRAME);
    private final HostPauses hostPauses = new HostPauses(PauseBudget.NONE, 1_000_000_000L, 0);
    private final FlowPauses pauses = new FlowPauses(hostPauses);
    private final List<String> credits = new ArrayList<>();
    private long rateBps = 1_000_000_000;

    private CreditPacer pacer;

    private RatePeriods begin() {
        FeedbackControl control = new FeedbackControl() {
            @Override
            public long rateBps() {
                return rateBps;
            }

            @Override
            public void onPeriod(int total, int lost, long periodNanos, long rttNanos) {
                periods.add(lost + " of " + total + " in " + periodNanos);
            }

            @Override
            public boolean onCredit(long nextSequence, long rttNanos, boolean hasPaused) {
                credits.add(nextSequence + " after " + rttNanos + (hasPaused ? " and a pause" : ""));
                rateBps = 500_000_000;
                return true;
            }
        };
        pacer = new CreditPacer(
                CreditShape.permitting(1_538), new SeededRandom(1), new CatchUp(0), control.rateBps(), 0);
        RatePeriods tested = new RatePeriods(control, pacer, lossMeter, rtt, pauses, new FrameArrivals());
        tested.begin(1, 0);
        return tested;
    }

    private void echo(long sequence, long nowNanos) {
        rtt.onSent(sequence, nowNanos - RTT);
        lossMeter.onEcho(sequence, 0);
        rtt.onEcho(sequence, nowNanos);
    }

    @Test
    void update_aRoundTripSinceTheLatest_endsAPeriod() {
        RatePeriods tested = begin();
        echo(3, 50_000);
        tested.update(10, true, RTT - 1);
        assertEquals(List.of(), periods);
        tested.update(10, true, RTT);
        assertEquals(List.of("2 of 3 in 100000"), periods);
    }

    @Test
    void update_nothingBecameKnown_goesOn() {
        RatePeriods tested = begin();
        echo(1, 50_000);
        tested.update(10, true, RTT);
        tested.update(20, true, 5 * RTT);
        assertEquals(1, periods.size());
        echo(2, 5 * RTT);
        tested.update(20, true, 5 * RTT);
        assertEquals(List.of("0 of 1 in 100000", "0 of 1 in 400000"), periods);
    }

    @Test
    void update_metersMayStand_asksTheControlBeforeTheCredit() {
        rtt.onHandshake(RTT - 2 * FRAME);
        RatePeriods tested = begin();
        tested.update(7, true, RTT / 2);
        assertEquals(List.of("7 after 100000"), credits);
        assertEquals(500_000_000, pacer.rateBps());
    }

    @Test
    void update_hostHasPaused_tellsTheControlOnce() {
        RatePeriods tested = begin();
        hostPauses.onPause(4_000, 0);
        tested.update(7, true, 0);
        tested.update(8, true, 0);
        assertEquals(List.of("7 after 0 and a pause", "8 after 0"), credits);
    }

    @Test
    void update_noMeterStands_doesNotAskTheControl() {
        RatePeriods tested = begin();
        tested.update(7, false, RTT / 2);
        assertEquals(List.of(), credits);
        assertEquals(1_000_000_000, pacer.rateBps());
    }
}
