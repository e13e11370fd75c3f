package io.weir.cli.perf.carrier;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.pacer.PauseBudget;
import io.weir.transport.runtime.PauseCounts;
import java.util.List;
import java.util.Objects;

/**
 * How an end's loops ran during a test: with several, all of them together.
 *
 * @param pauses how often it was off its core for 100 us or more
 * @param pausedNanos all of these together
 * @param pauseP50Nanos their median, 0 without any
 * @param pauseP99Nanos their 99th percentile, 0 without any
 * @param pauseLongestNanos the longest, 0 without any
 * @param onCoreNanos how long their threads ran, by the kernel, or null where it does not tell
 * @param waitedNanos how long their threads could have run and had no core, by the kernel, or null likewise
 * @param pauseBudgetBytes what the host may make up for
 * @param impliedQueueBytes what it made up for at most, and so added to queues: each loop's longest pause at the link's
 *     rate, within the budget
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoopReport(
        long pauses,
        long pausedNanos,
        long pauseP50Nanos,
        long pauseP99Nanos,
        long pauseLongestNanos,
        Long onCoreNanos,
        Long waitedNanos,
        long pauseBudgetBytes,
        long impliedQueueBytes) {
    /**
     * {@return what each loop's figures give together}
     *
     * @param pauses of each loop
     * @param coreTimes of each loop, null where the kernel does not tell
     * @param budget of each loop
     */
    public static LoopReport of(
            List<PauseCounts> pauses, List<CoreTime> coreTimes, PauseBudget budget, long linkRateBps) {
        PauseCounts all = pauses.stream().reduce(PauseCounts.of(), PauseCounts::plus);
        boolean isTold = coreTimes.stream().noneMatch(Objects::isNull);
        return new LoopReport(
                all.count(),
                all.totalNanos(),
                all.percentileNanos(50),
                all.percentileNanos(99),
                all.longestNanos(),
                isTold ? coreTimes.stream().mapToLong(CoreTime::ranNanos).sum() : null,
                isTold ? coreTimes.stream().mapToLong(CoreTime::waitedNanos).sum() : null,
                budget.bytes() * pauses.size(),
                pauses.stream()
                        .mapToLong(counts -> budget.makeUpBytes(counts.longestNanos(), linkRateBps))
                        .sum());
    }

    /**
     * {@return the share of a core that the thread got of what it could have used, or null where the kernel does not
     * tell}
     */
    public Double coreShare() {
        if (onCoreNanos == null || onCoreNanos + waitedNanos == 0) {
            return null;
        }
        return (double) onCoreNanos / (onCoreNanos + waitedNanos);
    }
}
