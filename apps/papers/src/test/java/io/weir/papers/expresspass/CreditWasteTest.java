package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditWaste} with runs made up. */
class CreditWasteTest {
    private static Verdict authors(double timesTheInitialRate, double atLeast) {
        return MadeUp.verdicts(
                        new CreditWaste(),
                        name -> new CreditWaste.Waste(
                                Math.max(atLeast, timesTheInitialRate / MadeUp.number(name, "1/")), 0))
                .get("authors");
    }

    @Test
    void evaluate_proportionalToTheInitialRate_isMet() {
        assertEquals(Verdict.MET, authors(78, 0));
        assertEquals(Verdict.MET, authors(80, 0));
    }

    @Test
    void evaluate_anotherSlopeOrAFloor_fails() {
        assertEquals(Verdict.FAILED, authors(70, 0));
        assertEquals(Verdict.FAILED, authors(78, 5));
    }

    @Test
    void largestDistance_isOfTheFarthestPoint() {
        double perRtt = 77 * 1.02;
        assertEquals(
                3,
                CreditWaste.largestDistance(
                        List.of(perRtt + 1, perRtt / 2 - 3, perRtt / 4, perRtt / 8, perRtt / 16, perRtt / 32)),
                1e-9);
    }
}
