package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link NaiveConvergence} with runs made up. */
class NaiveConvergenceTest {
    /** Two flows of which the second opens in interval 200, and has its share of 4 from one of those behind on. */
    private static NaiveConvergence.Shares shares(double secondBps, int delayIntervals) {
        List<Double> second = new ArrayList<>(Collections.nCopies(201 + delayIntervals, 0.0));
        second.addAll(Collections.nCopies(400 - second.size(), secondBps));
        return new NaiveConvergence.Shares(Collections.nCopies(400, 8.0), second, 0);
    }

    private static Map<String, Verdict> verdicts(double secondBps) {
        return MadeUp.verdicts(
                new NaiveConvergence(),
                name -> shares(secondBps, name.startsWith("dctcp") ? 45 : name.startsWith("cubic") ? 1 : 0));
    }

    @Test
    void evaluate_shareWithinAFifth_isMet() {
        assertEquals(Verdict.MET, verdicts(4.7).get("naive"));
        assertEquals(Verdict.MET, verdicts(4.7).get("dctcp"));
        assertEquals(Verdict.FAILED, verdicts(4.7).get("cubic"));
    }

    @Test
    void evaluate_shareFartherOff_fails() {
        assertEquals(Verdict.FAILED, verdicts(4.9).get("naive"));
        assertEquals(Verdict.FAILED, verdicts(3.1).get("naive"));
    }

    @Test
    void roundTrips_lateShare_countUntilAMillisecondsMeanStays() {
        assertEquals(1, NaiveConvergence.roundTrips(shares(4, 0)));
        // 9 of 40 intervals without anything leave less than four fifths.
        assertEquals(46 + 40 - 9, NaiveConvergence.roundTrips(shares(4, 45)));
        assertEquals(200, NaiveConvergence.roundTrips(shares(1, 0)));
    }
}
