package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.output.Criterion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what {@code --strict} demands, and of which measurements. */
class VerdictsTest {
    private static List<Criterion> verdicts(SystemFigures weir) {
        return Verdicts.of(Samples.result(weir, null));
    }

    @Test
    void of_calmAndGood_areMet() {
        for (Criterion verdict : verdicts(Samples.calm("Weir"))) {
            assertTrue(verdict.met(), verdict.text());
        }
    }

    @Test
    void of_busy_judgesDropsAlone() {
        List<Criterion> verdicts = verdicts(Samples.busy("Weir"));
        for (Criterion verdict : verdicts.subList(0, 4)) {
            assertFalse(verdict.met(), verdict.text());
            assertNotNull(verdict.notJudged(), verdict.text());
            assertTrue(verdict.text().startsWith("NOT JUDGED "), verdict.text());
        }
        assertTrue(verdicts.get(4).met());
        assertNull(verdicts.get(4).notJudged());
    }

    @Test
    void of_nothingMeasured_hasNoFigures() {
        List<Criterion> verdicts = verdicts(Samples.nothing("Weir"));
        for (Criterion verdict : verdicts.subList(1, 4)) {
            assertNull(verdict.measured(), verdict.text());
            assertTrue(verdict.text().contains(": - (must be "), verdict.text());
            assertNotNull(verdict.notJudged(), verdict.text());
        }
    }

    @Test
    void of_calmAndNoShareWhileObserved_isNotMet() {
        SystemFigures calm = Samples.calm("Weir");
        Joins never = Samples.joins(Samples.ALONE_BPS, Samples.trial(850e6, 0, Long.MAX_VALUE));
        SystemFigures figures = new SystemFigures(
                calm.name(),
                calm.alone(),
                calm.idle(),
                calm.loaded(),
                calm.loadedQueue(),
                calm.fairness(),
                never,
                0,
                calm.pauses());
        assertEquals(
                "NOT MET round trips until a second flow has its share: not while observed (must be <= 10)",
                verdicts(figures).get(3).text());
    }
}
