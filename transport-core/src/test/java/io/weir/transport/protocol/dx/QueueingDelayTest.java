package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link QueueingDelay} over a path of 100 us there and 100 us back, with a receiver whose clock is anyhow. */
class QueueingDelayTest {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final QueueingDelay delay = new QueueingDelay(SECOND);
    private long forthNanos = 100 * MICROSECOND;
    private long backNanos = 100 * MICROSECOND;
    private long skewNanos = 5 * SECOND;
    private long driftPpm;

    /**
     * {@return what is found of a frame that left at {@code nowNanos} and waited so long on its way, and its answer
     * too}
     */
    private long found(long nowNanos, long waitNanos, long backWaitNanos) {
        return found(nowNanos, waitNanos, backWaitNanos, true);
    }

    private long found(long nowNanos, long waitNanos, long backWaitNanos, boolean isFull) {
        long arrivalNanos = nowNanos + forthNanos + waitNanos;
        long t2 = arrivalNanos + skewNanos + arrivalNanos * driftPpm / 1_000_000;
        long rttNanos = forthNanos + waitNanos + backNanos + backWaitNanos;
        return delay.onSample((int) nowNanos, (int) t2, rttNanos, isFull, nowNanos + rttNanos);
    }

    @Test
    void onSample_first_isNothing() {
        assertEquals(0, found(0, 30 * MICROSECOND, 0));
        assertEquals(230 * MICROSECOND, delay.baseRttNanos());
    }

    @Test
    void onSample_afterAnEmptyPath_isTheWaitWhateverTheClocks() {
        found(0, 0, 0);
        assertEquals(1_230, found(MILLISECOND, 1_230, 0));
        assertEquals(40 * MICROSECOND, found(2 * MILLISECOND, 40 * MICROSECOND, 0));
        assertEquals(0, found(3 * MILLISECOND, 0, 0));
    }

    @Test
    void onSample_queueOnTheWayBack_isNotCounted() {
        found(0, 0, 0);
        assertEquals(0, found(MILLISECOND, 0, 70 * MICROSECOND));
        assertEquals(5 * MICROSECOND, found(MILLISECOND, 5 * MICROSECOND, 70 * MICROSECOND));
    }

    @Test
    void onSample_clocksWrap_isTheWait() {
        long start = (1L << 32) - 150 * MICROSECOND;
        skewNanos = (1L << 31) - 120 * MICROSECOND;
        found(start, 0, 0);
        assertEquals(7_000, found(start + 60 * MICROSECOND, 7_000, 0));
        assertEquals(9_000, found(start + 200 * MICROSECOND, 9_000, 0));
    }

    /** One frame in fifty meets no queue; between them the error is what clocks drift apart, or less. */
    @ParameterizedTest
    @ValueSource(longs = {-500, -40, 40, 500})
    void onSample_clocksDrift_staysWithinTheDriftSinceTheLastEmptyPath(long ppm) {
        driftPpm = ppm;
        for (int i = 0; i < 50_000; i++) {
            long waitNanos = i % 50 == 0 ? 0 : i * 17L % 30_000;
            long nanos = found(i * 200L * MICROSECOND, waitNanos, 3_000);
            // 500 ppm of 50 round trips of 200 us
            assertEquals((double) waitNanos, (double) nanos, 5_001, "frame " + i);
        }
    }

    /** Without a queue on the way back the round trip tells the wait exactly, as long as its minimum is known. */
    @Test
    void onSample_clockRunsFastAndTheQueueStays_isTheWait() {
        driftPpm = 500;
        found(0, 0, 0);
        for (int i = 1; i < 2_000; i++) {
            assertEquals(20_000, found(i * 200L * MICROSECOND, 20_000, 0), "frame " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-7 * SECOND, -3_000, 3_000, 1_500 * MILLISECOND, 7 * SECOND})
    void onSample_receiversClockIsSet_isRightAgainAtTheNextEmptyPath(long stepNanos) {
        found(0, 0, 0);
        assertEquals(20_000, found(MILLISECOND, 20_000, 0));
        skewNanos += stepNanos;
        long atOnce = found(2 * MILLISECOND, 20_000, 0);
        assertTrue(atOnce >= 0 && atOnce <= 20_000, atOnce + " ns");
        found(3 * MILLISECOND, 0, 0);
        assertEquals(20_000, found(4 * MILLISECOND, 20_000, 0));
    }

    @Test
    void onSample_pathBecomesShorter_isTheWait() {
        found(0, 0, 0);
        forthNanos = 60 * MICROSECOND;
        assertEquals(0, found(MILLISECOND, 0, 0));
        assertEquals(8_000, found(2 * MILLISECOND, 8_000, 0));
        assertEquals(160 * MICROSECOND, delay.baseRttNanos());
    }

    @Test
    void onSample_wayBackBecomesLonger_isTheWait() {
        found(0, 0, 0);
        backNanos = 300 * MICROSECOND;
        assertEquals(0, found(MILLISECOND, 0, 0));
        assertEquals(8_000, found(2 * MILLISECOND, 8_000, 0));
    }

    @Test
    void onSample_wayForthLongerByWhatTheWayBackIsShorter_isTheWait() {
        found(0, 0, 0);
        forthNanos = 140 * MICROSECOND;
        backNanos = 60 * MICROSECOND;
        assertEquals(0, found(MILLISECOND, 0, 0));
        assertEquals(8_000, found(2 * MILLISECOND, 8_000, 0));
    }

    /** The longer way looks like a queue until the shortest round trip is forgotten. */
    @Test
    void onSample_wayForthBecomesLonger_isTheWaitAgainWithinTheSpan() {
        found(0, 0, 0);
        forthNanos = 140 * MICROSECOND;
        assertEquals(40 * MICROSECOND, found(MILLISECOND, 0, 0));
        long now = MILLISECOND;
        for (; now <= SECOND + MILLISECOND; now += 200 * MICROSECOND) {
            found(now, 0, 0);
        }
        assertEquals(0, found(now, 0, 0));
        assertEquals(8_000, found(now + MILLISECOND, 8_000, 0));
    }

    @Test
    void onSample_shortFrameIsFaster_leavesTheBaseOfFullFrames() {
        found(0, 0, 0);
        forthNanos -= 3_000;
        assertEquals(0, found(MILLISECOND, 0, 0, false));
        assertEquals(4_000, found(MILLISECOND, 7_000, 0, false));
        forthNanos += 3_000;
        assertEquals(1_500, found(2 * MILLISECOND, 1_500, 0));
    }

    @Test
    void onSample_fullFrameAfterShortOnes_begins() {
        forthNanos -= 3_000;
        found(0, 0, 0, false);
        assertEquals(6_000, found(MILLISECOND, 6_000, 0, false));
        forthNanos += 3_000;
        assertEquals(0, found(2 * MILLISECOND, 0, 0));
        assertEquals(200 * MICROSECOND, delay.baseRttNanos());
    }
}
