package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.wire.IpAddress;
import org.junit.jupiter.api.Test;

/** Tests {@link StandingCredit}. */
class StandingCreditTest {
    private final StandingBudget budget = new StandingBudget(StandingBudget.UNIT_BYTES);
    private final StandingBudget.Account other = accountOf(3);
    private final StandingCredit standing = new StandingCredit(accountOf(2));

    /** Another peer holds as much as this one may: there is room for one of two flows. */
    StandingCreditTest() {
        accountOf(1).tryTake();
    }

    private StandingBudget.Account accountOf(int peer) {
        return budget.accountOf(IpAddress.v4(peer), StandingBudget.UNIT_BYTES);
    }

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
        assertTrue(other.tryTake());
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
        assertFalse(other.tryTake());
        standing.end();
        assertTrue(other.tryTake());
        standing.end();
        assertFalse(accountOf(4).tryTake());
    }

    @Test
    void close_oneIsOut_givesItsPlaceBackAndGetsNoOther() {
        standing.setWanted(true);
        standing.tryMake(true, 7, 0);
        standing.setWanted(true);
        standing.close();
        assertFalse(standing.isDue());
        assertTrue(other.tryTake());
    }
}
