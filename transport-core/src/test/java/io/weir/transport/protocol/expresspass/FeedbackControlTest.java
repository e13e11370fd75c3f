package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.credit.FeedbackControl;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests each {@link FeedbackControl} against steps computed by hand, and against the analysis of the paper: N flows
 * whose periods are synchronised share one link, which passes as many credits as its rate and drops the same part of
 * everybody's.
 */
class FeedbackControlTest {
    private static final long MAX = 10_000_000_000L;
    private static final int COST = 1626;
    private static final long RTT = 100_000;
    /** One credit a round trip, as a credited rate. */
    private static final double ONE_CREDIT_BPS = COST * 8e9 / RTT;

    private static final FeedbackConfig.Algorithm1 LETTER = ExpressPass.algorithm1(ExpressPass.paper());
    private static final FeedbackConfig.Authors AUTHORS = ExpressPass.authorsRule(ExpressPass.authors());
    private static final FeedbackConfig.LossPrice PRICE = ExpressPass.lossPrice(ExpressPass.weir()
            .with(ExpressPass.SENSITIVITY, 3L)
            .with(ExpressPass.STEEPNESS, 5L)
            .with(ExpressPass.GAIN_PER_RTT, 0.1)
            .with(ExpressPass.SAMPLES_MIN, 64L));

    private static void requireRate(double expectedBps, FeedbackControl feedback) {
        assertEquals(expectedBps, (double) feedback.rateBps(), 2, "bit/s");
    }

    // ---- Algorithm 1, section 3.2

    @Test
    void algorithm1_noLoss_averagesWithTheHighestRateTimesOnePlusTarget() {
        FeedbackControl feedback = new Algorithm1Feedback(LETTER, MAX, COST, 0.5);
        requireRate(5e9, feedback);
        feedback.onPeriod(100, 0, RTT, RTT);
        // The phase before was not an increasing one: w stays 0.5. 0.5 x 5G + 0.5 x 11G
        requireRate(8e9, feedback);
        feedback.onPeriod(100, 10, RTT, RTT);
        // A loss of exactly the target still increases; w = (0.5 + 0.5) / 2 = 0.5
        requireRate(9.5e9, feedback);
    }

    @Test
    void algorithm1_loss_cutsToWhatPassedTimesOnePlusTargetAndHalvesW() {
        FeedbackControl feedback = new Algorithm1Feedback(LETTER, MAX, COST, 0.5);
        feedback.onPeriod(100, 50, RTT, RTT);
        requireRate(5e9 * 0.5 * 1.1, feedback);
        feedback.onPeriod(100, 0, RTT, RTT);
        // w was halved to 0.25
        requireRate(0.75 * 2.75e9 + 0.25 * 11e9, feedback);
        feedback.onPeriod(100, 0, RTT, RTT);
        // The second increase in a row: w = (0.25 + 0.5) / 2
        requireRate((1 - 0.375) * 4.8125e9 + 0.375 * 11e9, feedback);
    }

    @Test
    void algorithm1_manyLosses_wStopsAtItsLeast() {
        FeedbackControl feedback = new Algorithm1Feedback(LETTER, MAX, COST, 1);
        for (int i = 0; i < 20; i++) {
            feedback.onPeriod(100, 11, RTT, RTT);
        }
        double before = feedback.rateBps();
        feedback.onPeriod(100, 0, RTT, RTT);
        requireRate(0.99 * before + 0.01 * 11e9, feedback);
    }

    @Test
    void algorithm1_everythingLost_keepsOneCreditARoundTripHoweverLongThePeriod() {
        FeedbackControl feedback = new Algorithm1Feedback(LETTER, MAX, COST, 1);
        feedback.onPeriod(100, 100, 3 * RTT, RTT);
        requireRate(ONE_CREDIT_BPS, feedback);
    }

    @Test
    void algorithm1_increase_endsAtTheHighestRate() {
        FeedbackControl feedback = new Algorithm1Feedback(LETTER, MAX, COST, 1);
        feedback.onPeriod(100, 0, RTT, RTT);
        requireRate(MAX, feedback);
    }

    @Test
    void algorithm1_variant_saysWhatAPeriodCounts() {
        FeedbackConfig.Algorithm1 mended =
                ExpressPass.algorithm1(ExpressPass.paper().with(ExpressPass.CURRENT_RATE_ONLY, true));
        assertTrue(new Algorithm1Feedback(mended, MAX, COST, 1).countsOnlyCurrentRate());
        assertTrue(!new Algorithm1Feedback(LETTER, MAX, COST, 1).countsOnlyCurrentRate());
        assertTrue(new Algorithm1Feedback(LETTER, MAX, COST, 1).countsWasteAsLoss());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 32, 100})
    void algorithm1_synchronisedFlows_reachTheAnalysisOfSection4(int flows) {
        // At the rate C the loss is 1 - 1/1.1 = 9.1 %, below the target: two flows with a w_min of 0.01 exceed C by too
        // little to be cut each time. The analysis supposes that they are.
        double wMin = flows == 2 ? 0.02 : 0.01;
        FeedbackConfig.Algorithm1 config =
                ExpressPass.algorithm1(ExpressPass.paper().with(ExpressPass.W_MIN, wMin));
        Algorithm1Feedback[] controls = new Algorithm1Feedback[flows];
        for (int i = 0; i < flows; i++) {
            controls[i] = new Algorithm1Feedback(config, MAX, COST, (i + 1.0) / flows);
        }
        double capacity = MAX * 1.1;
        for (int period = 0; period < 4_000; period++) {
            iterate(controls);
        }
        double[] even = rates(controls);
        if (Arrays.stream(even).sum() > capacity * 1.0001) {
            iterate(controls);
            even = rates(controls);
        }
        iterate(controls);
        double[] odd = rates(controls);
        for (int i = 0; i < flows; i++) {
            // = expresspass section 4: R(2k) -> C/N, R(2k+1) -> C/N (1 + (N-1) w_min), D* = C w_min (1 - 1/N)
            assertEquals(capacity / flows, even[i], 0.01 * capacity / flows, "R(2k)");
            double raised = capacity / flows * (1 + (flows - 1) * wMin);
            assertEquals(raised, odd[i], 0.01 * raised, "R(2k+1)");
            double distance = capacity * wMin * (1 - 1.0 / flows);
            assertEquals(distance, odd[i] - even[i], 0.01 * distance, "D*");
        }
    }

    private static double[] rates(FeedbackControl[] controls) {
        return Arrays.stream(controls).mapToDouble(FeedbackControl::rateBps).toArray();
    }

    /** One period: the link passes {@code MAX}; what exceeds it is lost, the same part of every flow's credits. */
    private static void iterate(FeedbackControl[] controls) {
        double sum = Arrays.stream(rates(controls)).sum();
        int total = 1_000_000_000;
        int lost = (int) Math.round(total * Math.max(0, 1 - MAX / sum));
        for (FeedbackControl control : controls) {
            // The analysis knows no least rate: a round trip so long that it does not count.
            control.onPeriod(total, lost, RTT, 1_000 * RTT);
        }
    }

    // ---- the authors' rule

    @Test
    void authors_noLoss_averagesWithTheHighestRate() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 0.5);
        feedback.onPeriod(100, 0, RTT, RTT);
        requireRate(7.5e9, feedback);
    }

    @Test
    void authors_loss_cutsToWhatPassed() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 0.5);
        // The target is (1 - 0.5) x 0.125; 20 of 25 passed in 100 us.
        double target = 0.0625;
        feedback.onPeriod(25, 5, RTT, RTT);
        requireRate(ONE_CREDIT_BPS * 20 * (1 + target), feedback);
        // w is 0.25 now, and an increase after a cut does not raise it.
        double cut = ONE_CREDIT_BPS * 20 * (1 + target);
        feedback.onPeriod(25, 0, RTT, RTT);
        requireRate(0.25 * MAX + 0.75 * cut, feedback);
        double risen = 0.25 * MAX + 0.75 * cut;
        feedback.onPeriod(25, 0, RTT, RTT);
        requireRate(0.30 * MAX + 0.70 * risen, feedback);
    }

    @Test
    void authors_lossWithinTheTarget_stillIncreases() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 0.5);
        feedback.onPeriod(100, 6, RTT, RTT);
        requireRate(7.5e9, feedback);
    }

    @Test
    void authors_cut_neverRaisesTheRate() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 0.1);
        feedback.onPeriod(1_000, 500, RTT, RTT);
        requireRate(1e9, feedback);
    }

    @Test
    void authors_everythingLost_keepsOneCreditARoundTrip() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 1);
        feedback.onPeriod(100, 100, RTT, RTT);
        requireRate(ONE_CREDIT_BPS, feedback);
    }

    @Test
    void authors_atTheHighestRate_anyLossIsTooMuch() {
        FeedbackControl feedback = new AuthorsFeedback(AUTHORS, MAX, COST, 1);
        feedback.onPeriod(50, 1, RTT, RTT);
        requireRate(ONE_CREDIT_BPS * 49, feedback);
        feedback.onPeriod(50, 10, 2 * RTT, RTT);
        requireRate(
                ONE_CREDIT_BPS * 20 * (1 + (1 - ONE_CREDIT_BPS * 49 / 10e9) * AUTHORS.targetLossFraction()), feedback);
    }

    // ---- the price of loss

    @Test
    void lossPrice_initialFraction_isTheFirstRate() {
        requireRate(10e9, new LossPriceFeedback(PRICE, MAX, COST, 1));
        requireRate(1e9, new LossPriceFeedback(PRICE, MAX, COST, 0.1));
    }

    private static double price(double delivered) {
        return 1.1 * delivered * delivered * delivered / (1 + 5 * (1 - delivered));
    }

    @Test
    void lossPrice_onePeriod_movesTheSmoothedLossByItsWeight() {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        requireRate(11e9, feedback);
        feedback.onPeriod(128, 64, RTT, RTT);
        requireRate(10e9 * price(0.95), feedback);
        feedback.onPeriod(32, 4, RTT, RTT);
        requireRate(10e9 * price(0.95 + 0.05 * (0.875 - 0.95)), feedback);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16, 64})
    void lossPrice_synchronisedFlows_settleAtTheLossOfTheFormula(int flows) {
        LossPriceFeedback[] controls = new LossPriceFeedback[flows];
        for (int i = 0; i < flows; i++) {
            controls[i] = new LossPriceFeedback(PRICE, MAX, COST, (i + 1.0) / flows);
        }
        for (int period = 0; period < 2_000; period++) {
            iterate(controls);
        }
        double[] rates = rates(controls);
        double delivered = MAX / Arrays.stream(rates).sum();
        assertEquals(1, flows * price(delivered) * delivered, 1e-4, "together they fill the link");
        for (double rate : rates) {
            assertEquals(rates[0], rate, rates[0] * 1e-4, "whatever they began with, all come to the same rate");
        }
    }

    private static LossPriceFeedback settled(double delivered) {
        LossPriceFeedback feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        for (int i = 0; i < 200; i++) {
            feedback.onPeriod(1_000, (int) (1_000 * (1 - delivered)), RTT, RTT);
        }
        return feedback;
    }

    @Test
    void lossPrice_runWithoutLoss_raisesTheRateUntilSomethingIsLost() {
        LossPriceFeedback feedback = settled(0.8);
        double usual = feedback.rateBps();
        feedback.onPeriod(8, 0, RTT, RTT);
        assertTrue(feedback.rateBps() < 1.1 * usual, "eight in a row prove little");
        feedback.onPeriod(8, 0, RTT, RTT);
        double tried = feedback.rateBps();
        assertEquals(usual + (11e9 - usual) / 3, tried, 0.05 * MAX);
        feedback.onPeriod(32, 0, RTT, RTT);
        feedback.onPeriod(32, 0, RTT, RTT);
        assertTrue(feedback.rateBps() > 0.9 * MAX, () -> feedback.rateBps() + " bit/s");
        feedback.onPeriod(32, 16, RTT, RTT);
        assertEquals(usual, (double) feedback.rateBps(), 0.25 * usual, "the trial's own loss does not count");
    }

    @Test
    void lossPrice_exceptionalLoss_countsOnlyWhenItLasts() {
        LossPriceFeedback feedback = settled(0.9);
        double usual = feedback.rateBps();
        feedback.onPeriod(128, 64, RTT, RTT);
        feedback.onPeriod(128, 64, RTT, RTT);
        assertEquals(usual, (double) feedback.rateBps(), 1, "two periods may be a rival's trial");
        feedback.onPeriod(128, 64, RTT, RTT);
        assertTrue(feedback.rateBps() < 0.9 * usual, "three are rivals that came");
    }

    @Test
    void lossPrice_firstBacklog_beginsTheLowerTheMoreTheHostLoses() {
        requireFirstRate(10e9, 1, 25, 1);
        requireFirstRate(5e9, 1, 25, 2.0 / 3);
        requireFirstRate(5e9, 1, 24, 0.75);
        requireFirstRate(10e9, 1, 10, 0.3);
        requireFirstRate(625e6, 1, 11, 0.3);
        requireFirstRate(1e9, 0.1, 25, 0.75);
    }

    private static void requireFirstRate(double rateBps, double alpha, long frames, double hostDelivered) {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, alpha);
        feedback.onFirstBacklog(frames, hostDelivered);
        requireRate(rateBps, feedback);
    }

    /** A flow with a long first backlog, {@code echoes} of whose credits came back. */
    private static LossPriceFeedback begun(int echoes) {
        LossPriceFeedback feedback = new LossPriceFeedback(PRICE, MAX, COST, 1);
        feedback.onFirstBacklog(25, 1);
        assertFalse(feedback.onCredit(1, RTT, false));
        for (int i = 0; i < echoes; i++) {
            feedback.onData(false, 1_460);
        }
        return feedback;
    }

    @Test
    void lossPrice_fewCreditsCameBack_hasTheRateOfTheShareThatTheyCanBe() {
        // A round trip is 76.9 frames. After it the link has passed 26.1, and 13 credits may be the flow's.
        double share = 13 / (13 + 103 - RTT * 10.0 / (8 * COST));
        for (int echoes : new int[] {0, 12}) {
            LossPriceFeedback feedback = begun(echoes);
            assertTrue(feedback.onCredit(104, RTT, false));
            double delivered = share * MAX / feedback.rateBps();
            assertEquals(price(delivered) * MAX, (double) feedback.rateBps(), 10, () -> "bit/s after " + echoes);
            long before = feedback.rateBps();
            feedback.onPeriod(100, 100 - echoes, RTT, RTT);
            assertEquals(before, feedback.rateBps(), "what its echoes are is chance");
        }
    }

    @Test
    void lossPrice_enoughCameBack_goesOnFromItsShare() {
        LossPriceFeedback feedback = begun(13);
        assertTrue(feedback.onCredit(1_000, RTT, false));
        double counted = 13 / (13 + 999 - RTT * 10.0 / (8 * COST));
        double delivered = counted * (1 + 10 * counted) * MAX / feedback.rateBps();
        assertEquals(price(delivered) * MAX, (double) feedback.rateBps(), 10, "bit/s");
        long before = feedback.rateBps();
        assertFalse(feedback.onCredit(5_000, RTT, false), "the share is known");
        feedback.onPeriod(100, 100, RTT, RTT);
        assertTrue(feedback.rateBps() < before, "loss counts");
    }

    @Test
    void lossPrice_hostLosesCredits_noShareRaisesTheFirstRate() {
        LossPriceFeedback feedback = new LossPriceFeedback(PRICE, MAX, COST, 1);
        feedback.onFirstBacklog(25, 2.0 / 3);
        feedback.onCredit(1, RTT, false);
        for (int i = 0; i < 40; i++) {
            feedback.onData(false, 1_460);
        }
        feedback.onCredit(50, RTT, false);
        requireRate(5e9, feedback);
    }

    /** The rate after a period of 16 credits, a quarter of what has the full weight, of which 8 were lost. */
    private static double rateAfter(boolean isLong, int echoesBefore) {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        if (isLong) {
            feedback.onFirstBacklog(25, 1);
        }
        feedback.onPeriod(echoesBefore, 0, RTT, RTT);
        feedback.onPeriod(16, 8, RTT, RTT);
        return feedback.rateBps();
    }

    @Test
    void lossPrice_youngFlow_weighsCreditsThreeTimes() {
        assertEquals(price(1 - 3 * 0.1 * 8 / 64) * MAX, rateAfter(true, 127), 2);
        assertEquals(price(1 - 0.1 * 8 / 64) * MAX, rateAfter(false, 127), 2);
    }

    @Test
    void lossPrice_lossThatTheWireExplains_doesNotLowerTheRate() {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        for (int i = 0; i < 100; i++) {
            // Of 100 credits the wire takes five, and five of the 95 frames that follow them.
            feedback.onWire(90, 5);
            feedback.onPeriod(100, 10, RTT, RTT);
        }
        assertTrue(feedback.rateBps() >= 0.99 * 11e9, () -> feedback.rateBps() + " bit/s");
        for (int i = 0; i < 3; i++) {
            feedback.onWire(45, 3);
            feedback.onPeriod(100, 55, RTT, RTT);
        }
        assertTrue(feedback.rateBps() < 0.8 * 11e9, () -> feedback.rateBps() + " bit/s: meters took the others");
    }

    @Test
    void lossPrice_senderThatLeavesOutNumbers_isBelievedATenthAtMost() {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        for (int i = 0; i < 1_000; i++) {
            feedback.onWire(82, 18);
            feedback.onPeriod(100, 50, RTT, RTT);
        }
        requireRate(10e9 * price(0.5 / 0.9 / 0.9), feedback);
    }

    /** Two frames per round trip. */
    @Test
    void lossPrice_mostDataLost_goesByWhatArrives() {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1.1);
        for (int i = 0; i < 1_000; i++) {
            feedback.onWire(4, 96);
            feedback.onPeriod(100, 50, RTT, RTT);
        }
        requireRate(2 * ONE_CREDIT_BPS, feedback);
    }

    @Test
    void lossPrice_nearlyEverythingLost_keepsACreditEach64RoundTrips() {
        FeedbackControl feedback = new LossPriceFeedback(PRICE, MAX, COST, 1);
        for (int i = 0; i < 1_000; i++) {
            feedback.onPeriod(1_000, 999, RTT * (1 + i % 7), RTT);
        }
        requireRate(ONE_CREDIT_BPS / 64, feedback);
        for (int i = 0; i < 100; i++) {
            feedback.onPeriod(64, 0, RTT, RTT);
        }
        assertTrue(feedback.rateBps() > 0.9 * MAX, "and recovers");
    }

    // ---- the rest

    @Test
    void naive_anyLoss_staysAtTheHighestRate() {
        FeedbackControl feedback = new NaiveFeedback(MAX);
        feedback.onPeriod(10, 10, RTT, RTT);
        requireRate(10e9, feedback);
    }

    @Test
    void config_impossibleParameters_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.Algorithm1(1.1, 0.5, 0.01, 0.5, true));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.Algorithm1(0.1, 0.5, 0.6, 0.5, true));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.Authors(0.1, 0.5, 0, 0.5, 0.05));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.Authors(0.1, 0.5, 0.01, 0.5, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.LossPrice(0.1, 4, 6, 0.1, 64));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.LossPrice(0.1, 0, 5, 0.1, 64));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.LossPrice(0.1, 5, -1, 0.1, 64));
        assertThrows(IllegalArgumentException.class, () -> new FeedbackConfig.LossPrice(0.1, 5, 101, 0.001, 64));
    }
}
