package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link PollGaps}. */
class PollGapsTest {
    private static final long POLL_NANOS = 2_000;

    private final PollGaps gaps = new PollGaps();
    private long nowNanos;

    /** Polls for so long: every other poll finds frames. */
    private void keepCore(long nanos) {
        for (long untilNanos = nowNanos + nanos; nowNanos < untilNanos; ) {
            nowNanos += POLL_NANOS;
            gaps.onPoll(nowNanos % (2 * POLL_NANOS) == 0, nowNanos);
        }
    }

    /** {@return when the core counted as shared} In each period it is lost once, after a poll that found nothing. */
    private long lose(long lostNanos, long keptNanos, long nanosMax) {
        for (long untilNanos = nowNanos + nanosMax; nowNanos < untilNanos && !gaps.isCoreShared(); ) {
            keepCore(keptNanos);
            nowNanos += POLL_NANOS;
            gaps.onPoll(true, nowNanos);
            nowNanos += lostNanos;
            gaps.onPoll(false, nowNanos);
        }
        return nowNanos;
    }

    @Test
    void isCoreShared_coreIsKept_never() {
        keepCore(1_000_000_000);
        assertFalse(gaps.isCoreShared());
    }

    @Test
    void isCoreShared_peerTakesHalfOfTheCore_afterASecond() {
        long nanos = lose(50_000, 50_000, 3_000_000_000L);
        assertTrue(gaps.isCoreShared());
        // Half is lost, and a quarter wears off.
        assertEquals(1_000, nanos / 1_000_000.0, 50);
    }

    @Test
    void isCoreShared_computingThread_soonerThanByAPeer() {
        assertTrue(lose(4_000_000, 1_000_000, 3_000_000_000L) < 500_000_000);
        assertTrue(gaps.isCoreShared());
    }

    @Test
    void isCoreShared_aFifthIsLost_never() {
        lose(1_000_000, 4_000_000, 10_000_000_000L);
        assertFalse(gaps.isCoreShared());
    }

    @Test
    void isCoreShared_compilersForAWhile_no() {
        lose(3_000_000, 1_000_000, 400_000_000);
        assertFalse(gaps.isCoreShared());
    }

    @Test
    void isCoreShared_computingThreadEnds_untilAllHasWornOff() {
        lose(4_000_000, 1_000_000, 3_000_000_000L);
        keepCore(4 * PollGaps.SHARED_NANOS - 10_000_000);
        assertTrue(gaps.isCoreShared());
        keepCore(4 * (PollGaps.LOST_NANOS_MAX - PollGaps.SHARED_NANOS) + 10_000_000);
        assertFalse(gaps.isCoreShared());
    }

    @Test
    void onPoll_longHandlers_areNoLoss() {
        for (int i = 0; i < 100_000; i++) {
            nowNanos += PollGaps.BUSY_GAP_NANOS_MIN - 1;
            gaps.onPoll(false, nowNanos);
        }
        assertFalse(gaps.isCoreShared());
    }

    @Test
    void onPoll_sleepsWithNothingToDo_areNoLoss() {
        for (int i = 0; i < 1_000; i++) {
            keepCore(POLL_NANOS);
            long sleepNanos = nowNanos + 2 * PollGaps.QUIET_NANOS;
            while (nowNanos < sleepNanos) {
                nowNanos += POLL_NANOS;
                gaps.onPoll(true, nowNanos);
            }
            nowNanos += 1_000_000;
            gaps.onPoll(false, nowNanos);
        }
        assertFalse(gaps.isCoreShared());
    }
}
