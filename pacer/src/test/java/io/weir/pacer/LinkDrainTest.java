package io.weir.pacer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link LinkDrain}. */
class LinkDrainTest {
    @Test
    void start_backToBackFrames_takesExactlyTheLinksTime() {
        LinkDrain drain = new LinkDrain(3_000_000_000L, Slack.NONE);
        for (int i = 0; i < 3_000; i++) {
            drain.start(1_538, 0, drain.freeNanos());
        }
        assertEquals(RateMath.serializationNanosFloor(1_538L * 3_000, 3_000_000_000L), drain.freeNanos());
    }

    @Test
    void start_idleLink_startsAtArrivalAndForgetsTheRemainder() {
        LinkDrain drain = new LinkDrain(10_000_000_000L, new Slack(1_000, 0));
        drain.start(1_538, 0, 0);
        assertEquals(5_000, drain.start(1_538, 5_000, 5_000));
        assertEquals(6_230, drain.freeNanos());
    }

    @Test
    void start_polledLate_recoversTheTimeUpToTheAllowance() {
        LinkDrain drain = new LinkDrain(1_000_000_000L, new Slack(20_000, 0));
        drain.start(1_250, 0, 0);
        assertEquals(10_000, drain.start(1_250, 0, 15_000));
        assertEquals(100_000 - 20_000, drain.start(1_250, 0, 100_000));
    }

    @Test
    void isFree_slackAhead_letsShortFramesLeaveTogether() {
        LinkDrain drain = new LinkDrain(10_000_000_000L, new Slack(0, 2_000));
        drain.start(84, 0, 0);
        assertTrue(drain.isFree(0));
        assertEquals(67, drain.start(1_538, 0, 0), "in the link's own time, one after the other");
        assertTrue(drain.isFree(0));
        drain.start(1_538, 0, 0);
        assertFalse(drain.isFree(0));
        assertEquals(drain.freeNanos() - 2_000, drain.readyNanos());
    }

    @Test
    void isFree_whileSerializing_isFalse() {
        LinkDrain drain = new LinkDrain(1_000_000_000L, Slack.NONE);
        drain.start(1_250, 0, 0);
        assertFalse(drain.isFree(9_999));
        assertTrue(drain.isFree(10_000));
    }

    @Test
    void start_afterMakeUp_leavesBeyondTheRate() {
        LinkDrain drain = new LinkDrain(1_000_000_000L, Slack.NONE);
        drain.start(1_000, 0, 0);
        drain.makeUp(2_500, 3_000);
        drain.makeUp(2_500, 3_000);
        assertEquals(3_000, drain.makeUpBytes(), "never more than the budget");
        for (int i = 0; i < 3; i++) {
            assertTrue(drain.isFree(8_000));
            drain.start(1_000, 8_000, 8_000);
        }
        assertEquals(8_000, drain.freeNanos(), "made up for, so that the link is as free as before");
        drain.start(1_000, 8_000, 8_000);
        assertEquals(16_000, drain.freeNanos());
    }

    @Test
    void start_withinWhatIsMadeUp_leavesNow() {
        LinkDrain link = new LinkDrain(8_000_000_000L, new Slack(0, 0));
        link.makeUp(100, 100);
        assertEquals(70, link.start(100, 50, 70));
        assertEquals(70, link.start(100, 50, 70), "the link was free, and is not late");
    }

    @Test
    void bytesLeft_duringAndAfterAFrame_isWhatHasNotLeft() {
        LinkDrain link = new LinkDrain(8_000_000_000L, new Slack(0, 0));
        link.start(100, 0, 0);
        assertEquals(60, link.bytesLeft(40));
        assertEquals(0, link.bytesLeft(100));
        assertEquals(0, link.bytesLeft(140));
        assertEquals(8_000_000_000L, link.rateBps());
    }
}
