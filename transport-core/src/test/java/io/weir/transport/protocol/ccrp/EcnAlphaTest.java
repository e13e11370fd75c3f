package io.weir.transport.protocol.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.Settings;
import org.junit.jupiter.api.Test;

/** Tests {@link EcnAlpha}. */
class EcnAlphaTest {
    private static final long TIMER_NANOS = 400_000;
    private static final double GAIN = 1 / 256.0;

    private final Settings usual = Ccrp.KIND.usual();
    private final EcnAlpha alpha = new EcnAlpha(usual.with(Ccrp.ALPHA_DECAYS, true));

    @Test
    void now_beforeTheFirstCut_isOneHoweverLate() {
        assertEquals(1, alpha.now(1_000 * TIMER_NANOS));
    }

    @Test
    void onCut_movesTowardsTheRatioByTheGain() {
        assertEquals(1 - GAIN + GAIN * 0.25, alpha.onCut(0.25, 0), 1e-12);
        double first = alpha.now(0);
        assertEquals((1 - GAIN) * first + GAIN * 0.5, alpha.onCut(0.5, 1_000), 1e-12);
    }

    @Test
    void now_timePassesWithoutACut_fallsByTheGainEachTimer() {
        double cut = alpha.onCut(1, 5_000);
        assertEquals(cut, alpha.now(5_000 + TIMER_NANOS - 1), 1e-12);
        assertEquals(cut * StrictMath.pow(1 - GAIN, 10), alpha.now(5_000 + 10 * TIMER_NANOS), 1e-12);
    }

    @Test
    void now_byLine6Alone_stays() {
        EcnAlpha printed = new EcnAlpha(usual);
        double cut = printed.onCut(0.5, 0);
        assertEquals(cut, printed.now(1_000 * TIMER_NANOS));
    }
}
