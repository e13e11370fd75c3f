package io.weir.transport.protocol.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.protocol.Settings;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.EcnField;
import org.junit.jupiter.api.Test;

/**
 * Conversations with a host that gives credits by CCRP: what marks, and a sender that lies about them, do to their
 * gaps.
 */
class CcrpConversationTest {
    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long GAP = Script.CREDIT_GAP_NANOS;
    private static final long RTT = 20_000;
    private static final long BACKLOG = 1 << 30;
    private static final int ROUNDS = 60;

    private static Script opened() {
        Settings even = Ccrp.KIND
                .usual()
                .with(Ccrp.SMALLEST, 84)
                .with(Ccrp.LARGEST, 84)
                .with(Ccrp.JITTER, 0.0)
                .with(Ccrp.STANDING_BYTES, 0L);
        return new Script(even).establishFromPeer(0);
    }

    private static Frame marked(Frame frame) {
        assertTrue(EcnField.mark(frame));
        return frame;
    }

    /** What the peer makes of a credit. */
    @FunctionalInterface
    private interface Answer {
        Frame data(PeerFrames peer, long credit, long offset);
    }

    private static Frame honest(PeerFrames peer, long credit, long offset) {
        return peer.data(credit, offset, SEGMENT, 0, BACKLOG);
    }

    /**
     * {@return credits that came in the last round trip but one, when each of a round trip is answered a round trip
     * later}
     */
    private static int creditsAfter(Script script, Answer answer) {
        script.receives(peer -> peer.request(BACKLOG, 0));
        long offset = 0;
        long credit = 0;
        int came = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            script.at(round * RTT);
            came = (int) script.takeSent().stream()
                    .map(SentFrame::text)
                    .filter(text -> text.startsWith("CREDIT"))
                    .count();
            for (int i = 0; i < came; i++) {
                long spent = ++credit;
                long at = offset;
                script.receives(peer -> answer.data(peer, spent, at));
                offset += SEGMENT;
            }
        }
        return came;
    }

    @Test
    void onData_noMarks_creditsAtTheHighestRate() {
        try (Script script = opened()) {
            assertEquals(RTT / (double) GAP, creditsAfter(script, CcrpConversationTest::honest), 1);
        }
    }

    @Test
    void onData_everyFrameMarked_creditsAtATenthOfTheRate() {
        try (Script script = opened()) {
            int credits = creditsAfter(script, (peer, credit, at) -> marked(honest(peer, credit, at)));
            // The fixed point of r = (1 - w) r (1 - alpha / 2) + w max with alpha 1 and w 0.06 is 0.113.
            assertTrue(credits >= 1 && credits <= 3, credits + " credits");
        }
    }

    @Test
    void onData_senderMakesItsDataUnmarkable_gainsNothing() {
        try (Script script = opened()) {
            int credits = creditsAfter(script, (peer, credit, at) -> peer.unmarkableData(credit, at, SEGMENT, BACKLOG));
            assertTrue(credits <= 3, credits + " credits");
        }
    }

    @Test
    void onData_creditUsedTwice_isDroppedAndItsMarkNotCounted() {
        try (Script script = opened()) {
            script.receives(peer -> peer.request(BACKLOG, 0)).at(3 * GAP).forgetSent();
            script.receives(peer -> peer.data(1, 0, SEGMENT, 0, BACKLOG));
            for (int i = 0; i < 10; i++) {
                script.receives(peer -> marked(peer.data(1, 0, SEGMENT, 0, BACKLOG)));
            }
            script.counts(CounterId.DROP_CREDIT_REUSED, 10);
            script.forgetSent().at(30 * GAP).forgetSent();
            // No period had a mark: the rate is still the highest.
            script.receives(peer -> peer.data(2, SEGMENT, SEGMENT, 0, BACKLOG)).at(31 * GAP + GAP / 2);
            long credits = script.takeSent().stream()
                    .filter(frame -> frame.text().startsWith("CREDIT"))
                    .count();
            assertTrue(credits >= 1, credits + " credits");
        }
    }

    @Test
    void onData_creditNeverGiven_isDropped() {
        try (Script script = opened()) {
            script.receives(peer -> peer.data(77, 0, SEGMENT, 0, BACKLOG)).counts(CounterId.DROP_CREDIT_UNKNOWN, 1);
            script.forgetSent();
        }
    }
}
