package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which figures may be judged. */
class PreconditionsTest {
    @Test
    void broken_calm_isNothing() {
        assertEquals(Map.of(), Preconditions.broken(Samples.calm("a")));
    }

    @Test
    void broken_busy_isAllThatTimeOffCoreSpoils() {
        assertEquals(
                EnumSet.allOf(DemoFigure.class),
                Preconditions.broken(Samples.busy("a")).keySet());
    }

    @Test
    void broken_nothingMoved_isAll() {
        Map<DemoFigure, String> broken = Preconditions.broken(Samples.nothing("a"));
        assertEquals(EnumSet.allOf(DemoFigure.class), broken.keySet());
        assertEquals("nothing moved", broken.get(DemoFigure.MANY_JAIN));
        assertEquals("no message was answered", broken.get(DemoFigure.IDLE_P50));
    }

    /** The limit leaves 7 %. */
    @Test
    void goodput_moreThanHalfOfWhatTheLimitLeaves_isNotJudged() {
        assertNull(Preconditions.goodput(Samples.pauses(34)));
        assertEquals(
                "loops were off their cores for 3.6 % of the time, more than 3.5 %",
                Preconditions.goodput(Samples.pauses(36)));
    }

    @Test
    void queue_lessThanHalfOfTheTimeIsCalm_isNotJudged() {
        DemoPauses second = Samples.pauses(0);
        assertNull(Preconditions.queue(Samples.queue(500), second));
        assertTrue(Preconditions.queue(Samples.queue(501), second).contains("cover 49.9 % of the time"));
        assertNotNull(Preconditions.queue(Samples.queue(1_000), second));
    }

    /** A window lasts as long as its loop was away: then 1,000 windows cover more than their number says. */
    @Test
    void queue_windowsWereFewerThanMilliseconds_countsTime() {
        assertNotNull(Preconditions.queue(Samples.queue(0), Samples.pauses(3_000_000_000L, 500)));
    }

    @Test
    void percentile_pausesAreMoreThanHalfOfWhatLiesAbove_isNotJudged() {
        assertNull(Preconditions.percentile(Samples.latencies(10_000, Samples.pauses(50)), 0.99));
        assertNotNull(Preconditions.percentile(Samples.latencies(10_000, Samples.pauses(51)), 0.99));
        assertNull(Preconditions.percentile(Samples.latencies(10_000, Samples.pauses(51)), 0.5));
        assertNotNull(Preconditions.percentile(Samples.latencies(10_000, Samples.pauses(6)), 0.999));
    }

    @Test
    void figure_paths_areDistinct() {
        assertEquals(
                DemoFigure.values().length,
                EnumSet.allOf(DemoFigure.class).stream()
                        .map(DemoFigure::path)
                        .distinct()
                        .count());
        assertFalse(Samples.busy("a").notJudged().isEmpty());
    }
}
