package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link Claim}: verdicts, and how far off they are. */
class ClaimTest {
    private static final Claim.Draft DRAFT = Claim.about("p/f/c", "it is so", "97.8 %");

    @Test
    void atLeast_less_failsByTheDifference() {
        Claim claim = DRAFT.atLeast(0.912, 0.93, Unit.SHARE);
        assertEquals(Verdict.FAILED, claim.verdict());
        assertEquals("91.2 %", claim.measured());
        assertEquals("at least 93.0 %", claim.criterion());
        assertEquals("1.8 points below", claim.distance());
    }

    @Test
    void atMost_more_failsByTheDifference() {
        Claim claim = DRAFT.atMost(20_000, 18_000, Unit.BYTES);
        assertEquals(Verdict.FAILED, claim.verdict());
        assertEquals("2 KB above", claim.distance());
    }

    @Test
    void within_inside_isMetWithTheNearerMargin() {
        Claim claim = DRAFT.within(2.1, 1.8, 2.2, Unit.TIMES);
        assertEquals(Verdict.MET, claim.verdict());
        assertEquals("0.100 times to spare", claim.distance());
        assertEquals("at the limit", DRAFT.atMost(0, 0, Unit.NUMBER).distance());
    }

    @Test
    void within_noNumber_fails() {
        Claim claim = DRAFT.atLeast(Double.NaN, 1, Unit.NUMBER);
        assertEquals(Verdict.FAILED, claim.verdict());
        assertEquals("none", claim.measured());
        assertEquals(
                Verdict.MET,
                DRAFT.atLeast(Double.POSITIVE_INFINITY, 1, Unit.NUMBER).verdict());
    }

    @Test
    void others_verdicts_areGoodOrNot() {
        assertTrue(DRAFT.reported("5").verdict().isGood());
        assertFalse(DRAFT.notYet("at least 1", "DCTCP").verdict().isGood());
        assertEquals("needs DCTCP", DRAFT.notYet("at least 1", "DCTCP").distance());
        assertEquals("docs/x.md", DRAFT.reported("5").on("docs/x.md").page());
    }
}
