package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Golden;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link Lifecycle}: its table and its deadlines; what follows from them is in the conversations of {@link
 * ConnectionTest}, {@link ConnectionLifeTest} and {@link HandshakeTest}.
 */
class LifecycleTest {
    private final Lifecycle life = new Lifecycle(Lifecycle.State.ESTABLISHED);

    @Test
    void table_asGraph_isTheGoldenOne() {
        Golden.requireEqual("Lifecycle.dot", Lifecycle.TABLE.toDot());
    }

    @Test
    void endBy_laterThanBefore_changesNothing() {
        life.endBy(100);
        life.endBy(200);
        assertEquals(100, life.deadlineNanos());
        assertFalse(life.isLeaving());
        life.leaveBy(50);
        assertEquals(50, life.deadlineNanos());
        assertTrue(life.isLeaving());
    }

    @Test
    void onConfirmed_deadlineOfTheOpening_isOver() {
        Lifecycle halfOpen = new Lifecycle(Lifecycle.State.HALF_OPEN);
        halfOpen.endBy(100);
        halfOpen.onConfirmed();
        assertEquals(NO_DEADLINE, halfOpen.deadlineNanos());
        assertEquals(Lifecycle.State.ESTABLISHED, halfOpen.state());
    }

    @Test
    void extend_moreAcknowledged_hasTheWholeTimeAgain() {
        life.endWithin(100, 7, 1_000);
        assertFalse(life.extend(7, 1_100));
        assertEquals(1_100, life.deadlineNanos());
        assertTrue(life.extend(8, 1_100));
        assertEquals(1_200, life.deadlineNanos());
        assertFalse(life.extend(8, 1_200));
    }

    @Test
    void linger_peerThatRepeatsSlowly_waitsFourOfItsGaps() {
        life.linger(500, 100, 0);
        assertEquals(500, life.deadlineNanos());
        life.linger(500, 100, 300);
        assertEquals(300 + 4 * 300, life.deadlineNanos());
    }

    @Test
    void endAfterReading_pending_untilItCloses() {
        assertFalse(life.isEndPending());
        life.endAfterReading(CloseReason.RESET, 100);
        assertTrue(life.isEndPending());
        assertEquals(100, life.deadlineNanos());
        assertEquals(CloseReason.RESET, life.pendingReason());
        life.move(Lifecycle.Event.ABORTED);
        assertFalse(life.isEndPending());
    }

    @Test
    void end_twice_firstReasonHolds() {
        assertTrue(life.end(CloseReason.FINISHED));
        assertFalse(life.end(CloseReason.HOST_CLOSED));
        assertEquals(CloseReason.FINISHED, life.closeReason());
    }
}
