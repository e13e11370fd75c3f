package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link DxWindow} with segments of 1000 B and a round trip of 100 us. */
class DxWindowTest {
    private static final int SEGMENT = 1_000;
    private static final long RTT_NANOS = 100_000;

    private static DxWindow of(long segments) {
        return new DxWindow(SEGMENT, segments, false);
    }

    private static long afterDelay(DxWindow window, long delayNanos) {
        window.shrink(delayNanos, RTT_NANOS);
        return window.windowBytes();
    }

    @Test
    void grow_isOneSegment() {
        DxWindow window = of(10);
        window.grow();
        assertEquals(11 * SEGMENT, window.windowBytes());
    }

    /** Equation 1 with equation 8 at W = 11: V = 110 us, 11 (1 - 10 / 110) = 10. */
    @Test
    void shrink_isTheFlowsShareOfTheQueue() {
        assertEquals(10 * SEGMENT, afterDelay(of(11), 10_000));
        assertEquals(10_900, afterDelay(of(11), 1_000));
        assertEquals(60_501, afterDelay(of(121), 50_416));
    }

    @Test
    void shrink_oneSegment_isKept() {
        assertEquals(1_500, afterDelay(of(2), 50_000));
        assertEquals(1_000, afterDelay(of(1), 50_000));
    }

    @Test
    void shrink_lessThanASegment_comesBackToOne() {
        DxWindow window = of(1);
        window.halve();
        assertEquals(750, afterDelay(window, 50_000));
    }

    @Test
    void shrink_queueOfARoundTripOrMore_leavesASegment() {
        assertEquals(SEGMENT, afterDelay(of(100), 100_000));
        assertEquals(SEGMENT, afterDelay(of(100), 900_000));
    }

    @Test
    void shrink_queueOfARoundTripAndASegmentOrLess_halvesDownToASixtyFourth() {
        DxWindow window = of(1);
        for (int i = 0; i < 20; i++) {
            window.shrink(RTT_NANOS, RTT_NANOS);
        }
        assertEquals(SEGMENT / 64, window.windowBytes());
    }

    @Test
    void grow_belowASegment_isOneSegment() {
        DxWindow window = of(1);
        window.halve();
        window.grow();
        assertEquals(1_500, window.windowBytes());
    }

    @Test
    void growBy_endless_isBounded() {
        DxWindow window = of(10);
        window.growBy(DxWindow.WINDOW_BYTES_MAX);
        assertEquals(DxWindow.WINDOW_BYTES_MAX, window.windowBytes());
        assertEquals(DxWindow.WINDOW_BYTES_MAX / 2 + SEGMENT / 2, afterDelay(window, 50_000));
    }

    @Test
    void limitTo_isAtMostThat() {
        DxWindow window = of(10);
        window.limitTo(12_000);
        assertEquals(10_000, window.windowBytes());
        window.limitTo(7_123);
        assertEquals(7_123, window.windowBytes());
    }

    @Test
    void shrink_wholeSegments_losesAWholeOneAndKeepsOne() {
        DxWindow window = new DxWindow(SEGMENT, 11, true);
        assertEquals(10 * SEGMENT, afterDelay(window, 10));
        window.halve();
        window.halve();
        window.halve();
        window.halve();
        assertEquals(SEGMENT, window.windowBytes());
    }

    @Test
    void shrink_wholeSegments_keepsTheFractionThatItDoesNotUse() {
        DxWindow window = new DxWindow(SEGMENT, 11, true);
        // A twentieth of ten segments each: half a segment, and a little less.
        assertEquals(10 * SEGMENT, afterDelay(window, 5_000));
        assertEquals(10 * SEGMENT, afterDelay(window, 5_000));
        window.grow();
        assertEquals(11 * SEGMENT, window.windowBytes());
    }
}
