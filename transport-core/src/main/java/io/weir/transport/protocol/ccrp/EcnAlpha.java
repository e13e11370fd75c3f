package io.weir.transport.protocol.ccrp;

import io.weir.transport.protocol.Exponentiation;
import io.weir.transport.protocol.Settings;
import io.weir.transport.time.Deadline;

/**
 * ECN_alpha: how marked a flow's periods are, as an exponentially weighted mean. One instance per flow; O(log of the
 * time since the last cut); no allocation.
 *
 * <p>Source: CCRP Algorithm 1, line 6; between cuts, where {@code alphaDecays}, DCQCN section 3.1 equation 2.
 */
final class EcnAlpha {
    private final double gain;
    private final boolean decays;
    private final long timerNanos;
    private double alpha = 1;
    private long cutNanos = Deadline.NO_DEADLINE;

    EcnAlpha(Settings settings) {
        gain = settings.fraction(Ccrp.GAIN);
        decays = settings.flag(Ccrp.ALPHA_DECAYS);
        timerNanos = settings.whole(Ccrp.ALPHA_TIMER);
    }

    /** {@return the mean with this period's share of marked frames, more than is tolerated, in it} */
    double onCut(double ecnRatio, long nowNanos) {
        // = ccrp Algorithm 1, line 6: "ECN_alpha = (1 - g) * ECN_alpha + g * ECN_ratio"
        alpha = (1 - gain) * now(nowNanos) + gain * ecnRatio;
        cutNanos = nowNanos;
        return alpha;
    }

    /**
     * {@return the mean, less what the time since the last cut has taken off}; nobody asks between cuts, so no timer
     * runs
     */
    double now(long nowNanos) {
        if (!decays || cutNanos == Deadline.NO_DEADLINE) {
            return alpha;
        }
        return alpha * Exponentiation.power(1 - gain, (nowNanos - cutNanos) / timerNanos);
    }
}
