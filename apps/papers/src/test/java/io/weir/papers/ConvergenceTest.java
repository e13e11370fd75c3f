package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Convergence}. */
class ConvergenceTest {
    private static final List<Double> VALUES = List.of(9.0, 9.0, 0.0, 4.0, 8.0, 2.0, 5.0, 5.0);

    @Test
    void firstAtLeast_levelReached_countsFromTheEvent() {
        assertEquals(3, Convergence.firstAtLeast(VALUES, 2, 8));
        assertEquals(1, Convergence.firstAtLeast(VALUES, 0, 8));
    }

    @Test
    void firstAtLeast_neverReached_isInfinite() {
        assertEquals(Double.POSITIVE_INFINITY, Convergence.firstAtLeast(VALUES, 2, 8.1));
    }

    @Test
    void firstMeanAtLeast_levelReachedOrNot_countsTheLastIntervalOrIsInfinite() {
        // The means of two are 2, 6, 5, 3.5, 5.
        assertEquals(3, Convergence.firstMeanAtLeast(VALUES, 2, 6, 2));
        assertEquals(Double.POSITIVE_INFINITY, Convergence.firstMeanAtLeast(VALUES, 2, 6.1, 2));
    }

    @Test
    void settled_meanOfTheWindow_countsItsLastInterval() {
        // The means of two are 2, 6, 5, 3.5, 5.
        assertEquals(4, Convergence.settled(VALUES, 2, 5, 0.1, 2));
        assertEquals(3, Convergence.settled(VALUES, 2, 5, 0.2, 2));
    }

    @Test
    void settled_seriesTooShortOrNeverThere_isInfinite() {
        assertEquals(Double.POSITIVE_INFINITY, Convergence.settled(VALUES, 2, 5, 0.1, 7));
        assertEquals(Double.POSITIVE_INFINITY, Convergence.settled(VALUES, 2, 20, 0.1, 1));
    }

    @Test
    void lastAway_meansLeaveTheLevel_countsTheLastThatDoes() {
        // The means of two are 2, 6, 5, 3.5, 5.
        assertEquals(5, Convergence.lastAway(VALUES, 2, 5, 0.2, 2));
        assertEquals(0, Convergence.lastAway(VALUES, 2, 5, 0.6, 2));
        assertEquals(6, Convergence.lastAway(VALUES, 2, 9, 0.1, 2));
    }
}
