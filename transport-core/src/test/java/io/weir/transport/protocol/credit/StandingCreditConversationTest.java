package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a {@link CreditReceiver} gives an idle sender: one credit for its next first frame. */
class StandingCreditConversationTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long GAP = Script.CREDIT_GAP_NANOS;
    private static final long SECOND = 1_000_000_000;
    private static final int FIN = DataHeader.FLAG_FIN;

    private static List<String> creditsOf(Script script) {
        return script.takeSent().stream()
                .map(SentFrame::text)
                .filter(text -> text.startsWith("CREDIT"))
                .toList();
    }

    private static Script standing(int max) {
        Settings config = ExpressPass.weir().with(ExpressPass.STANDING_BYTES, max * 1_538L);
        return new Script(config);
    }

    @Test
    void onData_standingCreditSpentAfterNewerOnes_isFollowedAllTheSame() {
        try (Script script = standing(8).establishFromPeer(0)) {
            script.after(20_000)
                    .receives(peer -> peer.request(SEGMENT, 0))
                    .after(10 * GAP)
                    .receives(peer -> peer.data(2, 0, SEGMENT, 0, 0))
                    .after(GAP)
                    .forgetSent()
                    .receives(peer -> peer.data(1, SEGMENT, SEGMENT, 0, 3 * SEGMENT))
                    .after(20 * GAP);
            assertTrue(creditsOf(script).size() >= 3, "nobody else tells of what waits behind it");
        }
    }

    @Test
    void standing_idleFlow_holdsOneCreditAndNoMore() {
        try (Script script = standing(8).establishFromPeer(0)) {
            script.sendsNothing();
            assertEquals(1, script.connection().creditLedger().sent());
            script.at(SECOND).sendsNothing();
            assertEquals(1, script.connection().creditLedger().expired());
        }
    }

    @Test
    void standing_openingWithoutBacklog_comesWithEachAcceptance() {
        try (Script script = standing(8).listen()) {
            script.receives(peer -> peer.open(0, 0)).after(1_000).forgetSent();
            SentFrame open = script.record(peer -> peer.open(OpenHeader.FLAG_COOKIE, 0));
            String accept = "ACCEPT protocol=1 window=262144 backlog=0 grants=1";
            script.receivesAgain(open).sends(accept).after(1_000);
            script.receivesAgain(open).sends(accept).after(20_000).sendsNothing();
            script.receives(peer -> peer.data(1, 0, 100)).after(20_000);
            assertEquals(2, script.connection().creditLedger().sent());
            assertEquals(1, script.connection().creditLedger().used());
            assertEquals(List.of("CREDIT 2 ack=100 standing"), creditsOf(script));
        }
    }

    @Test
    void standing_openingWithBacklog_comesNotWithTheAcceptance() {
        try (Script script = standing(8).listen()) {
            script.receives(peer -> peer.open(0, 0)).after(1_000).forgetSent();
            script.receives(peer -> peer.open(OpenHeader.FLAG_COOKIE | OpenHeader.FLAG_CREDIT_REQUEST, 100))
                    .after(1_000)
                    .sends("ACCEPT protocol=1 window=262144 backlog=0")
                    .sends("CREDIT 1 ack=0");
        }
    }

    /** The sender asked before it had the standing credit, and still holds it when it uses a newer one. */
    @Test
    void standing_newerCreditUsedFirst_isNoLoss() {
        Settings config = Script.even(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 8 * 1_538L));
        try (Script script = new Script(config, builder -> builder.creditFramesMax(2), 256)
                .peerCreditFrames(2)
                .establishFromPeer(0)) {
            script.receives(peer -> peer.request(2 * SEGMENT, 0)).at(20_000).forgetSent();
            script.receives(peer -> peer.data(2, 0, SEGMENT, 0, 2 * SEGMENT)).after(6 * GAP);
            assertEquals(1, script.connection().creditLedger().lost(), "so far");
            List<String> credits = creditsOf(script);
            assertEquals(1, credits.size(), "none to spare");
            assertTrue(credits.get(0).contains(" x2 "), credits::toString);
        }
    }

    @Test
    void standing_used_isRenewedWhenTheFlowIsIdleAgain() {
        try (Script script = standing(8).establishFromPeer(0)) {
            script.receives(peer -> peer.data(1, 0, 100)).at(20_000);
            assertEquals(List.of("CREDIT 2 ack=100 standing"), creditsOf(script));
            script.receives(peer -> peer.data(2, 100, 100)).at(40_000);
            assertEquals(List.of("CREDIT 3 ack=200 standing"), creditsOf(script));
        }
    }

    @Test
    void standing_budgetOfTheHostUsedUp_givesNone() {
        try (Script script = standing(1).establishFromPeer(0)) {
            script.forgetSent();
            openFrom(script, 1).sends("ACCEPT protocol=1 window=262144 backlog=0 grants=1");
            openFrom(script, 2)
                    .sends("ACCEPT protocol=1 window=262144 backlog=0")
                    .sendsNothing();
        }
    }

    /** Another peer opens a connection, and is asked for a cookie first. */
    private static Script openFrom(Script script, int number) {
        Path path = script.peer().path();
        PeerFrames other = script.peer()
                .withPath(Path.from(path.localMac() + number, IpAddress.parse("10.0.9." + number), path.localPort())
                        .to(path.remoteMac(), path.remote(), path.remotePort()))
                .withPeerTag(0xABC + number);
        return script.receives(peer -> other.open(0, 0))
                .receives(peer -> other.open(1, 0))
                .after(1_000)
                .sends("CHALLENGE");
    }

    @Test
    void standing_manyFlowsOfOnePeer_eachHasOne() {
        try (Script script = standing(1).establishFromPeer(0)) {
            script.forgetSent();
            for (int i = 0; i < 20; i++) {
                PeerFrames second = script.peer().withPeerTag(0xABC + i);
                script.receives(peer -> second.open(0, 0))
                        .receives(peer -> second.open(1, 0))
                        .after(1_000)
                        .sends("CHALLENGE")
                        .sends("ACCEPT protocol=1 window=262144 backlog=0 grants=1");
            }
        }
    }

    @Test
    void standing_duplicateOpening_isNotGivenTwice() {
        try (Script script = standing(8).listen()) {
            script.receives(peer -> peer.open(0, 0));
            SentFrame open = script.record(peer -> peer.open(1, 0));
            script.receivesAgain(open)
                    .after(1_000)
                    .receives(peer -> peer.data(1, 0, 100, FIN, 0))
                    .after(1_000)
                    .forgetSent()
                    .receivesAgain(open)
                    .after(SECOND / 2);
            assertEquals(List.of(), creditsOf(script));
        }
    }

    /** Its data is about to leave and takes it along; a peer that needs it asks. */
    @Test
    void standing_dataWaitsForACredit_ridesOnThatData() {
        try (Script script = standing(8).establishFromPeer(0)) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .after(1_000)
                    .write(100)
                    .after(200_000);
            assertEquals(List.of(), creditsOf(script));
            script.receives(peer -> peer.credit(1)).after(1_000);
            assertEquals(
                    List.of("DATA [0,100) credit=1 backlog=0 grants=2"),
                    script.takeSent().stream().map(SentFrame::text).toList());
        }
    }

    @Test
    void standing_dataWaitsForACreditAndThePeerAsks_leavesAtOnce() {
        try (Script script = standing(8).establishFromPeer(0)) {
            script.receives(peer -> peer.data(1, 0, 100))
                    .after(1_000)
                    .write(100)
                    .after(20_000)
                    .receives(peer -> peer.request(100, 1))
                    .after(1_000);
            assertEquals("CREDIT 2 ack=100 standing", creditsOf(script).get(0));
        }
    }

    /** Who opens speaks first nearly always. */
    @Test
    void standing_openerHasNotSpoken_keepsItForItsFirstData() {
        try (Script script = standing(8).establishFromHost(0, 1 << 18)) {
            script.forgetSent().after(200_000).sendsNothing();
            script.receives(peer -> peer.request(100, 0)).after(1_000);
            assertEquals("CREDIT 1 ack=0 standing", creditsOf(script).get(0));
        }
    }
}
