package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.ResetHeader;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests {@link StatelessResets}: a host that has restarted, and a peer that has. */
class StatelessResetsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long WINDOW = 1 << 20;
    private static final String ENDED = "RESET reason=" + ResetHeader.ENDED;
    private static final String UNKNOWN = "RESET reason=" + ResetHeader.UNKNOWN;

    /** A host without connections that answers for those that it does not have. */
    private static Script restarted() {
        return new Script(builder -> builder.liveness(HostConfig.Liveness.DEFAULT)).listen();
    }

    private static Script opened() {
        return new Script(builder -> builder.liveness(HostConfig.Liveness.DEFAULT)).establishFromHost(0, WINDOW);
    }

    // ---- the host that knows nothing

    @Test
    void answer_dataAckRequestStopAccept_echoesTagAndNumber() {
        List<Function<PeerFrames, Frame>> frames = List.of(
                peer -> peer.data(1, 0, 100),
                peer -> peer.ack(0, WINDOW, 0),
                peer -> peer.request(100, 0),
                peer -> peer.stop(0),
                peer -> peer.accept(WINDOW, 0));
        for (Function<PeerFrames, Frame> frame : frames) {
            try (Script script = restarted()) {
                SentFrame sent = script.record(peer -> frame.apply(peer.withTag(0xBEEF)));
                script.receivesAgain(sent).counts(CounterId.DROP_TAG, 1);
                SentFrame reply = script.takeSent().get(0);
                assertEquals(UNKNOWN, reply.text());
                assertTrue(reply.length() <= sent.length(), "no answer is longer than its cause");
                int at = 42;
                for (int i = 2; i < 14; i++) {
                    assertEquals(
                            sent.bytes().getByte(at + i), reply.bytes().getByte(at + i), "tag and number, byte " + i);
                }
                script.counts(CounterId.RESETS_UNKNOWN_SENT, 1);
            }
        }
    }

    @Test
    void answer_creditResetChallengeOrDamage_isSilence() {
        try (Script script = restarted()) {
            script.receives(peer -> peer.withTag(1).credit(1))
                    .receives(peer -> peer.withTag(1).reset(ResetHeader.ABORTED))
                    .receives(peer -> peer.withTag(1).reset(ResetHeader.UNKNOWN))
                    .receives(peer -> peer.withTag(1).challenge())
                    .receivesDamaged(peer -> peer.withTag(1).data(1, 0, 100), 100)
                    .after(SECOND)
                    .sendsNothing();
        }
    }

    @Test
    void answer_flood_isLimitedByTheSecond() {
        try (Script script = restarted()) {
            int perSecond = HostConfig.Liveness.DEFAULT.resetsPerSecondMax();
            int seconds = 5;
            for (int i = 0; i < 1_000 * seconds; i++) {
                script.after(SECOND / 1_000).receives(peer -> peer.withTag(1).request(1, 0));
            }
            int sent = script.takeSent().size();
            assertTrue(sent <= perSecond * (seconds + 1) + 1, sent + " in " + seconds + " s");
            assertTrue(sent >= perSecond * seconds, sent + " in " + seconds + " s");
        }
    }

    @Test
    void answer_connectionThatEndedInOrder_saysSoBeyondTheLimitOfTheSecond() {
        try (Script script = opened().shutdown()) {
            SentFrame end = script.record(peer -> peer.data(0, 0, 0, 1, 0));
            script.receives(peer -> peer.ack(1, WINDOW, 2))
                    .receivesAgain(end)
                    .hears("end", "closed FINISHED")
                    .after(SECOND)
                    .forgetSent();
            assertEquals(0, script.host().connectionCount());
            for (int i = 0; i < 2 * HostConfig.Liveness.DEFAULT.resetsPerSecondMax(); i++) {
                script.after(10_000).receives(peer -> peer.withTag(1).request(1, 0));
            }
            script.after(10_000).forgetSent().receivesAgain(end);
            List<SentFrame> replies = script.takeSent();
            assertEquals(1, replies.size());
            assertEquals(ENDED, replies.get(0).text());
            assertTrue(replies.get(0).length() <= end.length(), "no answer is longer than its cause");
            for (int i = 0; i < 10; i++) {
                script.after(10_000).receivesAgain(end);
            }
            assertEquals(EndedConnections.ANSWERS_PER_END - 1, script.takeSent().size());
            script.counts(CounterId.RESETS_ENDED_SENT, EndedConnections.ANSWERS_PER_END);
        }
    }

    @Test
    void answer_turnedOff_isSilence() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.withTag(1).request(1, 0)).after(SECOND).sendsNothing();
        }
    }

    // ---- the host whose peer knows nothing

    @Test
    void onUnknown_answersAFrameOfOurs_endsTheConnectionAtOnce() {
        try (Script script = opened().write(100)) {
            script.at(1_000).sends("REQUEST backlog=100 credit<=0 no-ack");
            script.receives(peer -> peer.unknown(script.connection().remoteTag(), 3))
                    .hears("closed FORGOTTEN");
            script.after(SECOND).sendsNothing();
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().peerCount());
        }
    }

    @Test
    void onUnknown_acceptedConnection_endsTooWithinARoundTripOfTheFirstFrame() {
        try (Script script =
                new Script(builder -> builder.liveness(HostConfig.Liveness.DEFAULT)).establishFromPeer(0)) {
            script.at(15 * SECOND).sends("REQUEST backlog=0 credit<=0");
            script.after(10_000)
                    .receives(peer -> peer.unknown(script.connection().remoteTag(), 2))
                    .hears("closed FORGOTTEN");
        }
    }

    /** The handler has not taken 100 bytes, and the host has sent something. */
    private static Script withUntakenBytes() {
        Script script = opened().write(100).receives(peer -> peer.request(100, 0));
        script.app().take(0);
        script.at(10_000).receives(peer -> peer.data(1, 0, 100)).hears();
        return script.forgetSent();
    }

    @Test
    void onUnknown_bytesWaitForTheHandler_isHeardAfterThem() {
        try (Script script = withUntakenBytes()) {
            script.receives(peer -> peer.unknown(script.connection().remoteTag(), 3))
                    .hears();
            script.read(100).hears("closed FORGOTTEN");
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onUnknown_afterAReset_changesNothing() {
        try (Script script = withUntakenBytes()) {
            script.receives(peer -> peer.reset(ResetHeader.ABORTED))
                    // A frame of ours had crossed it.
                    .receives(peer -> peer.unknown(script.connection().remoteTag(), 3))
                    .hears();
            script.read(100).hears("closed RESET");
            assertEquals(100, script.app().receivedBytes());
        }
    }

    // ---- the host whose acknowledgement of the end got lost

    @Test
    void onEnded_everythingIsSentAndReceived_isFinished() {
        try (Script script = opened()) {
            script.receives(peer -> peer.end(0))
                    .hears("end")
                    .at(1_000)
                    .shutdown()
                    .at(2_000)
                    .forgetSent();
            script.receives(peer -> peer.ended(script.connection().remoteTag(), 3))
                    .hears("closed FINISHED");
            script.after(SECOND).sendsNothing();
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onEnded_forged_isIgnored() {
        try (Script script = opened()) {
            script.receives(peer -> peer.end(0)).hears("end").shutdown();
            script.receives(peer -> peer.ended(script.connection().remoteTag(), 1_000))
                    .hears()
                    .counts(CounterId.DROP_RESET_UNPROVED, 1);
        }
    }

    @Test
    void onEnded_ownBytesNotSent_isForgotten() {
        try (Script script = opened().write(100)) {
            script.at(1_000).sends("REQUEST backlog=100 credit<=0 no-ack");
            script.receives(peer -> peer.ended(script.connection().remoteTag(), 3))
                    .hears("closed FORGOTTEN");
        }
    }

    @Test
    void onEnded_peersEndHasNotCome_isForgotten() {
        try (Script script = opened().shutdown().forgetSent()) {
            script.receives(peer -> peer.ended(script.connection().remoteTag(), 3))
                    .hears("closed FORGOTTEN");
        }
    }

    @Test
    void onUnknown_bytesWaitForTooLong_isHeardAfterTheUserTimeout() {
        try (Script script = withUntakenBytes()) {
            script.receives(peer -> peer.unknown(script.connection().remoteTag(), 3));
            script.after(11 * SECOND).hears("closed FORGOTTEN");
        }
    }

    @Test
    void onUnknown_forged_isIgnored() {
        try (Script script = opened().write(100)) {
            long tag = script.connection().remoteTag();
            long next = script.connection().numbers().next();
            script.at(1_000)
                    .receives(peer -> peer.unknown(tag, (int) next))
                    .receives(peer -> peer.unknown(tag, (int) next + 1_000))
                    .receives(peer -> peer.unknown(tag, 0))
                    .receives(peer -> peer.unknown(tag, -1))
                    .receives(peer -> peer.unknown(script.connection().localTag(), 1))
                    .counts(CounterId.DROP_RESET_UNPROVED, 5)
                    .hears();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                long wrong = tag ^ 1L << bit;
                script.receives(peer -> peer.unknown(wrong, 1)).hears();
            }
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void onUnknown_fromAnotherAddressOrPort_isIgnored() {
        try (Script script = opened()) {
            var path = script.peer().path();
            var elsewhere = io.weir.transport.wire.Path.from(path.localMac(), path.local(), 1)
                    .to(path.remoteMac(), path.remote(), path.localPort());
            script.receives(peer ->
                            peer.withPath(elsewhere).unknown(script.connection().remoteTag(), 1))
                    .counts(CounterId.DROP_RESET_UNPROVED, 1)
                    .hears();
        }
    }

    @Test
    void onUnknown_halfOpenWithoutAConnection_isForgotten() {
        HostConfig.Peers noCredits =
                HostConfig.Peers.DEFAULT.withCreditedMax(0).withHalfOpenMax(8).withConnectionsMax(8);
        try (Script script = new Script(builder -> builder.peers(noCredits)).listen()) {
            SentFrame open =
                    script.receives(peer -> peer.open(0, 0)).record(peer -> peer.open(OpenHeader.FLAG_COOKIE, 0));
            long tag = open.bytes().getLong(44, ByteOrder.BIG_ENDIAN);
            script.at(1_000).receivesAgain(open).receives(peer -> peer.unknown(tag, 2));
            assertEquals(1, script.host().halfOpenCount());
            script.receives(peer -> peer.unknown(tag, 1));
            assertEquals(0, script.host().halfOpenCount());
        }
    }

    @Test
    void isProof_numbersThatMayHaveLeft_acrossTheWrap() {
        long wrap = 1L << 32;
        assertTrue(StatelessResets.isProof(1, 2));
        assertFalse(StatelessResets.isProof(2, 2));
        assertFalse(StatelessResets.isProof(0, 2));
        assertTrue(StatelessResets.isProof(-1, wrap + 5));
        assertTrue(StatelessResets.isProof(0, wrap + 5));
        assertTrue(StatelessResets.isProof(4, wrap + 5));
        assertFalse(StatelessResets.isProof(5, wrap + 5));
        assertFalse(StatelessResets.isProof(5 - (1 << 16) - 1, wrap + 5));
    }
}
