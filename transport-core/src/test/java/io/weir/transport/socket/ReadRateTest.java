package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link ReadRate}. */
class ReadRateTest {
    private static final long START_NANOS = Long.MAX_VALUE - 200_000;

    private final ReadRate rate = new ReadRate();
    /** By a clock of which only differences mean something. */
    private long nowNanos = START_NANOS;

    private boolean isBulkAfter(int messageCount, int messageBytes, long nanosPerMessage) {
        boolean isBulk = rate.isBulk(nowNanos);
        for (int i = 0; i < messageCount; i++) {
            rate.add(messageBytes);
            nowNanos += nanosPerMessage;
            isBulk = rate.isBulk(nowNanos);
        }
        return isBulk;
    }

    @Test
    void isBulk_messagesOf64BytesEachTwoMicroseconds_isNot() {
        assertFalse(isBulkAfter(1_000, 64, 2_000));
    }

    @Test
    void isBulk_fullSegmentsPerMicrosecond_is() {
        assertTrue(isBulkAfter(1_000, 1_460, 1_000));
    }

    @Test
    void isBulk_windowIsNotOver_isAsBefore() {
        rate.isBulk(nowNanos);
        rate.add(1_000_000);
        nowNanos += ReadRate.WINDOW_NANOS - 1;
        assertFalse(rate.isBulk(nowNanos));
        nowNanos++;
        assertTrue(rate.isBulk(nowNanos));
    }

    @Test
    void isBulk_calmAgain_isNot() {
        assertTrue(isBulkAfter(1_000, 1_460, 1_000));
        assertFalse(isBulkAfter(1_000, 64, 2_000));
    }
}
