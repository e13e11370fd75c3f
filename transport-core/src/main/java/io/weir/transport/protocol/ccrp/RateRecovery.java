package io.weir.transport.protocol.ccrp;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.Settings;

/**
 * "ECN-based feedback control of DCQCN" at a receiver: raises the rate again after a cut. One instance per flow; O(1),
 * and O(raises due) after a pause; no allocation.
 *
 * <p>A raise sets the rate to the mean of it and the target, as DCQCN does. There the rate is never above the target;
 * here line 14 may have raised it past, and then a raise lowers it.
 *
 * <p>Source: CCRP Algorithm 1, lines 8 to 10, and section 3.2, "more aggressive"; DCQCN section 3.1. The first raises
 * go half of the way to the target rate, later ones half of the way to the highest (the authors' code) or to a target
 * that rises (DCQCN).
 */
final class RateRecovery {
    /** Raises that a pause can owe: after so many the rate is the highest, to the last bit. */
    private static final int OWED_MAX = 64;

    private static final int BY_TIME_AND_BYTES = 1;
    private static final int BY_QUIET_PERIODS = 2;

    private final long mode;
    private final long quietPeriodsMin;
    private final long timerNanos;
    private final long counterBytes;
    private final long recoverySteps;
    private final boolean isTowardsHighest;
    private final double additiveBps;
    private final boolean targetsEachPeriod;
    private final double rateMaxBps;

    /** Where the first raises lead to: the rate before the latest cut, raised later; at most rateMaxBps. */
    private double targetBps;
    /** When the timer fires next, or NO_DEADLINE before the first cut and in the other modes. */
    private long nextNanos = NO_DEADLINE;
    /** Payload since the byte counter fired last; cleared by a cut. */
    private long countedBytes;
    // Raises since the latest cut: by time (or quiet periods), and by bytes. Cleared by onCut.
    private long timeSteps;
    private long byteSteps;
    /** Periods without too many marks since the latest cut. */
    private long quietPeriods;

    RateRecovery(Settings settings, double rateMaxBps) {
        mode = settings.whole(Ccrp.RECOVERY);
        quietPeriodsMin = settings.whole(Ccrp.QUIET_PERIODS);
        timerNanos = settings.whole(Ccrp.RATE_TIMER);
        counterBytes = settings.whole(Ccrp.BYTE_COUNTER);
        recoverySteps = settings.whole(Ccrp.RECOVERY_STEPS);
        isTowardsHighest = settings.flag(Ccrp.TOWARDS_HIGHEST);
        additiveBps = settings.whole(Ccrp.ADDITIVE);
        targetsEachPeriod = settings.flag(Ccrp.TARGET_EACH_PERIOD);
        this.rateMaxBps = rateMaxBps;
        targetBps = rateMaxBps;
    }

    /** A period ends, in which credits were given at {@code rateBps}. */
    void onPeriod(double rateBps) {
        if (targetsEachPeriod) {
            targetBps = rateBps;
        }
    }

    /** Marks cut the rate, which was {@code rateBps}: everything begins again. */
    void onCut(double rateBps, long nowNanos) {
        targetBps = rateBps;
        timeSteps = 0;
        byteSteps = 0;
        countedBytes = 0;
        quietPeriods = 0;
        nextNanos = mode == BY_TIME_AND_BYTES ? nowNanos + timerNanos : NO_DEADLINE;
    }

    /** {@return the rate after a frame of {@code payloadBytes}} */
    double onBytes(int payloadBytes, double rateBps) {
        // = deviation: like the authors' code, which counts no bytes before the timer has fired once since a cut
        if (nextNanos == NO_DEADLINE || timeSteps == 0) {
            return rateBps;
        }
        countedBytes += payloadBytes;
        if (countedBytes < counterBytes) {
            return rateBps;
        }
        countedBytes -= counterBytes;
        byteSteps++;
        return raise(rateBps);
    }

    /** {@return the rate at {@code nowNanos}} */
    double onTime(long nowNanos, double rateBps) {
        double raisedBps = rateBps;
        for (int i = 0; i < OWED_MAX && nextNanos <= nowNanos; i++) {
            nextNanos += timerNanos;
            timeSteps++;
            raisedBps = raise(raisedBps);
        }
        if (nextNanos <= nowNanos) {
            nextNanos = nowNanos + timerNanos;
        }
        return raisedBps;
    }

    /** {@return tmp_rate after a period without too many marks} */
    double onQuietPeriod(double tmpBps) {
        quietPeriods++;
        // = ccrp section 3.2: "After multiple RTTs, if not getting any packet marked [...] we set the DCQCN Timer as
        // true"
        if (mode != BY_QUIET_PERIODS || quietPeriods <= quietPeriodsMin) {
            return tmpBps;
        }
        timeSteps++;
        return raise(tmpBps);
    }

    private double raise(double rateBps) {
        if (Math.max(timeSteps, byteSteps) <= recoverySteps) {
            return (rateBps + targetBps) / 2;
        }
        targetBps = isTowardsHighest ? rateMaxBps : Math.min(rateMaxBps, targetBps + additiveBps);
        return Math.min(rateMaxBps, (rateBps + targetBps) / 2);
    }
}
