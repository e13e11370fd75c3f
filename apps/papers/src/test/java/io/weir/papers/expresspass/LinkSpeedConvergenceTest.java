package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link LinkSpeedConvergence} with runs made up. */
class LinkSpeedConvergenceTest {
    private static JoiningFlow flow(int roundTrips) {
        List<Double> joining = new ArrayList<>(Collections.nCopies(30 + roundTrips - 1, 0.0));
        joining.addAll(Collections.nCopies(70 - joining.size(), 4.0));
        return new JoiningFlow(30, Collections.nCopies(70, 8.0), joining, 0);
    }

    private static JoiningFlow peer(int roundTrips) {
        List<Double> joining = new ArrayList<>(Collections.nCopies(200 + roundTrips - 8, 0.0));
        joining.addAll(Collections.nCopies(20, 4.0));
        return new JoiningFlow(200, Collections.nCopies(joining.size(), 8.0), joining, 0);
    }

    /** Judges runs of which nine of twenty are slower, which a median does not see. */
    private static Map<String, Verdict> verdicts(int roundTripsAt10, int roundTripsAt100) {
        return MadeUp.verdicts(new LinkSpeedConvergence(), name -> {
            if (name.startsWith("dctcp")) {
                return peer(roundTripsAt10 * 81);
            }
            int roundTrips = name.contains("100 Gbps") ? roundTripsAt100 : roundTripsAt10;
            return flow(MadeUp.number(name, "seed ") <= 9 ? 30 : roundTrips);
        });
    }

    @Test
    void evaluate_mediansAsInThePaper_isMet() {
        Map<String, Verdict> verdicts = verdicts(3, 4);
        assertEquals(Verdict.MET, verdicts.get("weir-10g"));
        assertEquals(Verdict.MET, verdicts.get("weir-100g"));
        assertEquals(Verdict.MET, verdicts.get("weir-ratio"));
        assertEquals(Verdict.MET, verdicts.get("weir-settled"));
        assertEquals(Verdict.REPORTED, verdicts.get("authors-half-10g"));
        assertEquals(Verdict.MET, verdicts.get("dctcp"));
    }

    @Test
    void evaluate_slowerOnFasterLinks_fails() {
        Map<String, Verdict> verdicts = verdicts(3, 6);
        assertEquals(Verdict.MET, verdicts.get("authors-10g"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-100g"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-ratio"));
        assertEquals(Verdict.FAILED, verdicts(17, 17).get("weir-settled"));
    }
}
