package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a loop concludes from its losses: in turns, it has the core and loses it. */
class CoreShareTest {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;

    private final CoreShare share = new CoreShare();
    private long nowNanos = 123 * MILLISECOND;
    private int moveCount;

    private void lose(long calmNanos, long lostNanos) {
        nowNanos += calmNanos + lostNanos;
        moveCount += share.onLost(lostNanos, nowNanos) ? 1 : 0;
    }

    /** {@return how many times the core was lost until it counted as shared} */
    private int timesUntilCrowded(long calmNanos, long lostNanos) {
        int times = 0;
        while (!share.isCrowded(nowNanos)) {
            lose(calmNanos, lostNanos);
            times++;
            assertTrue(times < 10_000, "never");
        }
        return times;
    }

    /** {@return for how many milliseconds the core counts as shared} */
    private long crowdedMillis() {
        long startNanos = nowNanos;
        while (share.isCrowded(nowNanos)) {
            nowNanos += MILLISECOND;
            lose(0, MILLISECOND);
        }
        return (nowNanos - startNanos) / MILLISECOND;
    }

    @Test
    void onLost_nearlyAll_crowdedAfterFiftyMilliseconds() {
        assertEquals(13, timesUntilCrowded(20 * MICROSECOND, 4 * MILLISECOND));
    }

    @Test
    void onLost_aThird_changesNothing() {
        for (int i = 0; i < 10_000; i++) {
            lose(8 * MILLISECOND, 4 * MILLISECOND);
            assertFalse(share.isCrowded(nowNanos));
        }
        assertEquals(0, moveCount, "each loss has worn off before the next");
    }

    @Test
    void onLost_twoSlices_movesOnceUntilTheLossHasWornOff() {
        lose(0, 4 * MILLISECOND);
        assertEquals(0, moveCount);
        lose(0, 4 * MILLISECOND);
        assertEquals(1, moveCount);
        lose(0, 4 * MILLISECOND);
        assertEquals(1, moveCount);
        lose(100 * MILLISECOND, 4 * MILLISECOND);
        lose(0, 4 * MILLISECOND);
        assertEquals(2, moveCount);
    }

    @Test
    void onLost_nearlyAllAgainAndAgain_givesWayForLongerUpToASecond() {
        List<Long> whiles = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            timesUntilCrowded(20 * MICROSECOND, 4 * MILLISECOND);
            whiles.add(crowdedMillis());
        }
        for (int i = 0; i < whiles.size(); i++) {
            long expected = Math.min(1_000, 10L << i);
            assertTrue(Math.abs(expected - whiles.get(i)) <= 2, whiles.toString());
        }
    }

    @Test
    void onLost_halfOfTheTimeAgainAndAgain_givesWayShortly() {
        for (int i = 0; i < 9; i++) {
            timesUntilCrowded(4 * MILLISECOND, 4 * MILLISECOND);
            assertTrue(crowdedMillis() <= 12);
        }
    }

    @Test
    void onLost_calmForLongAfterwards_givesWayShortlyAgain() {
        timesUntilCrowded(0, 4 * MILLISECOND);
        crowdedMillis();
        timesUntilCrowded(0, 4 * MILLISECOND);
        crowdedMillis();
        lose(200 * MILLISECOND, 0);
        timesUntilCrowded(0, 4 * MILLISECOND);
        assertTrue(crowdedMillis() <= 12);
    }

    @Test
    void onSlept_betweenLosses_isNoCalmTime() {
        for (int i = 0; i < 16; i++) {
            lose(100 * MICROSECOND, 3 * MILLISECOND);
            assertFalse(share.isCrowded(nowNanos));
            nowNanos += 50 * MILLISECOND;
            share.onSlept(50 * MILLISECOND);
        }
        assertEquals(1, timesUntilCrowded(100 * MICROSECOND, 3 * MILLISECOND));
    }
}
