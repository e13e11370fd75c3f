package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests the limit against steps computed by hand, with periods of one round trip. */
class DataLossLimitTest {
    private static final int COST = 1_626;
    private static final long RTT = 100_000;
    private static final double ALLOWED_BPS = 10e9;
    /** One frame a round trip, as a rate. */
    private static final double FRAME_BPS = COST * 8e9 / RTT;

    private final DataLossLimit limit = new DataLossLimit(COST);

    private void period(long arrived, long missing) {
        limit.onPeriod(arrived, missing, RTT, RTT, ALLOWED_BPS);
    }

    private void requireFrames(double framesPerRtt) {
        assertEquals(framesPerRtt, limit.bps() / FRAME_BPS, 1e-6, "frames per round trip");
    }

    private void requireNone() {
        assertEquals(Double.POSITIVE_INFINITY, limit.bps());
    }

    /** A tenth, three standard deviations of 100 frames, and one. */
    @Test
    void onPeriod_asMuchLossAsWiresHave_isNoLimit() {
        period(80, 20);
        requireNone();
    }

    @Test
    void onPeriod_moreLoss_leavesSevenEighthsOfWhatArrived() {
        period(79, 21);
        requireFrames(79 * 7 / 8.0);
    }

    @Test
    void onPeriod_fewFrames_areCollectedOverPeriods() {
        period(3, 3);
        requireNone();
        period(3, 3);
        requireFrames(3 * 7 / 8.0);
    }

    @Test
    void onPeriod_afterACut_passesOverTwoRoundTrips() {
        period(64, 36);
        period(20, 80);
        period(20, 80);
        requireFrames(56);
    }

    @Test
    void onPeriod_noLossAfterACut_raisesTheLimitByAFrameEachRoundTrip() {
        period(64, 36);
        period(56, 0);
        period(56, 0);
        period(56, 0);
        requireFrames(57);
        period(57, 0);
        requireFrames(58);
    }

    @Test
    void onPeriod_manyFramesARoundTrip_raisesByAPartOfThem() {
        limit.onPeriod(8_192 / 7, 8_192, RTT, RTT, 1e12);
        double cutFrames = limit.bps() / FRAME_BPS;
        for (int i = 0; i < 3; i++) {
            limit.onPeriod(1_000, 0, RTT, RTT, 1e12);
        }
        requireFrames(cutFrames + cutFrames / 256);
    }

    @Test
    void onPeriod_fewFramesARoundTrip_raisesByAPartOfThem() {
        period(6, 48);
        for (int i = 0; i < 3; i++) {
            period(8, 0);
        }
        requireFrames(5.25 + 5.25 / 8);
    }

    /** One frame is chance, two are not. */
    @Test
    void onPeriod_limitedFlow_isCutByLossThatDoesNotBeginALimit() {
        period(64, 36);
        period(56, 0);
        period(56, 0);
        period(55, 1);
        requireFrames(57);
        period(55, 2);
        requireFrames(55 * 7 / 8.0);
    }

    @Test
    void onPeriod_limitAboveWhatTheFlowMayHave_ends() {
        double allowedBps = 58.5 * FRAME_BPS;
        limit.onPeriod(64, 36, RTT, RTT, allowedBps);
        for (int i = 0; i < 5; i++) {
            limit.onPeriod(56, 0, RTT, RTT, allowedBps);
        }
        requireNone();
    }

    /** Whatever it does, a tenth is lost: the sixth cut in a row finds that in the wire, and the limit rises again. */
    @Test
    void onPeriod_lossThatStays_countsAsTheWires() {
        limit.onPeriod(800, 200, RTT, RTT, 1e12);
        int cuts = 1;
        for (int i = 0; i < 60; i++) {
            double before = limit.bps();
            limit.onPeriod(900, 100, RTT, RTT, 1e12);
            cuts += limit.bps() < before ? 1 : 0;
        }
        assertEquals(6, cuts);
        assertTrue(limit.bps() > 400 * FRAME_BPS, () -> limit.bps() / FRAME_BPS + " frames per round trip");
    }

    @Test
    void onPeriod_nearlyEverythingLost_keepsTwoFramesARoundTrip() {
        for (int i = 0; i < 100; i++) {
            period(1, 99);
        }
        requireFrames(2);
    }
}
