package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.PauseCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditSender}: a host with data, and a peer that gives credits. */
class CreditSenderTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long WINDOW = PeerFrames.WINDOW_BYTES;
    private static final long MILLISECOND = 1_000_000;
    private static final long STOP_NANOS = ExpressPass.weir().whole(ExpressPass.STOP);
    private static final long REQUEST_NANOS = ExpressPass.weir().whole(ExpressPass.REQUEST_TIMEOUT);
    private static final int STANDING = CreditHeader.FLAG_STANDING;

    private static Script weir(int earlyBytes) {
        return new Script().establishFromHost(earlyBytes, WINDOW);
    }

    /** The paper's sender: it says when it wants no more credits. */
    private static Script paper(int earlyBytes) {
        return new Script(ExpressPass.paper()).establishFromHost(earlyBytes, WINDOW);
    }

    private static void acknowledge(Script script, long offset) {
        script.receives(peer -> peer.ack(offset, WINDOW, 0));
    }

    @Test
    void table_asGraph_isTheGoldenOne() {
        Golden.requireEqual("CreditSender.dot", CreditSender.TABLE.toDot());
    }

    @Test
    void onBacklog_idle_asksForCredits() {
        try (Script script = weir(0).write(5_000)) {
            script.sendsAt(0, "REQUEST backlog=5000 credit<=0 no-ack").sendsNothing();
        }
    }

    @Test
    void onBacklog_moreIsWrittenMeanwhile_asksOnce() {
        try (Script script = weir(0).write(5_000).write(5_000).at(1_000)) {
            script.sends("REQUEST backlog=5000 credit<=0 no-ack").sendsNothing();
        }
    }

    @Test
    void onTimeout_noCredit_asksAgainWithBackOff() {
        try (Script script = weir(0).write(100).at(7 * REQUEST_NANOS)) {
            script.sendsAt(0, "REQUEST backlog=100 credit<=0 no-ack")
                    .sendsAt(REQUEST_NANOS, "REQUEST backlog=100 credit<=0 repeated")
                    .sendsAt(3 * REQUEST_NANOS, "REQUEST backlog=100 credit<=0 repeated")
                    .sendsAt(7 * REQUEST_NANOS, "REQUEST backlog=100 credit<=0 repeated")
                    .sendsNothing();
        }
    }

    @Test
    void onCredit_hasData_sendsOneSegmentForEach() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .sends("DATA [0,1424) credit=1 backlog=4272")
                    .at(10_000)
                    .sendsNothing()
                    .receives(peer -> peer.credit(2))
                    .sends("DATA [1424,2848) credit=2 backlog=2848")
                    .at(20_000)
                    .sendsNothing();
        }
    }

    @Test
    void onCredit_duplicate_isDropped() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(1))
                    .forgetSent()
                    .at(10_000)
                    .receives(peer -> peer.credit(1))
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 1);
        }
    }

    @Test
    void onCredit_tooOldToTell_isDropped() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(2_000))
                    .forgetSent()
                    .at(10_000)
                    .receives(peer -> peer.credit(2_000 - 1_024))
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 1)
                    .receives(peer -> peer.credit(2_000 - 1_023))
                    .sends("DATA [1424,2848) credit=977 backlog=2848");
        }
    }

    @Test
    void onCredit_afterADamagedNumberFarAhead_isBelievedAgainAfterAFew() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(1_000_000)).forgetSent().at(10_000);
            for (int sequence = 1; sequence < 4; sequence++) {
                int number = sequence;
                script.receives(peer -> peer.credit(number));
            }
            script.sendsNothing()
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 3)
                    .receives(peer -> peer.credit(4))
                    .sends("DATA [1424,2848) credit=4 backlog=2848");
        }
    }

    @Test
    void onCredit_sameOldOneAgainAndAgain_isNotBelieved() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(1_000_000)).forgetSent().at(10_000);
            for (int i = 0; i < 8; i++) {
                script.receives(peer -> peer.credit(7));
            }
            script.sendsNothing().counts(CounterId.DROP_CREDIT_DUPLICATE, 8);
        }
    }

    @Test
    void onCredit_outOfOrder_isUsed() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(2))
                    .receives(peer -> peer.credit(1))
                    .at(10_000)
                    .sends("DATA [0,1424) credit=2 backlog=4272")
                    .sends("DATA [1424,2848) credit=1 backlog=2848");
        }
    }

    @Test
    void onCredit_waitsLongerThanItsLifetime_expires() {
        try (Script script = weir(4 * SEGMENT)) {
            script.receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2))
                    .stall(MILLISECOND + 1)
                    .after(0)
                    .sendsNothing()
                    .counts(CounterId.CREDITS_EXPIRED, 2);
        }
    }

    @Test
    void onCredit_foundInTheRingsAfterAPause_hasExpiredAndTheReceiverIsTold() {
        try (Script script = weir(4 * SEGMENT)) {
            script.pause(MILLISECOND)
                    .receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2))
                    .counts(CounterId.CREDITS_EXPIRED, 2)
                    .counts(CounterId.PAUSES, 1)
                    .caughtUp()
                    .after(0)
                    .sends("REQUEST backlog=5696 credit<=2 no-ack repeated")
                    .after(1_000)
                    .receives(peer -> peer.credit(3))
                    .sends("DATA [0,1424) credit=3 backlog=4272");
        }
    }

    @Test
    void onCredit_standingCreditFoundAfterAPause_isKept() {
        try (Script script = weir(0)) {
            script.pause(5 * MILLISECOND)
                    .receives(peer -> peer.credit(1, 0, STANDING))
                    .counts(CounterId.CREDITS_EXPIRED, 0)
                    .after(1_000)
                    .write(100)
                    .sends("DATA [0,100) credit=1 backlog=0");
        }
    }

    @Test
    void onCredit_standingFoundInTheRingsAfterAPause_isKept() {
        try (Script script = weir(0)) {
            script.pause(5 * MILLISECOND)
                    .receivesUnpolled(peer -> peer.credit(1, 0, STANDING))
                    .counts(CounterId.CREDITS_EXPIRED, 0)
                    .after(10)
                    .write(100)
                    .sends("DATA [0,100) credit=1 backlog=0")
                    .sendsNothing();
        }
    }

    @Test
    void onCredit_moreInHandThanAreKept_oldestExpire() {
        try (Script script = weir(100 * SEGMENT)) {
            for (int i = 1; i <= 70; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.counts(CounterId.CREDITS_EXPIRED, 6).after(1).sends("DATA [0,1424) credit=7 backlog=140976 surplus");
        }
    }

    @Test
    void onCredit_nothingToSend_isWasted() {
        try (Script script = weir(0)) {
            script.receives(peer -> peer.credit(1)).sendsNothing().counts(CounterId.CREDITS_WASTED, 1);
        }
    }

    @Test
    void onSegment_lastOne_wastesTheCreditsInHand() {
        try (Script script = weir(100)) {
            script.receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2))
                    .receivesUnpolled(peer -> peer.credit(3))
                    .after(1_000)
                    .sends("DATA [0,100) credit=1 backlog=0")
                    .sendsNothing()
                    .counts(CounterId.CREDITS_WASTED, 2);
        }
    }

    @Test
    void stop_receiverFollowsTheBacklog_isNotNeeded() {
        try (Script script = weir(100)) {
            script.receives(peer -> peer.credit(1)).after(1_000).forgetSent();
            acknowledge(script, 100);
            script.after(1_000 * MILLISECOND).sendsNothing();
        }
    }

    @Test
    void stop_receiverDoesNotFollowTheBacklog_isSentAfterTheSmallTimeout() {
        try (Script script = paper(100)) {
            script.receives(peer -> peer.credit(1))
                    .at(STOP_NANOS)
                    .sendsAt(0, "DATA [0,100) credit=1 backlog=0")
                    .sendsAt(STOP_NANOS, "STOP credit<=1")
                    .sendsNothing();
        }
    }

    @Test
    void stop_dataWithinTheSmallTimeout_isNotSent() {
        try (Script script = paper(100)) {
            script.receives(peer -> peer.credit(1))
                    .at(STOP_NANOS - 1)
                    .forgetSent()
                    .write(50)
                    .sendsNothing()
                    .receives(peer -> peer.credit(2))
                    .sends("DATA [100,150) credit=2 backlog=0")
                    .at(2 * STOP_NANOS - 2)
                    .sendsNothing();
        }
    }

    @Test
    void stop_lost_isRepeatedWhenCreditsStillCome() {
        try (Script script = paper(100)) {
            script.receives(peer -> peer.credit(1)).at(STOP_NANOS).forgetSent();
            acknowledge(script, 100);
            script.at(STOP_NANOS + REQUEST_NANOS / 2)
                    .receives(peer -> peer.credit(2))
                    .sendsNothing()
                    .at(STOP_NANOS + REQUEST_NANOS)
                    .receives(peer -> peer.credit(3))
                    .sends("STOP credit<=3")
                    .after(1_000)
                    .receives(peer -> peer.credit(4))
                    .sendsNothing();
        }
    }

    @Test
    void stop_dataWrittenWhileItWaitsForTheLink_givesWayToTheRequest() {
        try (Script script = paper(100)) {
            script.receives(peer -> peer.credit(1)).at(STOP_NANOS - 10).forgetSent();
            acknowledge(script, 100);
            script.occupyLink()
                    .at(STOP_NANOS + 20)
                    .write(100)
                    .after(1_000)
                    .sends("REQUEST backlog=100 credit<=1 no-ack")
                    .sendsNothing();
        }
    }

    @Test
    void standingCredit_keptWhileIdle_sendsTheFirstSegmentAtOnce() {
        try (Script script = weir(0)) {
            script.receives(peer -> peer.credit(1, 0, STANDING))
                    .counts(CounterId.CREDITS_WASTED, 0)
                    .at(50 * MILLISECOND)
                    .write(100)
                    .sendsAt(50 * MILLISECOND, "DATA [0,100) credit=1 backlog=0")
                    .after(1_000)
                    .sendsNothing();
        }
    }

    @Test
    void standingCredit_broughtByData_isThereForTheAnswer() {
        try (Script script = weir(0)) {
            script.app().whenData(() -> script.write(100));
            script.receives(peer -> peer.request(100, 0))
                    .after(1_000)
                    .forgetSent()
                    .mark();
            script.receives(peer -> peer.grantingData(1, 0, 100, 1))
                    .sends("DATA [0,100) credit=1 backlog=0")
                    .after(1_000)
                    .sendsNothing()
                    .counts(CounterId.CREDITS_RECEIVED, 1);
        }
    }

    @Test
    void standingCredit_broughtByTheAcceptance_isThereForWhatIsWrittenThen() {
        try (Script script = new Script(ExpressPass.weir())) {
            script.app()
                    .whenConnected(() ->
                            script.app().connection().write(new UnsafeBuffer(ByteBuffer.allocateDirect(100)), 0, 100));
            script.connect(0).receives(peer -> peer.challenge()).after(10_000).forgetSent();
            script.receives(peer -> peer.grantsFirst(true).accept(PeerFrames.WINDOW_BYTES, 0))
                    .after(1_000)
                    .sends("DATA [0,100) credit=1 backlog=0 grants=1")
                    .sendsNothing()
                    .counts(CounterId.CREDITS_RECEIVED, 1)
                    .counts(CounterId.CREDITS_USED, 1);
        }
    }

    @Test
    void standingCredit_broughtByTheAcceptanceOfWhatIsWrittenAlready_isSpent() {
        try (Script script = new Script(ExpressPass.weir())) {
            script.connect(0)
                    .write(100)
                    .receives(peer -> peer.challenge())
                    .after(10_000)
                    .forgetSent();
            script.receives(peer -> peer.grantsFirst(true).accept(PeerFrames.WINDOW_BYTES, 0))
                    .after(1_000)
                    .sends("DATA [0,100) credit=1 backlog=0 grants=1")
                    .sendsNothing();
        }
    }

    @Test
    void standingCredit_broughtTwice_isUsedOnceAndTheDataOfBothIsTaken() {
        try (Script script = weir(0)) {
            script.receives(peer -> peer.request(2 * SEGMENT, 0)).after(10_000).forgetSent();
            script.receives(peer -> peer.grantingData(1, 0, 100, 1))
                    .receives(peer -> peer.grantingData(2, 100, 100, 1))
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 1)
                    .counts(CounterId.CREDITS_RECEIVED, 1);
            assertEquals(200, script.app().receivedBytes());
        }
    }

    @Test
    void standingCredit_moreThanOneSegmentWaits_bringsTheBacklogAlong() {
        try (Script script = weir(0)) {
            script.receives(peer -> peer.credit(1, 0, STANDING))
                    .write(5_000)
                    .after(1_000)
                    .sendsAt(0, "REQUEST backlog=3576 credit<=0 no-ack")
                    .sends("DATA [0,1424) credit=1 backlog=3576")
                    .sendsNothing()
                    .at(REQUEST_NANOS)
                    .sendsAt(REQUEST_NANOS, "REQUEST backlog=3576 credit<=1 repeated");
        }
    }

    @Test
    void standingCredit_olderThanItMayBe_asksInstead() {
        try (Script script = weir(0)) {
            script.receives(peer -> peer.credit(1, 0, STANDING))
                    .at(StandingCredit.KEPT_NANOS + 1)
                    .write(100)
                    .sends("REQUEST backlog=100 credit<=1 no-ack")
                    .sendsNothing();
        }
    }

    @Test
    void ledger_ofTheSender_accountsForEveryCredit() {
        try (Script script = weir(3 * SEGMENT)) {
            for (int i = 1; i <= 10; i++) {
                long credit = i;
                script.receives(peer -> peer.credit(credit)).after(1_000);
            }
            script.after(10_000).forgetSent();
            var counters = script.host().counters();
            assertEquals(10, counters.get(CounterId.CREDITS_RECEIVED));
            assertEquals(3, counters.get(CounterId.CREDITS_USED));
            assertEquals(7, counters.get(CounterId.CREDITS_WASTED));
        }
    }

    private static Script several(int creditFramesMax, int earlyBytes) {
        return new Script(builder -> builder.creditFramesMax(creditFramesMax))
                .peerCreditFrames(creditFramesMax)
                .establishFromHost(earlyBytes, WINDOW);
    }

    private static int frames(int count) {
        return CreditHeader.withFrames(0, count);
    }

    @Test
    void onCredit_severalFrames_sendsOneSegmentForEachNumber() {
        try (Script script = several(4, 10 * SEGMENT)) {
            script.receives(peer -> peer.credit(5, 0, frames(3)))
                    .at(10_000)
                    .sends("DATA [0,1424) credit=5 backlog=12816")
                    .sends("DATA [1424,2848) credit=6 backlog=11392")
                    .sends("DATA [2848,4272) credit=7 backlog=9968")
                    .sendsNothing()
                    .counts(CounterId.CREDITS_RECEIVED, 3)
                    .counts(CounterId.CREDITS_USED, 3);
        }
    }

    @Test
    void onOpeningRequested_receiverTellsAWait_asksAgainThatMuchLater() {
        long waitNanos = PauseCode.nanos(PauseCode.of(5_000_000));
        try (Script script = new Script().connect(100)) {
            script.receives(peer -> peer.challenge()).at(10_000);
            script.peer().tellsWait(PauseCode.of(5_000_000));
            script.receives(peer -> peer.accept(WINDOW, 0))
                    .forgetSent()
                    .mark()
                    .at(REQUEST_NANOS + waitNanos - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("REQUEST backlog=100 credit<=0 no-ack repeated");
        }
    }

    /** A first credit that took a millisecond shows how long turns are. */
    @Test
    void onCredit_firstTookLong_waitsFourTimesAsLongForTheNext() {
        long tookNanos = 1_000_000;
        try (Script script = weir(0).write(5_000)) {
            script.forgetSent()
                    .at(tookNanos)
                    .receives(peer -> peer.credit(1))
                    .forgetSent()
                    .at(5 * tookNanos - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("REQUEST backlog=3576 credit<=1 repeated");
        }
    }

    /** Where data confirms a connection, no acknowledgement tells the peer that a meter was met. */
    @Test
    void onCredit_wherePathLetsOneFrameOnly_dataSaysSo() {
        try (Script script = new Script(builder -> builder.creditFramesMax(4)).establishFromHost(100, WINDOW)) {
            script.receives(peer -> peer.credit(1)).sends("DATA [0,100) credit=1 backlog=0 singly");
        }
    }

    @Test
    void onCredit_severalFramesTwice_isDropped() {
        try (Script script = several(4, 10 * SEGMENT)) {
            script.receives(peer -> peer.credit(5, 0, frames(3)))
                    .at(10_000)
                    .forgetSent()
                    .receives(peer -> peer.credit(5, 0, frames(3)))
                    .receives(peer -> peer.credit(6))
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 2);
        }
    }

    @Test
    void onCredit_overlappingAnother_bringsOnlyWhatIsNew() {
        try (Script script = several(4, 10 * SEGMENT)) {
            script.receives(peer -> peer.credit(5, 0, frames(3)))
                    .at(10_000)
                    .forgetSent()
                    .receives(peer -> peer.credit(6, 0, frames(3)))
                    .at(20_000)
                    .sends("DATA [4272,5696) credit=8 backlog=8544")
                    .sendsNothing()
                    .counts(CounterId.CREDITS_RECEIVED, 4)
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 0);
        }
    }

    @Test
    void onCredit_moreFramesThanAgreed_isDropped() {
        try (Script script = several(4, 10 * SEGMENT)) {
            script.receives(peer -> peer.credit(1, 0, frames(5)))
                    .receives(peer -> peer.credit(1, 0, frames(64)))
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_FRAMES, 2)
                    .receives(peer -> peer.credit(1, 0, frames(4)))
                    .counts(CounterId.CREDITS_RECEIVED, 4);
        }
        try (Script script = weir(4 * SEGMENT)) {
            script.receives(peer -> peer.credit(1, 0, frames(2)))
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_FRAMES, 1);
        }
    }

    @Test
    void onCredit_moreFramesThanData_wastesTheRest() {
        try (Script script = several(8, 2 * SEGMENT)) {
            script.receives(peer -> peer.credit(1, 0, frames(8)))
                    .at(10_000)
                    .sends("DATA [0,1424) credit=1 backlog=1424")
                    .sends("DATA [1424,2848) credit=2 backlog=0")
                    .counts(CounterId.CREDITS_WASTED, 6);
        }
    }

    @Test
    void onCredit_standingForSeveralFrames_isOneCredit() {
        try (Script script = several(8, 0)) {
            script.receives(peer -> peer.credit(1, 0, CreditHeader.withFrames(STANDING, 8)))
                    .counts(CounterId.CREDITS_RECEIVED, 1)
                    .write(3 * SEGMENT)
                    .sends("REQUEST backlog=2848 credit<=0 no-ack")
                    .after(1_000)
                    .sends("DATA [0,1424) credit=1 backlog=2848")
                    .sendsNothing();
        }
    }

    @Test
    void onSegment_moreCreditsThanAreKept_tellsOnce() {
        long lifetimeNanos = ExpressPass.weir().whole(ExpressPass.CREDIT_LIFETIME);
        try (Script script = several(64, 180 * SEGMENT)) {
            // Ten microseconds at 10 Gbps are eight frames: the others of 127 and more in hand are the oldest.
            script.receives(peer -> peer.credit(1, 0, frames(64)))
                    .receives(peer -> peer.credit(65, 0, frames(64)))
                    .receives(peer -> peer.credit(129, 0, frames(64)))
                    .at(lifetimeNanos / 2);
            long told = script.takeSent().stream()
                    .filter(frame -> frame.text().contains(" surplus"))
                    .count();
            assertEquals(1, told);
            assertTrue(script.host().counters().get(CounterId.CREDITS_EXPIRED) > 0);
        }
    }

    @Test
    void onCredit_ringGrowsWhileItIsWrapped_everyCreditSendsItsFrame() {
        try (Script script = several(64, 180 * SEGMENT)) {
            // Forty credits leave the ring, sixty come: it is full across its end, and grows with those that follow.
            script.receives(peer -> peer.credit(1, 0, frames(50)))
                    .after(40 * 1_538)
                    .receives(peer -> peer.credit(51, 0, frames(50)))
                    .receives(peer -> peer.credit(101, 0, frames(20)))
                    .after(120 * 1_538);
            List<Integer> credits = script.takeSent().stream()
                    .map(SentFrame::text)
                    .filter(text -> text.startsWith("DATA"))
                    .map(text -> Integer.valueOf(text.replaceFirst(".*credit=(\\d+) .*", "$1")))
                    .toList();
            assertEquals(IntStream.rangeClosed(1, 120).boxed().toList(), credits);
        }
    }
}
