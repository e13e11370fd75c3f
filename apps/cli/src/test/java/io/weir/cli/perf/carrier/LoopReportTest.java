package io.weir.cli.perf.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.PauseBudget;
import io.weir.transport.runtime.PauseCounts;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what an end tells of its loop. */
class LoopReportTest {
    private static final long GIGABIT = 1_000_000_000L;
    private static final PauseBudget BUDGET = PauseBudget.NONE.withBytes(100_000);

    @Test
    void of_shortPauses_implyWhatTheLinkMissed() {
        LoopReport report = LoopReport.of(
                List.of(PauseCounts.of(120_000, 120_000)), Collections.singletonList(null), BUDGET, GIGABIT);
        assertEquals(2, report.pauses());
        assertEquals(240_000, report.pausedNanos());
        // A length is told at most an eighth too long.
        assertTrue(report.impliedQueueBytes() >= 15_000 && report.impliedQueueBytes() <= 16_875, report.toString());
        assertNull(report.coreShare());
    }

    @Test
    void of_longPause_impliesTheBudget() {
        LoopReport report =
                LoopReport.of(List.of(PauseCounts.of(8_000_000)), List.of(new CoreTime(300, 100)), BUDGET, GIGABIT);
        assertEquals(100_000, report.impliedQueueBytes());
        assertEquals(0.75, report.coreShare());
    }

    @Test
    void of_severalLoops_isTheirSum() {
        LoopReport report = LoopReport.of(
                List.of(PauseCounts.of(8_000_000), PauseCounts.of(120_000)),
                List.of(new CoreTime(300, 100), new CoreTime(100, 300)),
                BUDGET,
                GIGABIT);
        assertEquals(2, report.pauses());
        assertEquals(8_120_000, report.pausedNanos());
        assertEquals(200_000, report.pauseBudgetBytes());
        assertTrue(report.impliedQueueBytes() > 100_000 && report.impliedQueueBytes() < 200_000, report.toString());
        assertEquals(0.5, report.coreShare());
    }

    @Test
    void coreTime_ofALine_hasRunAndWaited() {
        assertEquals(new CoreTime(12, 34), CoreTime.parse("12 34 5\n"));
        assertNull(CoreTime.parse("12"));
        assertNull(CoreTime.between(null, new CoreTime(1, 1)));
        assertNull(CoreTime.of("no thread has this name"));
    }
}
