package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests {@link InitialRateConvergence} with runs made up. */
class InitialRateConvergenceTest {
    private static Map<String, Verdict> verdicts(IntUnaryOperator roundTripsOfShare, long dataDrops) {
        return MadeUp.verdicts(new InitialRateConvergence(), name -> {
            int roundTrips = roundTripsOfShare.applyAsInt(MadeUp.number(name, "1/"));
            List<Double> joining = new ArrayList<>(Collections.nCopies(40 + roundTrips - 1, 0.0));
            joining.addAll(Collections.nCopies(100 - joining.size(), 4.0));
            return new JoiningFlow(40, Collections.nCopies(100, 8.0), joining, dataDrops);
        });
    }

    @Test
    void evaluate_asInThePaper_isMet() {
        Map<String, Verdict> verdicts = verdicts(share -> 2 + share * 12 / 32, 0);
        assertEquals(Verdict.MET, verdicts.get("authors-1"));
        assertEquals(Verdict.MET, verdicts.get("authors-32"));
        assertEquals(Verdict.MET, verdicts.get("authors-trend"));
        assertEquals(Verdict.MET, verdicts.get("weir-1"));
        assertEquals(Verdict.MET, verdicts.get("drops"));
    }

    @Test
    void evaluate_slowWithoutATrendAndWithLosses_fails() {
        Map<String, Verdict> verdicts = verdicts(share -> 44 - share, 1);
        assertEquals(Verdict.FAILED, verdicts.get("authors-1"));
        assertEquals(Verdict.MET, verdicts.get("authors-32"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-trend"));
        assertEquals(Verdict.FAILED, verdicts.get("drops"));
    }

    @Test
    void evaluate_aTrendWithOneFall_fails() {
        assertEquals(
                Verdict.FAILED,
                verdicts(share -> share == 4 ? 9 : 2 + share * 12 / 32, 0).get("authors-trend"));
    }

    @Test
    void largestFall_risingOrNot_isThatOfNeighbours() {
        assertEquals(0, InitialRateConvergence.largestFall(List.of(1.0, 1.0, 5.0)));
        assertEquals(3, InitialRateConvergence.largestFall(List.of(4.0, 3.0, 6.0, 3.0)));
    }
}
