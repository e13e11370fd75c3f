package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.StreamLimits;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.RequestHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditReceiver}: a host that gives credits, and a peer that uses them or does not. */
class CreditReceiverTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long GAP = Script.CREDIT_GAP_NANOS;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long EXPIRY = ExpressPass.weir().whole(ExpressPass.CREDIT_EXPIRY);
    private static final int FIN = DataHeader.FLAG_FIN;

    private static Script opened() {
        return new Script().establishFromPeer(0);
    }

    private static List<String> creditsOf(Script script) {
        return script.takeSent().stream()
                .map(SentFrame::text)
                .filter(text -> text.startsWith("CREDIT"))
                .toList();
    }

    private static List<Long> creditTimesOf(Script script) {
        return script.takeSent().stream()
                .filter(frame -> frame.text().startsWith("CREDIT"))
                .map(SentFrame::nanos)
                .toList();
    }

    @Test
    void table_asGraph_isTheGoldenOne() {
        Golden.requireEqual("CreditReceiver.dot", CreditReceiver.TABLE.toDot());
    }

    /** {@return what makes a connection on a path without meters, where no credit is supposed to be lost} */
    private static Script unmetered() {
        return new Script(builder -> builder.creditFramesMax(2)).peerCreditFrames(2);
    }

    private static Script openedUnmetered() {
        return unmetered().establishFromPeer(0);
    }

    /** {@return a connection with room for two credits, which expire after {@link #EXPIRY}: its round trip is short} */
    private static Script openedNarrowly() {
        return new Script(builder -> builder.streams(StreamLimits.fixed(1 << 16, 4096))).establishFromPeer(0, 100_000);
    }

    @Test
    void onRequest_idle_pacesCreditsAtEvenGaps() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(3 * GAP);
            // The first credit leaves behind the acknowledgement that every request is answered with.
            script.sendsAt(0, "ACK 0 window=262144")
                    .sendsAt(126, "CREDIT 1 ack=0")
                    .sendsAt(GAP, "CREDIT 2 ack=0")
                    .sendsAt(2 * GAP, "CREDIT 3 ack=0")
                    .sendsAt(3 * GAP, "CREDIT 4 ack=0")
                    .sendsNothing();
        }
    }

    @Test
    void onRequest_smallBacklog_givesOnlyWhatItNeeds() {
        try (Script script = openedUnmetered()) {
            script.receives(peer -> peer.request(2 * SEGMENT + 1, 0)).at(EXPIRY / 2);
            assertEquals(List.of("CREDIT 1 ack=0", "CREDIT 2 ack=0", "CREDIT 3 ack=0"), creditsOf(script));
        }
    }

    @Test
    void onRequest_withoutBacklog_isAnsweredWithAnAckOnly() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(0, 0))
                    .at(SECOND)
                    .sends("ACK 0 window=262144")
                    .sendsNothing();
        }
    }

    @Test
    void onRequest_paper_creditsUntilToldToStop() {
        try (Script script = new Script(ExpressPass.paper()).establishFromPeer(0)) {
            script.receives(peer -> peer.request(1, 0)).at(100 * GAP);
            int count = creditsOf(script).size();
            assertTrue(count >= 50, "the first rate is half the highest: " + count);
            long last = count;
            script.receives(peer -> peer.stop(last)).after(SECOND).sendsNothing();
        }
    }

    @Test
    void onStop_lost_creditsGoOnUntilTheNext() {
        try (Script script = new Script(ExpressPass.paper()).establishFromPeer(0)) {
            script.receives(peer -> peer.request(1, 0))
                    .at(100 * GAP)
                    .forgetSent()
                    .at(200 * GAP);
            assertTrue(creditsOf(script).size() >= 49);
        }
    }

    /** One of them lost would cost a round trip, as much as all of it takes. */
    @Test
    void onRequest_smallBacklogBehindMetersNothingKnown_givesSome() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(EXPIRY / 2);
            assertEquals(8, creditsOf(script).size());
        }
    }

    /** The first ones may have met a meter that was full for some microseconds. */
    @Test
    void trailing_nothingCameBack_twoFollowEachEighthOfARoundTrip() {
        try (Script script = new Script().establishFromPeer(0, 80_000)) {
            script.receives(peer -> peer.request(4 * SEGMENT, 0)).at(90_000);
            List<Long> times = creditTimesOf(script);
            int first = times.size() - 4 * 2;
            assertEquals(4 + 10, first, times.toString());
            for (int i = first; i < times.size(); i += 2) {
                assertEquals(10_300, (double) (times.get(i) - times.get(i - 1)), 200.0, times.toString());
                assertEquals(times.get(i) + GAP, times.get(i + 1), times.toString());
            }
        }
    }

    @Test
    void trailing_creditCameBack_noneFollows() {
        try (Script script = new Script().establishFromPeer(0, 80_000)) {
            script.receives(peer -> peer.request(5 * SEGMENT, 0))
                    .at(30 * GAP)
                    .forgetSent()
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 4 * SEGMENT))
                    .at(80_000);
            assertEquals(List.of(), creditsOf(script));
        }
    }

    /** Any one of its credits suffices for a frame. */
    @Test
    void trailing_threeFrames_noneFollows() {
        try (Script script = new Script().establishFromPeer(0, 80_000)) {
            script.receives(peer -> peer.request(3 * SEGMENT, 0)).at(80_000);
            assertEquals(3 + 10, creditsOf(script).size());
        }
    }

    @Test
    void trailing_hostHasFewToSpare_noneFollows() {
        try (Script script = new Script().establishFromPeer(0, 80_000)) {
            long last = askUntilNoneAreSpared(script);
            script.receives(peer -> peer.request(7 * SEGMENT, last)).after(80_000);
            assertEquals(7, creditsOf(script).size());
        }
    }

    @Test
    void trailing_longBacklog_noneFollows() {
        try (Script script = new Script().establishFromPeer(0, 30_000)) {
            script.receives(peer -> peer.request(17 * SEGMENT, 0)).at(60_000);
            List<Long> times = creditTimesOf(script);
            for (int i = 1; i < times.size(); i++) {
                assertTrue(times.get(i) - times.get(i - 1) <= 2 * GAP, times.toString());
            }
        }
    }

    @Test
    void trailing_pathWithoutMeters_noneFollows() {
        try (Script script = unmetered().establishFromPeer(0, 30_000)) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(30_000);
            assertEquals(1, creditsOf(script).size());
        }
    }

    /** Half of its credits were lost. A host that knows little supposed that two fifths would be. */
    @Test
    void onData_lastFramesOfAShortFlowThatLosesCredits_sparesSome() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(22 * SEGMENT, 0)).at(60 * GAP);
            assertEquals(42, creditsOf(script).size());
            for (long i = 0; i < 16; i++) {
                long frame = i;
                script.receives(
                        peer -> peer.data(2 * frame + 2, frame * SEGMENT, SEGMENT, 0, (22 - 1 - frame) * SEGMENT));
            }
            script.after(20 * GAP);
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(16, ledger.used());
            assertEquals(15, ledger.outstanding(), "for six frames");
        }
    }

    /** {@return how many credits came until the host had none to spare, for a frame that was never sent} */
    private static int askUntilNoneAreSpared(Script script) {
        int credits = 0;
        for (int count = 2; count > 1; credits += count) {
            long last = credits;
            script.receives(peer -> peer.request(SEGMENT, last)).after(10 * GAP);
            count = creditsOf(script).size();
            long now = last + count;
            script.receives(peer -> peer.stop(now)).after(GAP).forgetSent();
        }
        return credits;
    }

    @Test
    void onRequest_againAndAgainForNothing_hostRunsOutOfCreditsToSpare() {
        try (Script script = opened()) {
            int credits = askUntilNoneAreSpared(script);
            assertTrue(credits >= 256 && credits < 400, credits + " credits, of which 256 to spare");
            long last = credits;
            script.receives(peer -> peer.request(7 * SEGMENT, last)).after(10 * GAP);
            assertEquals(7, creditsOf(script).size());
        }
    }

    @Test
    void probe_hostWithoutCreditsToSpare_asksWithOneEachTime() {
        try (Script script = new Script().establishFromPeer(0, 30_000)) {
            long last = askUntilNoneAreSpared(script);
            script.receives(peer -> peer.request(SEGMENT, last)).after(500_000);
            List<Long> times = creditTimesOf(script);
            assertTrue(times.size() > 5, times::toString);
            for (int i = 1; i < times.size(); i++) {
                assertTrue(times.get(i) - times.get(i - 1) > 10 * GAP, times.toString());
            }
        }
    }

    @Test
    void onData_saysThatMoreWaits_givesCreditsForIt() {
        try (Script script = openedUnmetered()) {
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .at(10_000)
                    .forgetSent()
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 2 * SEGMENT))
                    .at(20_000);
            assertEquals(List.of("CREDIT 2 x2 ack=1424"), creditsOf(script));
        }
    }

    @Test
    void onData_saysThatNothingWaits_stops() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0))
                    .at(3 * GAP)
                    .forgetSent()
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 0))
                    .at(SECOND);
            assertEquals(List.of(), creditsOf(script));
        }
    }

    @Test
    void onData_overtaken_doesNotBringAnOldBacklogBack() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(2 * SEGMENT, 0)).at(3 * GAP).forgetSent();
            SentFrame overtaken = script.record(peer -> peer.data(1, 0, SEGMENT, 0, SEGMENT));
            script.receives(peer -> peer.request(5 * SEGMENT, 2))
                    .receivesAgain(overtaken)
                    .at(SECOND / 2);
            assertTrue(creditsOf(script).size() >= 5, "what is newer counts");
        }
    }

    @Test
    void onStop_overtakenByARequest_stopsNothing() {
        try (Script script = openedUnmetered()) {
            SentFrame overtaken = script.record(peer -> peer.stop(0));
            script.receives(peer -> peer.request(5 * SEGMENT, 0))
                    .receivesAgain(overtaken)
                    .at(EXPIRY / 2);
            assertEquals(5, creditsOf(script).size());
        }
    }

    @Test
    void onRequest_repeatedAndNews_countsABacklogUnheard() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .receives(peer -> peer.request(RequestHeader.FLAG_REPEATED, SEGMENT, 0))
                    .counts(CounterId.BACKLOGS_UNHEARD, 0)
                    .after(3 * GAP)
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 0))
                    .receives(peer -> peer.request(RequestHeader.FLAG_REPEATED, SEGMENT, 1))
                    .counts(CounterId.BACKLOGS_UNHEARD, 1);
        }
    }

    @Test
    void onFinished_moreWaitsByMistake_givesNoCredits() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0))
                    .at(3 * GAP)
                    .receives(peer -> peer.data(1, 0, 100, FIN, 5_000))
                    .at(4 * GAP)
                    .forgetSent()
                    .receives(peer -> peer.request(5_000, 1))
                    .at(SECOND);
            assertEquals(List.of(), creditsOf(script));
        }
    }

    @Test
    void expiry_roundTripIsLong_comesAfterProbes() {
        long roundTripNanos = 1_000_000 + 3_076;
        try (Script script = unmetered().establishFromPeer(0, 1_000_000)) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(126 + 7 * EXPIRY);
            List<Long> times = creditTimesOf(script);
            // A credit's clock starts when it leaves, which the first does behind the acknowledgement.
            assertEquals(
                    List.of(126L, 126 + 2 * roundTripNanos, 126 + 4 * roundTripNanos, 126 + 6 * roundTripNanos), times);
            assertEquals(0, script.connection().creditLedger().expired());
        }
    }

    @Test
    void probe_lastCreditsLost_oneMoreAsksAfterARoundTripAndShowsTheGap() {
        try (Script script = openedUnmetered()) {
            // The first credit's data tell the round trip, 20 us, and that three segments wait.
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .at(20_126)
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 3 * SEGMENT))
                    .at(42_000)
                    .forgetSent();
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(3, ledger.outstanding());
            // All three are lost. A round trip and an eighth after the last of them another goes; nothing is given up
            // yet.
            script.at(50_000);
            assertEquals(1, creditsOf(script).size());
            assertEquals(0, ledger.expired());
            script.receives(peer -> peer.data(5, SEGMENT, SEGMENT, 0, 2 * SEGMENT));
            assertEquals(3, ledger.lost());
            // Eight to spare for two frames: where some were lost, more will be, and a short flow has not the time
            // to find out.
            script.at(80_000);
            assertEquals(10, framesOf(creditsOf(script)));
        }
    }

    @Test
    void probe_hostThatLosesCredits_asksSoonAfterARoundTripAndForMoreEachTime() {
        try (Script script = openedUnmetered()) {
            // Of the credits for three segments none comes back, and the probe's shows that they were lost.
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .at(20_126)
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, 3 * SEGMENT))
                    .at(90_000)
                    .receives(peer -> peer.data(5, SEGMENT, SEGMENT, 0, SEGMENT))
                    .at(109_000)
                    .forgetSent();
            CreditLedger ledger = script.connection().creditLedger();
            int outstanding = (int) ledger.outstanding();
            assertEquals(9, outstanding, "for one frame");
            script.at(290_000);
            List<Long> times = script.takeSent().stream().map(SentFrame::nanos).toList();
            assertTrue(times.size() > 4 * outstanding, "more each time: " + times);
            long gapNanos = times.get(outstanding) - times.get(outstanding - 1);
            assertTrue(gapNanos >= 20_000, "no sooner than a round trip: " + times);
            assertTrue(gapNanos < 30_000, "sooner than two: " + times);
            script.forgetSent().at(SECOND);
            int count = creditsOf(script).size();
            assertTrue(count < 200, count + " credits into silence");
        }
    }

    @Test
    void probe_nothingHeardOnAPathWithoutMeters_asksAfterTwoRoundTripsOfTheHandshake() {
        try (Script script = unmetered().establishFromPeer(0, 30_000)) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(60_000);
            assertEquals(1, creditsOf(script).size());
            script.at(70_000);
            assertEquals(1, creditsOf(script).size());
        }
    }

    /** Nothing is known of what credits meet here: several ask, soon after a round trip. */
    @Test
    void probe_nothingHeardBehindMeters_asksSoonAfterTheHandshakesRoundTrip() {
        try (Script script = new Script().establishFromPeer(0, 30_000)) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(7 * GAP + 36_000);
            assertEquals(8, creditsOf(script).size());
            script.after(9 * GAP);
            assertEquals(8, creditsOf(script).size());
        }
    }

    /** On a slow link a handshake, whose frames are short, says little of how long a credit and its data take. */
    @Test
    void probe_handshakeShorterThanAFrame_waitsForTheFramesTimeToo() {
        try (Script script = unmetered().establishFromPeer(0, 1_000)) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(3_000);
            assertEquals(1, creditsOf(script).size());
            script.at(10_000);
            assertFalse(creditsOf(script).isEmpty(), "no probe");
        }
    }

    @Test
    void probe_silence_asksEverLessOftenAndThenGivesUp() {
        try (Script script = openedUnmetered()) {
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .at(20_126)
                    .receives(peer -> peer.data(1, 0, SEGMENT, 0, SEGMENT))
                    .at(25_000)
                    .forgetSent()
                    .at(SECOND);
            List<Long> times = creditTimesOf(script);
            assertTrue(times.size() < 80, times.size() + " credits into silence");
            // Each gap is drawn from 0.75 to 1.25 of its mean, and the mean never falls.
            long longestNanos = 0;
            for (int i = 1; i < times.size(); i++) {
                long gapNanos = times.get(i) - times.get(i - 1);
                assertTrue(gapNanos >= longestNanos * 3 / 5, "gap " + i + ": " + times);
                longestNanos = Math.max(longestNanos, gapNanos);
            }
            assertTrue(longestNanos >= 8 * (times.get(1) - times.get(0)), times.toString());
            assertTrue(script.connection().creditLedger().expired() > 0);
        }
    }

    @Test
    void expiry_silenceForASecond_stops() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(SEGMENT, 0)).at(2 * SECOND).forgetSent();
            assertEquals(0, script.connection().creditLedger().outstanding());
            script.at(100 * SECOND).sendsNothing();
        }
    }

    @Test
    void expiry_dataForAnExpiredCredit_isTakenAndTheVerdictTakenBack() {
        try (Script script = openedNarrowly()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(EXPIRY + EXPIRY / 2);
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(2, ledger.expired());
            script.receives(peer -> peer.data(1, 0, SEGMENT));
            assertEquals(SEGMENT, script.app().receivedBytes());
            assertEquals(1, ledger.used());
            assertEquals(1, ledger.expired());
        }
    }

    @Test
    void room_applicationReadsNothing_neverGivesMoreThanFits() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 8192);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(0)) {
            script.app().take(0);
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(EXPIRY - GAP);
            assertEquals(5, creditsOf(script).size(), "five segments fit 8192 B");
            script.receives(peer -> peer.data(1, 0, SEGMENT, 0, 99 * SEGMENT));
            script.receives(peer -> peer.data(2, SEGMENT, SEGMENT, 0, 98 * SEGMENT))
                    .after(EXPIRY / 2);
            assertEquals(List.of(), creditsOf(script), "two have come and three are out");
        }
    }

    @Test
    void room_creditsLost_areGivenAgainOnlyWhenTheyHaveExpired() {
        try (Script script = openedNarrowly()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(EXPIRY - 1);
            assertEquals(List.of("CREDIT 1 ack=0", "CREDIT 2 ack=0"), creditsOf(script));
            script.at(EXPIRY + 3 * GAP);
            assertEquals(List.of("CREDIT 3 ack=0", "CREDIT 4 ack=0"), creditsOf(script));
            // The second one's data tells that the third was lost: its room is free again.
            script.receives(peer -> peer.data(4, 0, SEGMENT, 0, 50 * SEGMENT)).after(4 * GAP);
            assertEquals(List.of("CREDIT 5 ack=1424", "CREDIT 6 ack=1424"), creditsOf(script));
        }
    }

    @Test
    void room_creditsLostAgainAndAgain_areGivenEverMoreSlowly() {
        try (Script script = openedNarrowly()) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(16 * EXPIRY - GAP);
            // After 0, 1, 3, 7 and 15 expiries.
            assertEquals(2 * 5, creditsOf(script).size());
        }
    }

    @Test
    void room_noneBeforeTheFirstEcho_isNotLookedForBeforeTheCreditsExpire() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 4096);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(0)) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(10 * GAP);
            assertEquals(2, creditsOf(script).size());
            assertTrue(
                    script.host().nextTimeoutNanos() >= EXPIRY,
                    "due at " + script.host().nextTimeoutNanos());
        }
    }

    @Test
    void room_everythingBehindAGapHasCome_stillGivesACreditForTheGap() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 4096);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(0)) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0))
                    .at(2 * GAP)
                    .forgetSent()
                    .receives(peer -> peer.data(1, 2 * SEGMENT, 4096 - 2 * SEGMENT, 0, 50 * SEGMENT))
                    .receives(peer -> peer.data(2, SEGMENT, SEGMENT, 0, 50 * SEGMENT))
                    .after(10 * GAP);
            assertEquals(List.of("CREDIT 3 ack=0"), creditsOf(script));
            script.receives(peer -> peer.data(3, 0, SEGMENT, 0, 50 * SEGMENT));
            assertEquals(4096, script.app().receivedBytes());
        }
    }

    @Test
    void room_gapAppearsAfterTheFlowWasBlocked_unblocksIt() {
        StreamLimits small = StreamLimits.fixed(1 << 16, 4096);
        try (Script script = new Script(builder -> builder.streams(small)).establishFromPeer(0)) {
            script.app().take(0);
            script.receives(peer -> peer.request(100 * SEGMENT, 0))
                    .at(2 * GAP)
                    .receives(peer -> peer.data(2, 0, SEGMENT, 0, 50 * SEGMENT))
                    .after(10 * GAP)
                    .receives(peer -> peer.data(3, 2 * SEGMENT, 1_200, 0, 50 * SEGMENT))
                    .after(10 * EXPIRY)
                    .forgetSent()
                    .after(500 * MILLISECOND);
            assertTrue(creditsOf(script).size() > 1, "the missing segment can still come");
        }
    }

    @Test
    void updateRate_creditsLost_lowersTheRate() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(10_000 * SEGMENT, 0))
                    .at(100 * GAP)
                    .forgetSent();
            // Every second credit is echoed, a round trip of 50 gaps after it was sent.
            for (int i = 0; i < 400; i++) {
                long credit = 52 + 2L * i;
                long offset = (long) i * 10;
                script.receives(peer -> peer.data(credit, offset, 10, 0, 10_000 * SEGMENT))
                        .after(2 * GAP);
            }
            script.forgetSent().after(100 * GAP);
            int count = creditsOf(script).size();
            assertTrue(count < 50, "half of the credits lost: " + count + " in 100 gaps");
        }
    }

    private static int framesOf(List<String> credits) {
        return credits.stream()
                .map(credit -> credit.split(" ", -1)[2])
                .mapToInt(word -> word.startsWith("x") ? Integer.parseInt(word.substring(1)) : 1)
                .sum();
    }

    private static Script several(int creditFramesMax, int peerFrames) {
        return new Script(builder -> builder.creditFramesMax(creditFramesMax))
                .peerCreditFrames(peerFrames)
                .establishFromPeer(0);
    }

    /** The first credits' data come, behind which much waits. */
    private static List<String> creditsAfterFirstData(Script script, long backlogBytes) {
        script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(2 * GAP).forgetSent();
        script.receives(peer -> peer.data(1, 0, SEGMENT, 0, backlogBytes)).at(40 * GAP);
        return creditsOf(script);
    }

    @Test
    void pollCredit_longBacklogAtAHighRate_grantsSeveralFramesWithConsecutiveNumbers() {
        try (Script script = several(8, 64)) {
            List<String> credits = creditsAfterFirstData(script, 300 * SEGMENT);
            long next = 0;
            int large = 0;
            for (String credit : credits) {
                String[] words = credit.split(" ", -1);
                long first = Long.parseLong(words[1]);
                assertTrue(next == 0 || first == next, credits.toString());
                int frames = framesOf(List.of(credit));
                large += frames == 8 ? 1 : 0;
                next = first + frames;
            }
            assertTrue(large >= 3, credits.toString());
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(next - 1, ledger.sent());
            // Each is paid for in time: 40 gaps grant 40 frames, and what was granted at once before.
            assertTrue(ledger.sent() <= 41 + 8, ledger.toString());
        }
    }

    @Test
    void pollCredit_shortBacklog_isGrantedByOneCredit() {
        try (Script script = several(8, 64)) {
            // Two of the seven frames have their credits, which are on their way.
            List<String> credits = creditsAfterFirstData(script, 7 * SEGMENT);
            assertEquals("CREDIT 4 x5 ack=1424", credits.get(0), credits.toString());
        }
    }

    @Test
    void pollCredit_littleRoom_grantsNoMoreThanFits() {
        int roomBytes = 1 << 14;
        StreamLimits streams =
                StreamLimits.fixed(1 << 16, roomBytes).withGapsMax(16).withFramesInFlightMax(64);
        try (Script script = new Script(builder -> builder.creditFramesMax(64).streams(streams))
                .peerCreditFrames(64)
                .establishFromPeer(0)) {
            script.app().takeAnything();
            creditsAfterFirstData(script, 300 * SEGMENT);
            CreditLedger ledger = script.connection().creditLedger();
            assertEquals(roomBytes / SEGMENT, ledger.outstanding(), ledger.toString());
        }
    }

    @Test
    void pollCredit_peerOrMeterAllowsOne_grantsOneFrameEach() {
        try (Script script = several(8, 1)) {
            List<String> credits = creditsAfterFirstData(script, 300 * SEGMENT);
            assertTrue(credits.stream().noneMatch(credit -> credit.contains(" x")), credits.toString());
        }
    }

    @Test
    void onData_thatIsToBeCreditedSingly_grantsOneFrameEach() {
        try (Script script = several(8, 64)) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(2 * GAP).forgetSent();
            int flags = DataHeader.FLAG_CREDITED_SINGLY;
            script.receives(peer -> peer.data(1, 0, SEGMENT, flags, 300L * SEGMENT))
                    .at(40 * GAP);
            List<String> credits = creditsOf(script);
            assertTrue(credits.size() > 10, credits.toString());
            assertTrue(credits.stream().noneMatch(credit -> credit.contains(" x")), credits.toString());
        }
    }

    @Test
    void onCreditFramesMax_lowerInAnAck_holdsFromThenOn() {
        try (Script script = several(8, 64)) {
            script.receives(peer -> peer.creditFrames(2).ack(0, PeerFrames.WINDOW_BYTES, 0));
            script.receives(peer -> peer.creditFrames(64).ack(0, PeerFrames.WINDOW_BYTES, 0));
            List<String> credits = creditsAfterFirstData(script, 300 * SEGMENT);
            assertTrue(credits.stream().anyMatch(credit -> credit.contains(" x2 ")), credits.toString());
            assertTrue(credits.stream().noneMatch(credit -> credit.contains(" x8 ")), credits.toString());
        }
    }

    @Test
    void onData_numbersOfOneCredit_areGoodOnceEach() {
        try (Script script = several(8, 64)) {
            script.app().takeAnything();
            creditsAfterFirstData(script, 300 * SEGMENT);
            long last = script.connection().creditLedger().sent();
            script.receives(peer -> peer.data(last, SEGMENT, SEGMENT, 0, 300L * SEGMENT))
                    .receives(peer -> peer.data(last, 2 * SEGMENT, SEGMENT, 0, 300L * SEGMENT))
                    .counts(CounterId.DROP_CREDIT_REUSED, 1)
                    .receives(peer -> peer.data(last + 1_000, 2 * SEGMENT, SEGMENT, 0, 300L * SEGMENT))
                    .counts(CounterId.DROP_CREDIT_UNKNOWN, 1);
            assertEquals(2, script.connection().creditLedger().used());
        }
    }

    @Test
    void pollCredit_nothingHeardOfSeveral_grantsOneFrameEachForAWhile() {
        try (Script script = several(8, 64)) {
            script.app().takeAnything();
            creditsAfterFirstData(script, 300 * SEGMENT);
            int heard = 33;
            for (int i = 1; i < heard; i++) {
                int number = i;
                script.receives(peer -> peer.data(number + 1, number * (long) SEGMENT, SEGMENT, 0, 300L * SEGMENT));
            }
            script.at(40 * GAP + 20 * EXPIRY).forgetSent();
            long last = script.connection().creditLedger().sent();
            script.receives(peer -> peer.data(last, heard * (long) SEGMENT, SEGMENT, 0, 300L * SEGMENT))
                    .after(20 * GAP);
            List<String> credits = creditsOf(script);
            assertTrue(credits.size() > 10, credits.toString());
            assertTrue(credits.stream().noneMatch(credit -> credit.contains(" x")), credits.toString());
        }
    }
}
