package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.pacer.PauseBudget;
import io.weir.transport.runtime.PauseCounts;

/**
 * How an end's loop ran during a test.
 *
 * @param pauses how often it was off its core for 100 us or more
 * @param pausedNanos all of these together
 * @param pauseP50Nanos their median, 0 without any
 * @param pauseP99Nanos their 99th percentile, 0 without any
 * @param pauseLongestNanos the longest, 0 without any
 * @param onCoreNanos how long its thread ran, by the kernel, or null where it does not tell
 * @param waitedNanos how long its thread could have run and had no core, by the kernel, or null likewise
 * @param pauseBudgetBytes what the host may make up for
 * @param impliedQueueBytes what it made up for at most, and so added to queues: its longest pause at the link's rate,
 *     within the budget
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LoopReport(
        long pauses,
        long pausedNanos,
        long pauseP50Nanos,
        long pauseP99Nanos,
        long pauseLongestNanos,
        Long onCoreNanos,
        Long waitedNanos,
        long pauseBudgetBytes,
        long impliedQueueBytes) {
    static LoopReport of(PauseCounts pauses, CoreTime coreTime, PauseBudget budget, long linkRateBps) {
        return new LoopReport(
                pauses.count(),
                pauses.totalNanos(),
                pauses.percentileNanos(50),
                pauses.percentileNanos(99),
                pauses.longestNanos(),
                coreTime == null ? null : coreTime.ranNanos(),
                coreTime == null ? null : coreTime.waitedNanos(),
                budget.bytes(),
                budget.makeUpBytes(pauses.longestNanos(), linkRateBps));
    }

    /**
     * {@return the share of a core that the thread got of what it could have used, or null where the kernel does not
     * tell}
     */
    Double coreShare() {
        if (onCoreNanos == null || onCoreNanos + waitedNanos == 0) {
            return null;
        }
        return (double) onCoreNanos / (onCoreNanos + waitedNanos);
    }
}
