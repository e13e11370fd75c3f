package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTrace.Span;
import io.weir.transport.time.Deadline;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link PauseClock}. */
class PauseClockTest {
    /** Awake 0 to 10, 30 to 100 (for a pause of no length at 50), 107 to 117 and so on. */
    private static final PauseTrace TRACE =
            new PauseTrace("t", "", List.of(new Span(10, 20), new Span(20, 0), new Span(50, 7)));

    private static void assertPauses(PauseClock clock, long... startsAndEnds) {
        for (int i = 0; i < startsAndEnds.length; i += 2) {
            assertEquals(startsAndEnds[i], clock.startNanos());
            assertEquals(startsAndEnds[i + 1], clock.endNanos());
            clock.advance();
        }
    }

    @Test
    void advance_wholeCycle_beginsAgain() {
        assertPauses(new PauseClock(TRACE, 0), 10, 30, 100, 107, 117, 137, 207, 214);
    }

    @Test
    void create_inTheMiddleOfAPause_isPausedFromTheBeginning() {
        assertPauses(new PauseClock(TRACE, 25), 0, 5, 75, 82);
    }

    @Test
    void create_whereAPauseEnds_isAwake() {
        assertPauses(new PauseClock(TRACE, 30), 70, 77);
        assertPauses(new PauseClock(TRACE, 106), 0, 1, 11, 31);
    }

    @Test
    void advance_traceWithoutPauses_neverPauses() {
        PauseClock clock = new PauseClock(new PauseTrace("t", "", List.of(new Span(10, 0))), 3);
        assertPauses(clock, Deadline.NO_DEADLINE, Deadline.NO_DEADLINE, Deadline.NO_DEADLINE, Deadline.NO_DEADLINE);
    }
}
