package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link StandingCredits}. */
class StandingCreditsTest {
    @Test
    void tryTake_budgetUsedUp_givesNone() {
        StandingCredits credits = new StandingCredits(2);
        assertTrue(credits.tryTake());
        assertTrue(credits.tryTake());
        assertFalse(credits.tryTake());
        credits.giveBack();
        assertTrue(credits.tryTake());
    }
}
