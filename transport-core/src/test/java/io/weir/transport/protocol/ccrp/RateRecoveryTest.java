package io.weir.transport.protocol.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.Settings;
import org.junit.jupiter.api.Test;

/** Tests {@link RateRecovery}: each reading of "ECN-based feedback control of DCQCN". */
class RateRecoveryTest {
    private static final double MAX = 10e9;
    private static final long TIMER = 400_000;
    private static final int COUNTER_BYTES = 200_000;

    private final Settings usual = Ccrp.KIND.usual().with(Ccrp.RECOVERY, 1).with(Ccrp.TARGET_EACH_PERIOD, false);

    private RateRecovery cut(Settings settings) {
        RateRecovery recovery = new RateRecovery(settings, MAX);
        recovery.onCut(8e9, 0);
        return recovery;
    }

    @Test
    void onTime_beforeTheFirstCut_raisesNothing() {
        RateRecovery recovery = new RateRecovery(usual, MAX);
        assertEquals(4e9, recovery.onTime(100 * TIMER, 4e9));
        assertEquals(4e9, recovery.onBytes(10 * COUNTER_BYTES, 4e9));
    }

    @Test
    void onTime_fiveTimers_goHalfOfTheWayBackEach() {
        RateRecovery recovery = cut(usual);
        assertEquals(4e9, recovery.onTime(TIMER - 1, 4e9));
        double rate = 4e9;
        for (int i = 1; i <= 5; i++) {
            rate = recovery.onTime(i * TIMER, rate);
            assertEquals(8e9 - 4e9 * StrictMath.pow(0.5, i), rate, 1);
        }
    }

    @Test
    void onTime_laterTimers_goHalfOfTheWayToTheHighest() {
        RateRecovery recovery = cut(usual);
        double rate = recovery.onTime(5 * TIMER, 8e9);
        assertEquals(8e9, rate, 1);
        assertEquals(9e9, recovery.onTime(6 * TIMER, rate), 1);
    }

    @Test
    void onTime_asDcqcn_raisesTheTarget() {
        RateRecovery recovery = cut(usual.with(Ccrp.TOWARDS_HIGHEST, false));
        double rate = recovery.onTime(5 * TIMER, 8e9);
        assertEquals(8e9 + 20e6, recovery.onTime(6 * TIMER, rate), 1);
    }

    @Test
    void onTime_afterALongPause_owesNoMoreThanItTakesToReachTheHighest() {
        RateRecovery recovery = cut(usual);
        assertEquals(MAX, recovery.onTime(1_000_000 * TIMER, 1e9), 1);
        assertEquals(1e9, recovery.onTime(1_000_000 * TIMER + 1, 1e9), "the next timer is not due");
    }

    @Test
    void onBytes_beforeTheTimerFired_countsNone() {
        RateRecovery recovery = cut(usual);
        assertEquals(4e9, recovery.onBytes(10 * COUNTER_BYTES, 4e9));
        assertEquals(6e9, recovery.onTime(TIMER, 4e9));
        assertEquals(6e9, recovery.onBytes(COUNTER_BYTES - 1, 6e9));
        assertEquals(7e9, recovery.onBytes(1, 6e9));
    }

    @Test
    void onTime_rateAboveTheTarget_comesDownToIt() {
        RateRecovery recovery = cut(usual.with(Ccrp.TOWARDS_HIGHEST, false));
        assertEquals(9e9 - 0.5e9, recovery.onTime(TIMER, 9e9), 1);
    }

    @Test
    void onCut_beginsAnew() {
        RateRecovery recovery = cut(usual);
        recovery.onTime(5 * TIMER, 4e9);
        recovery.onCut(4e9, 5 * TIMER);
        assertEquals(2e9, recovery.onTime(6 * TIMER - 1, 2e9));
        assertEquals(3e9, recovery.onTime(6 * TIMER, 2e9));
    }

    @Test
    void onPeriod_targetOfEachPeriod_isTheRateBefore() {
        RateRecovery recovery = cut(usual.with(Ccrp.TARGET_EACH_PERIOD, true));
        recovery.onPeriod(3e9);
        assertEquals(3.5e9, recovery.onTime(TIMER, 4e9));
    }

    @Test
    void onQuietPeriod_afterEnoughOfThem_raises() {
        RateRecovery recovery = cut(usual.with(Ccrp.RECOVERY, 2).with(Ccrp.QUIET_PERIODS, 2));
        assertEquals(4e9, recovery.onTime(100 * TIMER, 4e9));
        assertEquals(4e9, recovery.onQuietPeriod(4e9));
        assertEquals(4e9, recovery.onQuietPeriod(4e9));
        assertEquals(6e9, recovery.onQuietPeriod(4e9));
        recovery.onCut(8e9, 0);
        assertEquals(4e9, recovery.onQuietPeriod(4e9));
    }

    @Test
    void none_doesNothing() {
        RateRecovery recovery = cut(usual.with(Ccrp.RECOVERY, 0));
        assertEquals(4e9, recovery.onTime(100 * TIMER, 4e9));
        assertEquals(4e9, recovery.onBytes(10 * COUNTER_BYTES, 4e9));
        assertEquals(4e9, recovery.onQuietPeriod(4e9));
    }
}
