package io.weir.cli.paper.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cli.paper.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link NaiveConvergence} with runs made up. */
class NaiveConvergenceTest {
    private static NaiveConvergence.Shares shares(double secondBps) {
        List<Double> second = new ArrayList<>(Collections.nCopies(201, 0.0));
        second.addAll(Collections.nCopies(199, secondBps));
        return new NaiveConvergence.Shares(Collections.nCopies(400, 8.0), second, 0);
    }

    private static Map<String, Verdict> verdicts(double secondBps) {
        return MadeUp.verdicts(new NaiveConvergence(), name -> shares(secondBps));
    }

    @Test
    void evaluate_shareWithinAFifth_isMet() {
        assertEquals(Verdict.MET, verdicts(4.7).get("naive"));
        assertEquals(Verdict.NOT_YET, verdicts(4.7).get("peers"));
    }

    @Test
    void evaluate_shareFartherOff_isShort() {
        assertEquals(Verdict.SHORT, verdicts(4.9).get("naive"));
        assertEquals(Verdict.SHORT, verdicts(3.1).get("naive"));
    }

    @Test
    void roundTrips_tenIntervalsAtTheShare_countFromTheJoining() {
        assertEquals(10, NaiveConvergence.roundTrips(shares(4.4)));
        assertEquals(Double.POSITIVE_INFINITY, NaiveConvergence.roundTrips(shares(1.0)));
    }
}
