package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link StandingCredit}. */
class StandingCreditTest {
    private final StandingCredits host = new StandingCredits(1);
    private final StandingCredit standing = new StandingCredit(host);

    @Test
    void tryMake_wanted_countsItForTwiceAsLongAsTheSenderKeepsIt() {
        standing.setWanted(true);
        assertTrue(standing.isDue());
        assertTrue(standing.tryMake(true, 7, 1_000));
        assertFalse(standing.isDue());
        assertEquals(7, standing.sequence());
        assertEquals(1_000 + 2 * StandingCredit.KEPT_NANOS, standing.expiryNanos());
    }

    @Test
    void tryMake_noRoom_givesUpAndTakesNoPlace() {
        standing.setWanted(true);
        assertFalse(standing.tryMake(false, 7, 0));
        assertFalse(standing.isDue());
        assertEquals(NO_DEADLINE, standing.expiryNanos());
        assertTrue(host.tryTake());
    }

    @Test
    void tryMake_notWanted_makesNone() {
        assertFalse(standing.tryMake(true, 7, 0));
        assertEquals(0, standing.sequence());
    }

    @Test
    void end_twice_givesItsPlaceBackOnce() {
        standing.setWanted(true);
        standing.tryMake(true, 7, 0);
        assertFalse(host.tryTake());
        standing.end();
        assertTrue(host.tryTake());
        standing.end();
        assertFalse(host.tryTake());
    }
}
