package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.protocol.tfc.Tfc;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests acknowledgements and credits that ride on data, in conversations with one host. */
class RidersTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long WINDOW = 1 << 20;
    private static final long MUCH_BYTES = 4_000L * SEGMENT;
    private static final Settings ACKS_FOR_TWO = NewReno.KIND.usual().with(Reactive.FRAMES_PER_ACK, 2);
    private static final long ACK_DELAY_NANOS = ConnectionTimers.DEFAULT.ackDelayNanos();

    /**
     * A host that answers each message of its peer with {@code answerBytes}, by a protocol whose acks cover one or two
     * frames.
     */
    private static Script answering(int answerBytes) {
        Script script = new Script(ACKS_FOR_TWO).peerTakesRiders();
        script.app().takeAnything();
        script.establishFromPeer(0);
        answerWith(script, answerBytes);
        return script;
    }

    /** Without polling the host before it has seen all of the frame. */
    private static void answerWith(Script script, int bytes) {
        UnsafeBuffer answer = new UnsafeBuffer(new byte[bytes]);
        script.app().whenData(() -> assertEquals(bytes, script.connection().write(answer, 0, bytes)));
    }

    @Test
    void onData_answeredAtOnce_acknowledgementRidesOnTheAnswer() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64))
                    .sends("DATA [0,64) credit=0 backlog=0 ack 64 window=262144")
                    .after(2 * ACK_DELAY_NANOS)
                    .sendsNothing()
                    .counts(CounterId.ACKS_ON_DATA, 1);
        }
    }

    @Test
    void onData_peerThatTakesNoRiders_isAcknowledgedByAFrame() {
        try (Script script = new Script(ACKS_FOR_TWO)) {
            script.app().takeAnything();
            script.establishFromPeer(0);
            answerWith(script, 64);
            script.receives(peer -> peer.data(0, 0, 64)).after(2 * ACK_DELAY_NANOS);
            List<SentFrame> sent = script.takeSent();
            assertTrue(sent.stream().anyMatch(frame -> frame.text().startsWith("ACK 64")), sent.toString());
            assertTrue(sent.stream().noneMatch(frame -> frame.text().contains(" ack ")), sent.toString());
        }
    }

    @Test
    void onData_noAnswer_acknowledgementLeavesByItselfWhenItsTimeIsUp() {
        try (Script script = new Script(ACKS_FOR_TWO).peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromPeer(0);
            script.receives(peer -> peer.data(0, 0, 64))
                    .after(ACK_DELAY_NANOS - 1)
                    .sendsNothing()
                    .after(1)
                    .sends("ACK 64 window=262144");
        }
    }

    @Test
    void onData_gapWhileNothingIsToBeSent_isAcknowledgedAtOnce() {
        try (Script script = new Script(ACKS_FOR_TWO).peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromPeer(0);
            script.receives(peer -> peer.data(0, 100, 64)).sends("ACK 0 window=262144 [100,164)");
        }
    }

    @Test
    void writeRider_gap_ridesWithItsRanges() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64)).forgetSent();
            script.app().whenData(() -> {});
            script.after(10_000).receivesUnpolled(peer -> peer.data(0, 100, 64));
            script.write(10).sends("DATA [64,74) credit=0 backlog=0 ack 64 window=262144 [100,164)");
        }
    }

    @Test
    void hasRoomForRider_answerFillsItsFrame_acknowledgementTakesAFrameAndNoneIsAdded() {
        try (Script script = answering(SEGMENT)) {
            script.receives(peer -> peer.data(0, 0, 64))
                    .sends("DATA [0,1424) credit=0 backlog=0")
                    .after(ACK_DELAY_NANOS)
                    .sends("ACK 64 window=262144");
        }
    }

    @Test
    void writeRider_lost_nextAcknowledgementCoversIt() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64))
                    .sends("DATA [0,64) credit=0 backlog=0 ack 64 window=262144")
                    .after(10_000)
                    .receives(peer -> peer.data(0, 64, 64))
                    .sends("DATA [64,128) credit=0 backlog=0 ack 128 window=262144");
        }
    }

    @Test
    void onFrame_ridingAck_freesTheSendBufferBeforeTheDataIsSeen() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64)).forgetSent();
            script.app()
                    .whenData(() -> assertEquals(64, script.connection().acknowledgedBytes(), "when the data is seen"));
            script.receives(peer -> peer.dataWithAck(0, 64, 64, 64, 2));
            assertEquals(64, script.connection().acknowledgedBytes());
            assertEquals(128, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_ridingAckOfWhatWasNeverSent_isIgnoredAndTheDataCounts() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64)).forgetSent();
            script.receives(peer -> peer.dataWithAck(0, 64, 64, 65, 2)).counts(CounterId.DROP_ACK_INVALID, 1);
            assertEquals(0, script.connection().acknowledgedBytes());
            assertEquals(128, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_ridingAckWithRangesBeyondWhatWasSent_isIgnoredWhole() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64)).forgetSent();
            script.receives(peer -> peer.dataWithAck(0, 64, 64, 10, 2, 20, 65)).counts(CounterId.DROP_ACK_INVALID, 1);
            assertEquals(0, script.connection().acknowledgedBytes());
        }
    }

    @Test
    void onFrame_ridingAckThatAnotherHasOvertaken_changesNothing() {
        try (Script script = answering(64)) {
            SentFrame old = script.record(peer -> peer.dataWithAck(0, 0, 64, 0, 1));
            script.receivesAgain(old).receives(peer -> peer.dataWithAck(0, 64, 64, 64, 2));
            script.receivesAgain(old);
            assertEquals(64, script.connection().acknowledgedBytes());
            assertEquals(128, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_damagedRider_dropsTheFrame() {
        try (Script script = answering(64)) {
            script.receives(peer -> peer.data(0, 0, 64)).forgetSent();
            int ackOffsetAt = 42 + 48 + 7;
            script.receivesDamaged(peer -> peer.dataWithAck(0, 64, 64, 64, 2), ackOffsetAt)
                    .counts(CounterId.DROP_CRC, 1);
            assertEquals(0, script.connection().acknowledgedBytes());
            assertEquals(64, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_tfc_ridingAckHasEscapedItsSwitchesAndIsIgnored() {
        try (Script script = new Script(Tfc.KIND.usual()).peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromPeer(0);
            answerWith(script, 64);
            script.receives(peer -> peer.data(0, 0, 64)).after(2 * ACK_DELAY_NANOS);
            assertTrue(
                    script.takeSent().stream().noneMatch(frame -> frame.text().contains(" ack ")));
            script.receives(peer -> peer.dataWithAck(0, 64, 64, 0, 1)).counts(CounterId.DROP_ACK_INVALID, 1);
            assertEquals(128, script.app().receivedBytes());
        }
    }

    @Test
    void onData_bothEndsFinish_acknowledgementRidesOnTheEnd() {
        try (Script script = new Script(ACKS_FOR_TWO).peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromPeer(0);
            script.receivesUnpolled(peer -> peer.end(0));
            script.shutdown()
                    .sends("DATA [0,0) FIN credit=0 backlog=0 ack 1 window=262144")
                    .sendsNothing();
        }
    }

    @Test
    void onData_byCredits_acknowledgementRidesOnceHalfOfItsFramesHaveCome() {
        Script credited = new Script(Script.even(ExpressPass.weir()));
        try (Script script = credited.peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromPeer(1);
            int rode = 0;
            for (int i = 0; i < 8; i++) {
                long number = i + 1L;
                script.receives(peer -> peer.credit(number, 0, 1))
                        .receives(peer -> peer.data(number, 64 * (number - 1), 64));
                script.write(64);
                script.after(5_000);
                rode += (int) script.takeSent().stream()
                        .filter(frame -> frame.text().contains(" ack "))
                        .count();
            }
            assertTrue(rode >= 1, "an acknowledgement rode");
            script.counts(CounterId.ACKS_ON_DATA, rode);
        }
    }

    // ---- credits

    private static Script severalFrames() {
        return severalFrames(true);
    }

    private static Script severalFrames(boolean doesPeerTakeRiders) {
        Script script = new Script(
                        Script.even(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 0L)),
                        builder -> builder.creditFramesMax(16),
                        256)
                .peerCreditFrames(16);
        return doesPeerTakeRiders ? script.peerTakesRiders() : script;
    }

    @Test
    void onFrame_ridingCredit_permitsItsFrames() {
        try (Script script = severalFrames()) {
            script.app().takeAnything();
            script.establishFromHost(3 * SEGMENT, WINDOW);
            script.receives(peer -> peer.dataWithCredit(0, 0, 0, 1, 3)).after(10_000);
            assertEquals(
                    3,
                    script.takeSent().stream()
                            .filter(frame -> frame.text().startsWith("DATA"))
                            .count());
            script.counts(CounterId.CREDITS_RECEIVED, 3);
        }
    }

    @Test
    void onFrame_ridingCreditAgain_permitsNothingTwice() {
        try (Script script = severalFrames()) {
            script.app().takeAnything();
            script.establishFromHost(5 * SEGMENT, WINDOW);
            SentFrame twice = script.record(peer -> peer.dataWithCredit(0, 0, 0, 1, 2));
            script.receivesAgain(twice).receivesAgain(twice).after(10_000);
            script.counts(CounterId.CREDITS_RECEIVED, 2).counts(CounterId.DROP_CREDIT_DUPLICATE, 1);
        }
    }

    @Test
    void onFrame_ridingCreditForOneFrameOrMoreThanAgreed_isIgnored() {
        try (Script script = severalFrames()) {
            script.app().takeAnything();
            script.establishFromHost(5 * SEGMENT, WINDOW);
            script.receives(peer -> peer.dataWithCredit(0, 0, 0, 1, 1))
                    .receives(peer -> peer.dataWithCredit(0, 0, 0, 2, 17))
                    .receives(peer -> peer.dataWithCredit(0, 0, 0, 2, 200))
                    .after(10_000)
                    .counts(CounterId.DROP_CREDIT_FRAMES, 3)
                    .counts(CounterId.CREDITS_RECEIVED, 0);
        }
    }

    @Test
    void onFrame_ridingCreditWhereOneFrameWasAgreed_isIgnored() {
        try (Script script = new Script().peerTakesRiders()) {
            script.app().takeAnything();
            script.establishFromHost(5 * SEGMENT, WINDOW);
            script.receives(peer -> peer.dataWithCredit(0, 0, 0, 1, 2)).counts(CounterId.DROP_CREDIT_FRAMES, 1);
        }
    }

    /**
     * A host with much to send, whose first segment was acknowledged, next to a peer whose stream runs at the link's
     * rate.
     */
    private static void runBothWays(Script script) {
        script.app().takeAnything();
        script.establishFromPeer(0);
        script.write(60 * SEGMENT)
                .receives(peer -> peer.credit(1))
                .after(5_000)
                .receives(peer -> peer.ack(SEGMENT, PeerFrames.WINDOW_BYTES, 1))
                .receives(peer -> peer.request(MUCH_BYTES, 0));
        for (int i = 1; i <= 100; i++) {
            int number = i;
            script.after(Script.CREDIT_GAP_NANOS)
                    .receives(peer -> peer.data(number, SEGMENT * (number - 1L), SEGMENT, 0, MUCH_BYTES));
        }
        script.forgetSent().counts(CounterId.CREDITS_ON_DATA, 0);
    }

    /** Lets the host send 40 segments, and its next credits for 16 frames leave meanwhile. */
    private static List<SentFrame> creditsWhileSending(Script script) {
        runBothWays(script);
        for (int i = 2; i <= 41; i++) {
            int number = i;
            script.receivesUnpolled(peer -> peer.credit(number));
        }
        script.after(60_000);
        return script.takeSent().stream().filter(RidersTest::hasCreditForMany).toList();
    }

    private static boolean hasCreditForMany(SentFrame frame) {
        return frame.text().contains(" x16");
    }

    @Test
    void onNextData_creditForSeveralFramesAndDataOfItsConnectionAreNext_leavesOnThat() {
        try (Script script = severalFrames()) {
            List<SentFrame> credits = creditsWhileSending(script);
            assertTrue(credits.get(0).text().startsWith("DATA ["), credits.toString());
            script.counts(CounterId.CREDITS_ON_DATA, credits.size());
        }
    }

    @Test
    void onNextData_peerTakesNoRiders_creditHasAFrame() {
        try (Script script = severalFrames(false)) {
            List<SentFrame> credits = creditsWhileSending(script);
            assertTrue(credits.get(0).text().startsWith("CREDIT "), credits.toString());
            script.counts(CounterId.CREDITS_ON_DATA, 0);
        }
    }

    @Test
    void onNextData_meter_isChargedForAllFramesOfTheCredit() {
        try (Script riding = severalFrames();
                Script framed = severalFrames(false)) {
            List<SentFrame> onData = creditsWhileSending(riding);
            List<SentFrame> inFrames = creditsWhileSending(framed);
            long gapNanos = onData.get(1).nanos() - onData.get(0).nanos();
            long framedGapNanos = inFrames.get(1).nanos() - inFrames.get(0).nanos();
            assertTrue(gapNanos >= framedGapNanos, gapNanos + " and " + framedGapNanos + " ns");
            assertTrue(
                    gapNanos <= framedGapNanos + Script.CREDIT_GAP_NANOS, gapNanos + " and " + framedGapNanos + " ns");
        }
    }
}
