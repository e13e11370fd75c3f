package io.weir.transport.protocol.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import org.junit.jupiter.api.Test;

/** Tests {@link EcnFeedback}: Algorithm 1 by steps computed by hand, in each reading. */
class EcnFeedbackTest {
    private static final long MAX = 10_000_000_000L;
    private static final int COST = 1626;
    private static final long RTT = 60_000;
    private static final double GAIN = 1 / 256.0;

    /** No recovery and no decay, so that Algorithm 1 is alone. */
    private final Settings bare = Ccrp.KIND
            .usual()
            .with(Ccrp.RECOVERY, 0)
            .with(Ccrp.ALPHA_DECAYS, false)
            .with(Ccrp.CUT_AT_TARGET, false)
            .with(Ccrp.INITIAL_RATE, 0.5);

    private EcnFeedback feedback = new EcnFeedback(bare, MAX, COST);

    private EcnFeedback with(Settings settings) {
        feedback = new EcnFeedback(settings, MAX, COST);
        return feedback;
    }

    private void period(int frames, int marked, int lost) {
        for (int i = 0; i < frames; i++) {
            feedback.onData(i < marked, 1424);
        }
        feedback.onPeriod(frames + lost, lost, RTT, RTT);
    }

    private void requireRate(double expectedBps) {
        assertEquals(expectedBps, (double) feedback.rateBps(), 2, "bit/s");
    }

    @Test
    void rateBps_newFlow_isTheHighest() {
        with(Ccrp.KIND.usual());
        requireRate(MAX);
    }

    @Test
    void onPeriod_nothingLostOrMarked_raisesByOmega() {
        period(100, 0, 0);
        // w = (0 + 0.06) / 2
        requireRate(0.97 * 5e9 + 0.03 * MAX);
        period(100, 0, 0);
        // w = (0.03 + 0.06) / 2
        requireRate(0.955 * 5.15e9 + 0.045 * MAX);
    }

    @Test
    void onPeriod_creditsLost_cutsByTheLossAndHalvesOmega() {
        period(75, 0, 25);
        requireRate(5e9 * 0.75);
        period(100, 0, 0);
        // w was 0, so that line 18 left w_min = 0.01
        double omega = (0.01 + 0.06) / 2;
        requireRate((1 - omega) * 3.75e9 + omega * MAX);
    }

    @Test
    void onPeriod_marked_cutsByAlphaThenRaisesByOmega() {
        period(100, 25, 0);
        double alpha = 1 - GAIN + GAIN * 0.25;
        requireRate(0.97 * 5e9 * (1 - alpha / 2) + 0.03 * MAX);
    }

    @Test
    void onPeriod_markedAndLost_cutsTwice() {
        period(100, 100, 100);
        requireRate(5e9 * 0.5 * 0.5);
    }

    @Test
    void onPeriod_marksOfThePeriodBefore_doNotCount() {
        period(100, 50, 0);
        double before = feedback.rateBps();
        period(100, 0, 0);
        requireRate(0.955 * before + 0.045 * MAX);
    }

    @Test
    void onPeriod_targetRatio_isToleratedAndCutsMoreWhenExceeded() {
        with(bare.with(Ccrp.TARGET_ECN_RATIO, 0.1));
        period(100, 10, 0);
        requireRate(0.97 * 5e9 + 0.03 * MAX);
        double before = feedback.rateBps();
        period(100, 20, 0);
        double alpha = 1 - GAIN + GAIN * 0.2;
        requireRate(0.955 * before * Math.max(0, 1 - (0.1 + alpha) / 2) + 0.045 * MAX);
    }

    @Test
    void onPeriod_asPrinted_cutsWithoutAMark() {
        with(bare.with(Ccrp.CUT_AT_TARGET, true));
        period(100, 0, 0);
        double alpha = 1 - GAIN;
        requireRate(0.97 * 5e9 * (1 - alpha / 2) + 0.03 * MAX);
    }

    @Test
    void onPeriod_creditsNeedMarks_staysWithoutThem() {
        with(bare.with(Ccrp.CREDITS_NEED_MARKS, true));
        period(100, 0, 50);
        requireRate(5e9);
    }

    @Test
    void onPeriod_keepsTmpRate_raisesFromTheLastCut() {
        with(bare.with(Ccrp.KEEP_TMP_RATE, true));
        period(100, 100, 0);
        requireRate(0.97 * 2.5e9 + 0.03 * MAX);
        period(100, 0, 0);
        requireRate(0.955 * 2.5e9 + 0.045 * MAX);
    }

    @Test
    void onPeriod_everythingLostAndMarked_keepsARateThatCanLearn() {
        for (int i = 0; i < 100; i++) {
            period(1, 1, 1_000_000);
        }
        // One credit in 64 periods.
        requireRate(COST * 8e9 / RTT / 64);
        period(100, 0, 0);
        assertTrue(feedback.rateBps() > 0.03 * MAX);
    }

    @Test
    void onPeriod_noFrameCame_isUnmarked() {
        feedback.onPeriod(10, 5, RTT, RTT);
        requireRate(2.5e9);
    }

    @Test
    void onTime_raiseIsDue_saysThatTheRateChanged() {
        with(bare.with(Ccrp.RECOVERY, 1).with(Ccrp.TARGET_EACH_PERIOD, false));
        assertFalse(feedback.onTime(0));
        period(100, 100, 0);
        double before = feedback.rateBps();
        assertFalse(feedback.onTime(399_999));
        assertTrue(feedback.onTime(400_000));
        requireRate((before + 5e9) / 2);
    }

    @Test
    void counting_isOfAllCreditsAndOfMarks() {
        assertFalse(feedback.countsOnlyCurrentRate());
        assertTrue(feedback.countsWasteAsLoss());
        assertTrue(feedback.followsMarks());
    }
}
