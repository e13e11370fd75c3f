package io.weir.cli.demo;

import static io.weir.cli.demo.Samples.ALONE_BPS;
import static io.weir.cli.demo.Samples.joins;
import static io.weir.cli.demo.Samples.trial;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests which joins are judged, with round trips of 100 us and a link of 1 Gbps. */
class JoinsTest {
    @Test
    void of_calm_hasTheMedian() {
        Joins joins = joins(ALONE_BPS, trial(850e6, 0, 100_000), trial(850e6, 0, 900_000), trial(850e6, 0, 200_000));
        assertEquals(new Joins(3, 3, 0, 0, 0, 3, 2.0), joins);
        assertNull(joins.notJudged());
    }

    @Test
    void of_firstFlowHasCollapsed_isNotJudged() {
        Joins joins = joins(ALONE_BPS, trial(599e6, 0, 100_000), trial(601e6, 0, 100_000));
        assertEquals(1, joins.baseTooSmall());
        assertEquals(1, joins.judged());
    }

    @Test
    void of_aloneHadCollapsed_isNotJudged() {
        Joins joins = joins(20e6, trial(850e6, 0, 100_000));
        assertEquals(new Joins(1, 0, 1, 0, 0, 0, null), joins);
        assertTrue(joins.notJudged().contains("the first flow held less than 60 % of the link in 1"));
    }

    @Test
    void of_loopsOffTheirCoresForMoreThanFiveRoundTrips_isNotJudged() {
        Joins joins = joins(ALONE_BPS, trial(850e6, 1, 100_000));
        assertEquals(new Joins(1, 0, 0, 1, 0, 0, null), joins);
        assertTrue(joins.notJudged().contains("loops were off their cores too long in 1"));
    }

    @Test
    void of_oneArrivalOrNone_showsNoRate() {
        Joins.Trial silent = new Joins.Trial(850e6, Samples.pauses(Samples.JOIN_NANOS, 0), Long.MAX_VALUE, false);
        Joins joins = joins(ALONE_BPS, trial(850e6, 0, 0), silent);
        assertEquals(new Joins(2, 0, 0, 0, 2, 0, null), joins);
        assertNotNull(joins.notJudged());
    }

    @Test
    void of_mostNeverHadTheirShare_isJudgedWithoutMedian() {
        Joins joins = joins(ALONE_BPS, trial(850e6, 0, Long.MAX_VALUE), trial(850e6, 0, 100_000));
        assertEquals(new Joins(2, 2, 0, 0, 0, 1, null), joins);
        assertNull(joins.notJudged());
    }

    @Test
    void notJudged_halfOfTheJoinsCount_isNull() {
        assertNull(joins(ALONE_BPS, trial(850e6, 0, 100_000), trial(20e6, 0, 100_000))
                .notJudged());
        assertNotNull(joins(ALONE_BPS, trial(850e6, 0, 100_000), trial(20e6, 0, 1), trial(20e6, 0, 1))
                .notJudged());
    }
}
