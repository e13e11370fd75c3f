package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link BulkDetector}. */
class BulkDetectorTest {
    private static final long POLL_NANOS = 1_000;

    private final BulkDetector detector = new BulkDetector();
    private long nowNanos;
    /** Windows that have ended. */
    private int windows;

    /** Polls each microsecond for a window: every {@code gap}th poll finds {@code found}, and so many are sent. */
    private void window(int gap, int found, int sent) {
        for (int i = 0; i < BulkDetector.WINDOW_NANOS / POLL_NANOS; i++) {
            nowNanos += POLL_NANOS;
            boolean isFinding = i % gap == 0;
            windows += detector.onPoll(isFinding ? found : 0, nowNanos) ? 1 : 0;
            for (int j = 0; isFinding && j < sent; j++) {
                detector.onTransmit();
            }
        }
    }

    @Test
    void onPoll_bulkInSingleFrames_isOnAfterOneWindow() {
        window(4, 1, 0);
        assertEquals(1, windows);
        assertTrue(detector.isOn());
    }

    @Test
    void onPoll_justTooFewFrames_isOff() {
        window(8, 1, 0);
        assertFalse(detector.isOn(), "125 frames in a millisecond");
    }

    @Test
    void onPoll_pingPong_isOff() {
        window(4, 1, 1);
        assertFalse(detector.isOn(), "as many frames leave as come");
    }

    @Test
    void onPoll_manyConnectionsThatAreAnswered_isOn() {
        window(16, 4, 4);
        assertTrue(detector.isOn(), "250 frames in bursts of four");
    }

    @Test
    void isOn_slower_staysUntilHalfTheLimitAndFourWindows() {
        window(4, 1, 0);
        for (int i = 0; i < 10; i++) {
            window(14, 1, 0);
        }
        assertTrue(detector.isOn(), "72 frames in a millisecond");
        for (int i = 0; i < BulkDetector.WINDOWS_TO_LEAVE; i++) {
            assertTrue(detector.isOn());
            window(20, 1, 0);
        }
        assertFalse(detector.isOn());
    }

    @Test
    void onPoll_longWindow_countsFramesPerMillisecond() {
        nowNanos += 10 * BulkDetector.WINDOW_NANOS;
        detector.onPoll(200, nowNanos);
        assertFalse(detector.isOn(), "200 frames in ten milliseconds");
    }
}
