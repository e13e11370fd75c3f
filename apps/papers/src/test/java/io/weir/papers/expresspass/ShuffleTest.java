package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.Claim;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Shuffle} with made-up times. */
class ShuffleTest {
    @Test
    void compared_paperFigures_areMet() {
        List<Claim> claims = Shuffle.compared("w", times(2.2, 2.5), times(2.0, 3.8));
        assertEquals(List.of(Verdict.MET, Verdict.MET, Verdict.FAILED), verdicts(claims));
        assertEquals("1.100 times", claims.get(0).measured());
        assertEquals("1.520 times", claims.get(1).measured());
    }

    @Test
    void compared_slowMedianAndShortTail_fails() {
        List<Claim> claims = Shuffle.compared("w", times(3, 3), times(2, 3));
        assertEquals(List.of(Verdict.FAILED, Verdict.FAILED, Verdict.FAILED), verdicts(claims));
    }

    /** {@return times of which all up to the 99th percentile are the median, and the rest the largest} */
    private static Shuffle.Times times(double median, double most) {
        List<Double> all = new ArrayList<>(Collections.nCopies(200, median));
        all.add(most);
        return new Shuffle.Times(all, most, 0, 0);
    }

    private static List<Verdict> verdicts(List<Claim> claims) {
        return claims.stream().map(Claim::verdict).toList();
    }
}
