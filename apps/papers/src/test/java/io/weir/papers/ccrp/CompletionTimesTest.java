package io.weir.papers.ccrp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link CompletionTimes} and {@link Times} with runs made up. */
class CompletionTimesTest {
    private static Map<String, Verdict> verdicts(double ccrpNanos, long unfinished) {
        return MadeUp.verdicts(
                new CompletionTimes(),
                run -> new Times(List.of(1e3, run.startsWith("ccrp") ? ccrpNanos : 1e6), unfinished, 0));
    }

    @Test
    void evaluate_tailShorterByATenth_isMet() {
        assertEquals(Verdict.MET, verdicts(0.9e6, 0).get("p99-dcqcn"));
        assertEquals(Verdict.FAILED, verdicts(0.91e6, 0).get("p99-dcqcn"));
    }

    @Test
    void evaluate_flowsLeft_fails() {
        assertEquals(Verdict.MET, verdicts(1e6, 0).get("complete"));
        assertEquals(Verdict.FAILED, verdicts(1e6, 1).get("complete"));
    }

    @Test
    void together_ofSeveralRuns_isSortedAgain() {
        Times times = Times.together(List.of(new Times(List.of(1.0, 4.0), 1, 10), new Times(List.of(2.0, 3.0), 2, 20)));
        assertEquals(new Times(List.of(1.0, 2.0, 3.0, 4.0), 3, 30), times);
    }

    @Test
    void percentile_ofSortedTimes_isTheOneThatTheShareDoesNotExceed() {
        Times times = new Times(List.of(1.0, 2.0, 3.0, 4.0), 0, 0);
        assertEquals(1, times.percentile(0));
        assertEquals(3, times.percentile(0.5));
        assertEquals(4, times.percentile(1));
        assertTrue(Double.isNaN(new Times(List.of(), 0, 0).percentile(0.5)));
    }
}
