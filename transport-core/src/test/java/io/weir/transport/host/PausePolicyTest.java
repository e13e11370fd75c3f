package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.PauseCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests what a host does about the pauses of its driver and of its peer's: time-outs, credits, and the budget in bytes.
 */
class PausePolicyTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long WINDOW = PeerFrames.WINDOW_BYTES;
    private static final long MILLISECOND = 1_000_000;
    private static final long RETRANSMIT_NANOS = ConnectionTimers.DEFAULT.retransmitNanosInitial();
    private static final long REQUEST_NANOS = ExpressPass.weir().whole(ExpressPass.REQUEST_TIMEOUT);
    private static final long STOP_NANOS = ExpressPass.weir().whole(ExpressPass.STOP);

    private static Script host(PauseBudget pauses, int earlyBytes) {
        return new Script(builder -> builder.pauses(pauses)).establishFromHost(earlyBytes, WINDOW);
    }

    private static PauseBudget budget(int frames) {
        return PauseBudget.NONE.withBytes(frames * 1538L);
    }

    /** One segment in flight at time 0, all of the stream. */
    private static Script oneInFlight() {
        return host(PauseBudget.NONE, SEGMENT)
                .receives(peer -> peer.credit(1))
                .sends("DATA [0,1424) credit=1 backlog=0")
                .mark();
    }

    // ---- time-outs

    @Test
    void retransmissionTimeout_hostPauses_isLaterByThePause() {
        try (Script script = oneInFlight()) {
            script.at(5 * MILLISECOND).pause(8 * MILLISECOND);
            script.at(RETRANSMIT_NANOS + 8 * MILLISECOND - 1)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 0)
                    .at(RETRANSMIT_NANOS + 8 * MILLISECOND)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 1);
        }
    }

    /** Moved by each pause, it would fire in each cycle of a host that pauses in each, for every idle connection. */
    @Test
    void stopTimeout_hostPauses_firesOnce() {
        try (Script script = oneInFlight()) {
            script.receives(peer -> peer.ack(SEGMENT, WINDOW, 4))
                    .shutdown()
                    .at(5_000)
                    .receives(peer -> peer.ack(SEGMENT + 1, WINDOW, 5))
                    .receives(peer -> peer.end(0))
                    .sends("DATA [1424,1424) FIN credit=0 backlog=0")
                    .sends("ACK 1 window=262144");
            assertEquals(CloseReason.FINISHED, script.connection().closeReason());
            script.at(STOP_NANOS / 2).pause(STOP_NANOS).after(1).sendsNothing();
            long dueNanos = script.host().nextTimeoutNanos() - script.nowNanos();
            assertTrue(dueNanos > 10 * STOP_NANOS, () -> "not the time to linger: " + dueNanos);
        }
    }

    @Test
    void retransmissionTimeout_hostPausesBeyondIt_waitsForWhatLiesInTheRings() {
        try (Script script = oneInFlight()) {
            script.at(RETRANSMIT_NANOS - MILLISECOND)
                    .pause(30 * MILLISECOND)
                    .after(0)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 0)
                    .receives(peer -> peer.ack(SEGMENT, WINDOW, 4))
                    .after(RETRANSMIT_NANOS)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 0);
        }
    }

    @Test
    void retransmissionTimeout_peerAnnouncesPauses_isLaterByThose() {
        try (Script script = host(PauseBudget.NONE, 2 * SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.pausingAck(SEGMENT, 3, 8 * MILLISECOND))
                    .receives(peer -> peer.credit(2))
                    .mark()
                    .at(RETRANSMIT_NANOS + 8 * MILLISECOND - 1)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 0)
                    .at(RETRANSMIT_NANOS + 9 * MILLISECOND)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 1);
        }
    }

    @Test
    void retransmissionTimeout_peerAnnouncesAbsurdPauses_isLaterByTheLimitAtMost() {
        long limitNanos = PauseBudget.NONE.peerNanosMax();
        try (Script script = host(PauseBudget.NONE, 2 * SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.pausingAck(SEGMENT, 3, Long.MAX_VALUE))
                    .receives(peer -> peer.credit(2))
                    .mark()
                    .at(RETRANSMIT_NANOS + limitNanos - 1)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 0)
                    .at(RETRANSMIT_NANOS + limitNanos + MILLISECOND)
                    .counts(CounterId.RETRANSMISSION_TIMEOUTS, 1);
        }
    }

    @Test
    void request_hostPausesWhileItWaitsForCredits_isRepeatedLaterByThePause() {
        try (Script script = host(PauseBudget.NONE, 0).write(100)) {
            script.sends("REQUEST backlog=100 credit<=0 no-ack").at(MILLISECOND).pause(5 * MILLISECOND);
            script.at(REQUEST_NANOS + 5 * MILLISECOND - 1)
                    .sendsNothing()
                    .at(REQUEST_NANOS + 5 * MILLISECOND)
                    .sends("REQUEST backlog=100 credit<=0 repeated");
        }
    }

    // ---- what peers are told

    @Test
    void data_afterPauses_announcesThem() {
        try (Script script = host(PauseBudget.NONE, 2 * SEGMENT)) {
            assertEquals(0, script.host().pauses().code(0));
            script.pause(4 * MILLISECOND).after(20 * MILLISECOND);
            long nanos = PauseCode.nanos(script.host().pauses().code(20 * MILLISECOND));
            assertTrue(nanos >= 4 * MILLISECOND && nanos <= 5 * MILLISECOND, nanos + " ns");
        }
    }

    // ---- credits that are too old

    @Test
    void onCredit_foundAfterAPauseWithinTheBudget_isUsed() {
        try (Script script = host(budget(2), 4 * SEGMENT)) {
            script.pause(4 * MILLISECOND)
                    .receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2))
                    .receivesUnpolled(peer -> peer.credit(3))
                    .after(0)
                    .sends("DATA [0,1424) credit=1 backlog=4272")
                    .sends("DATA [1424,2848) credit=2 backlog=2848")
                    .counts(CounterId.CREDITS_EXPIRED, 1);
        }
    }

    @Test
    void onCredit_secondPauseSoonAfter_budgetIsForBoth() {
        try (Script script = host(budget(2), 8 * SEGMENT)) {
            script.pause(4 * MILLISECOND).pause(4 * MILLISECOND);
            for (int i = 1; i <= 4; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.counts(CounterId.CREDITS_EXPIRED, 2);
        }
    }

    @Test
    void onCredit_withoutBudget_expiresAsEver() {
        try (Script script = host(PauseBudget.NONE, 4 * SEGMENT)) {
            script.pause(4 * MILLISECOND)
                    .receivesUnpolled(peer -> peer.credit(1))
                    .counts(CounterId.CREDITS_EXPIRED, 1);
        }
    }

    @Test
    void onCredit_moreThanSixtyFourInHand_areKeptAsFarAsTheBudgetReaches() {
        try (Script script = host(budget(10), 100 * SEGMENT)) {
            for (int i = 1; i <= 80; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.counts(CounterId.CREDITS_EXPIRED, 6);
        }
    }

    @Test
    void onCredit_ringsHoldMoreThanACycleTakes_restOfThePauseIsLateToo() {
        try (Script script = host(budget(2), 8 * SEGMENT)) {
            script.pause(4 * MILLISECOND).receivesUnpolled(peer -> peer.credit(1));
            script.after(20_000);
            for (int i = 2; i <= 5; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.counts(CounterId.CREDITS_EXPIRED, 3);
        }
    }

    @Test
    void onCredit_ringsWereEmptySinceThePause_isNotLate() {
        try (Script script = host(PauseBudget.NONE, 8 * SEGMENT)) {
            script.pause(4 * MILLISECOND).caughtUp().after(20_000);
            script.receivesUnpolled(peer -> peer.credit(1)).counts(CounterId.CREDITS_EXPIRED, 0);
        }
    }

    @Test
    void onCredit_asLongAgainAfterThePause_isNotLate() {
        try (Script script = host(PauseBudget.NONE, 8 * SEGMENT)) {
            script.pause(4 * MILLISECOND).after(4 * MILLISECOND);
            script.receivesUnpolled(peer -> peer.credit(1)).counts(CounterId.CREDITS_EXPIRED, 0);
        }
    }

    // ---- what a receiver asks for

    /** {@return how many credits leave at once after a pause of four milliseconds, of a peer with a large backlog} */
    private static long creditsAfterPause(PauseBudget pauses) {
        try (Script script = new Script(builder -> builder.pauses(pauses))) {
            // Some thirty credits are out when the peer confirms, of the hundred and eighty that its window takes.
            script.establishFromPeer(1_000_000, 50_000).pause(4 * MILLISECOND).after(100);
            List<SentFrame> sent = script.takeSent();
            return sent.stream()
                    .filter(frame -> frame.text().startsWith("CREDIT"))
                    .count();
        }
    }

    @Test
    void pollCredit_afterAPause_makesUpForTheBudget() {
        long strict = creditsAfterPause(PauseBudget.NONE);
        long twenty = creditsAfterPause(budget(20));
        assertTrue(strict <= 3, strict + " credits: the meter's burst");
        assertTrue(twenty >= strict + 18 && twenty <= strict + 21, twenty + " credits for " + strict);
    }
}
