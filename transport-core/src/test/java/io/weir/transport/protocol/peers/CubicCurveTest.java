package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link CubicCurve} with segments of 1000 B, C = 0.4 and beta = 0.7. */
class CubicCurveTest {
    private static final int SEGMENT = 1_000;
    private static final long SECOND = 1_000_000_000;
    private static final long RTT = SECOND / 10;

    private static CubicCurve curve(boolean convergesFast) {
        return new CubicCurve(SEGMENT, 400_000, 700_000, convergesFast);
    }

    /** {@return the window after {@code seconds} of round trips in which a whole window arrives} */
    private static long grown(CubicCurve curve, long windowBytes, double seconds, long fromNanos) {
        long window = windowBytes;
        long now = fromNanos;
        for (; now <= fromNanos + (long) (seconds * SECOND); now += RTT) {
            for (int i = 0; i < 10; i++) {
                window = curve.advance(window, window / 10, RTT, now + i * RTT / 10);
            }
        }
        return window;
    }

    @Test
    void advance_atK_isBackWhereTheLossWas() {
        CubicCurve curve = curve(true);
        curve.onLoss(1_000 * SEGMENT);
        // K = cbrt(300 / 0.4) = 9.086 s
        assertEquals(1_000.0 * SEGMENT, (double) grown(curve, 700 * SEGMENT, 9.086, 0), 1.5 * SEGMENT);
    }

    @Test
    void advance_beyondK_isConvex() {
        CubicCurve curve = curve(true);
        curve.onLoss(1_000 * SEGMENT);
        // 0.4 x 5^3 = 50 segments above
        assertEquals(1_050.0 * SEGMENT, (double) grown(curve, 700 * SEGMENT, 14.086, 0), 6 * SEGMENT);
    }

    @Test
    void advance_afterALossBelowTheLast_isFlatLower() {
        CubicCurve fast = curve(true);
        fast.onLoss(1_000 * SEGMENT);
        fast.onLoss(800 * SEGMENT);
        // W_max = 800 x 0.85 = 680, K = cbrt(120 / 0.4) = 6.694 s
        assertEquals(680.0 * SEGMENT, (double) grown(fast, 560 * SEGMENT, 6.694, 0), 1.5 * SEGMENT);
        CubicCurve plain = curve(false);
        plain.onLoss(1_000 * SEGMENT);
        plain.onLoss(800 * SEGMENT);
        assertEquals(800.0 * SEGMENT, (double) grown(plain, 560 * SEGMENT, 8.434, 0), 1.5 * SEGMENT);
    }

    @Test
    void advance_withoutALossToReturnTo_beginsFlatAtTheWindow() {
        CubicCurve curve = curve(true);
        curve.onLoss(1_000 * SEGMENT);
        curve.forget();
        // K = 0: W(4 s) = 100 + 0.4 x 64
        assertEquals(125.6 * SEGMENT, (double) grown(curve, 100 * SEGMENT, 4, 0), 22 * SEGMENT);
    }

    @Test
    void advance_smallWindow_growsByTheFriendlyPartOfASegmentARoundTrip() {
        CubicCurve curve = curve(true);
        curve.onLoss(100 * SEGMENT);
        long window = 70 * SEGMENT;
        for (int i = 0; i < 34; i++) {
            window = curve.advance(window, window, RTT / 1_000, i * RTT / 1_000);
        }
        // 34 round trips x 0.5294
        assertEquals((70.0 + 18) * SEGMENT, (double) window, (double) SEGMENT);
    }

    @Test
    void advance_backAtThePriorWindow_growsAsReno() {
        CubicCurve curve = curve(true);
        curve.onLoss(100 * SEGMENT);
        long window = 70 * SEGMENT;
        for (int i = 0; i < 57 + 20; i++) {
            window = curve.advance(window, window, RTT / 1_000, i * RTT / 1_000);
        }
        // 57 round trips to 100, then a segment each
        assertEquals((100.0 + 20) * SEGMENT, (double) window, 2.0 * SEGMENT);
    }

    @Test
    void pause_timeWithoutBacklog_doesNotCount() {
        CubicCurve curve = curve(true);
        curve.onLoss(1_000 * SEGMENT);
        long window = grown(curve, 700 * SEGMENT, 2, 0);
        long resumeNanos = 60 * SEGMENT + 60 * SECOND;
        curve.pause(resumeNanos);
        assertEquals((double) window, (double) curve.advance(window, SEGMENT, RTT, resumeNanos + RTT / 10), (double)
                SEGMENT);
    }

    @Test
    void advance_hugeTimes_staysBounded() {
        CubicCurve curve = curve(true);
        curve.onLoss(1_000L * SEGMENT);
        curve.advance(700L * SEGMENT, SEGMENT, RTT, 0);
        // At most half a window more for each window that arrives (section 4.2).
        assertEquals(1_050L * SEGMENT, curve.advance(700L * SEGMENT, 700L * SEGMENT, RTT, Long.MAX_VALUE / 2));
    }
}
