package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link RateTrial}: when it begins, how fast it raises, and what it learns. */
class RateTrialTest {
    private static final double LOSS = 0.1;
    private static final double USUAL = 0.25;

    private final RateTrial trial = new RateTrial();

    /** {@return how many credits without loss it takes, ten a period, until a trial begins} */
    private int creditsUntilTrial() {
        int credits = 0;
        while (trial.fraction() == 0 && credits < 1_000) {
            trial.onNoLoss(10, LOSS, USUAL);
            credits += 10;
        }
        return credits;
    }

    @Test
    void onNoLoss_improbableRun_closesAThirdThenHalvesOfTheDistance() {
        assertEquals(20, creditsUntilTrial());
        assertEquals(0.5, trial.fraction(), 1e-9);
        trial.onNoLoss(10, LOSS, USUAL);
        assertEquals(0.75, trial.fraction(), 1e-9);
        trial.onNoLoss(10, LOSS, USUAL);
        assertEquals(0.875, trial.fraction(), 1e-9);
    }

    @Test
    void onNoLoss_fewCredits_proveNothing() {
        trial.onNoLoss(7, 0.9, USUAL);
        assertEquals(0, trial.fraction());
    }

    @Test
    void onNoLoss_flowHasMostOfTheLink_triesNothing() {
        for (int i = 0; i < 100; i++) {
            trial.onNoLoss(10, LOSS, 0.61);
        }
        assertEquals(0, trial.fraction());
    }

    @Test
    void onLoss_beforeTheRaisedCreditsAreHeardOf_countsAndEnds() {
        creditsUntilTrial();
        assertFalse(trial.onLoss(), "those credits were sent at the usual rate");
        assertEquals(0, trial.fraction());
        assertTrue(trial.onNoLoss(10, LOSS, USUAL));
    }

    @Test
    void onLoss_ofRaisedCredits_isTheTrialsAndSoIsThePeriodAfter() {
        creditsUntilTrial();
        assertTrue(trial.onNoLoss(10, LOSS, USUAL));
        assertTrue(trial.onLoss());
        assertEquals(0, trial.fraction());
        assertTrue(trial.onLoss(), "credits that were raised are still on their way");
        assertFalse(trial.onLoss());
    }

    @Test
    void creditsUntilTrial_failures_askForMoreUpToALimit() {
        int[] credits = new int[5];
        for (int i = 0; i < credits.length; i++) {
            credits[i] = creditsUntilTrial();
            trial.onNoLoss(10, LOSS, USUAL);
            trial.onLoss();
            trial.onLoss();
        }
        assertEquals(20, credits[0]);
        assertEquals(30, credits[1]);
        assertEquals(50, credits[3]);
        assertEquals(50, credits[4]);
    }

    @Test
    void creditsUntilTrial_failuresLongAgo_areForgotten() {
        for (int i = 0; i < 5; i++) {
            creditsUntilTrial();
            trial.onNoLoss(10, LOSS, USUAL);
            trial.onLoss();
            trial.onLoss();
        }
        for (int i = 0; i < 500; i++) {
            trial.onLoss();
        }
        assertEquals(20, creditsUntilTrial());
    }

    @Test
    void creditsUntilTrial_successes_askForLess() {
        creditsUntilTrial();
        for (int i = 0; i < 3; i++) {
            trial.onNoLoss(10, LOSS, USUAL);
        }
        trial.onLoss();
        trial.onLoss();
        assertEquals(10, creditsUntilTrial());
    }
}
