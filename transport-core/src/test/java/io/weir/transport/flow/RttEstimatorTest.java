package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.SeededRandom;
import org.junit.jupiter.api.Test;

/** Tests {@link RttEstimator} against the arithmetic of RFC 6298. */
class RttEstimatorTest {
    private static RttEstimator unbounded() {
        return new RttEstimator(20_000_000, 1, Long.MAX_VALUE / 4);
    }

    @Test
    void onSample_first_setsMeanAndHalfAsVariation() {
        RttEstimator rtt = unbounded();
        assertEquals(0, rtt.smoothedNanos());
        assertEquals(20_000_000, rtt.timeoutNanos());
        rtt.onSample(100_000);
        assertEquals(100_000, rtt.smoothedNanos());
        assertEquals(100_000 + 4 * 50_000, rtt.timeoutNanos());
    }

    @Test
    void onSample_second_followsSection2Point3() {
        RttEstimator rtt = unbounded();
        rtt.onSample(100_000);
        rtt.onSample(180_000);
        // RTTVAR = 3/4 x 50,000 + 1/4 x 80,000 = 57,500; SRTT = 7/8 x 100,000 + 1/8 x 180,000 = 110,000
        assertEquals(110_000, rtt.smoothedNanos());
        assertEquals(110_000 + 4 * 57_500, rtt.timeoutNanos());
    }

    @Test
    void onSample_manyRandom_staysWithinRoundingOfTheRealArithmetic() {
        SeededRandom random = new SeededRandom(2);
        RttEstimator rtt = unbounded();
        double smoothed = 0;
        double variation = 0;
        for (int i = 0; i < 1_000; i++) {
            long sample = 20_000L + random.nextInt(200_000);
            variation = i == 0 ? sample / 2.0 : 0.75 * variation + 0.25 * Math.abs(smoothed - sample);
            smoothed = i == 0 ? sample : 0.875 * smoothed + 0.125 * sample;
            rtt.onSample(sample);
            assertEquals(smoothed, (double) rtt.smoothedNanos(), 16);
            assertEquals(smoothed + 4 * variation, (double) rtt.timeoutNanos(), 64);
        }
    }

    @Test
    void onSample_notPositive_isIgnored() {
        RttEstimator rtt = unbounded();
        rtt.onSample(0);
        rtt.onSample(-5);
        assertEquals(0, rtt.smoothedNanos());
    }

    @Test
    void backOff_repeated_doublesUpToTheBoundAndASampleEndsIt() {
        RttEstimator rtt = new RttEstimator(20, 2, 100);
        rtt.backOff();
        assertEquals(40, rtt.timeoutNanos());
        rtt.backOff();
        rtt.backOff();
        assertEquals(100, rtt.timeoutNanos());
        rtt.onSample(10);
        assertEquals(30, rtt.timeoutNanos());
    }

    @Test
    void timeout_tinyRoundTrip_isNotBelowTheLeast() {
        RttEstimator rtt = new RttEstimator(20_000_000, 2_000_000, 1_000_000_000);
        rtt.onSample(10_000);
        assertEquals(2_000_000, rtt.timeoutNanos());
    }

    @Test
    void timeout_equalRoundTripsForLong_leavesRoomForALongerOne() {
        RttEstimator rtt = new RttEstimator(20_000_000, 2_000_000, 1_000_000_000);
        for (int i = 0; i < 1_000; i++) {
            rtt.onSample(30_000_000);
        }
        assertEquals(31_000_000, rtt.timeoutNanos());
    }
}
