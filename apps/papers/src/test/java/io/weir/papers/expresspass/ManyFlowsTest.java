package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link ManyFlows} with runs made up, of which that with 1024 flows is the worst. */
class ManyFlowsTest {
    private static final ManyFlows.Crowd GOOD = new ManyFlows.Crowd(0.94, 0.99, 1_538, 0);
    private static final ManyFlows.Crowd PEER = new ManyFlows.Crowd(1, 0.6, 300_000, 1);

    private static Map<String, Verdict> verdicts(ManyFlows.Crowd worst, ManyFlows.Crowd peer) {
        return MadeUp.verdicts(new ManyFlows(), name -> {
            if (name.endsWith("together")) {
                return peer.dataDrops();
            }
            if (name.startsWith("dctcp") || name.startsWith("rcp")) {
                return peer;
            }
            return name.endsWith(" 1024") ? worst : GOOD;
        });
    }

    @Test
    void evaluate_fullFairAndShort_isMet() {
        Map<String, Verdict> verdicts = verdicts(new ManyFlows.Crowd(0.95, 0.97, 5_000, 0), PEER);
        assertEquals(Verdict.MET, verdicts.get("weir-least"));
        assertEquals(Verdict.MET, verdicts.get("weir-most"));
        assertEquals(Verdict.MET, verdicts.get("weir-jain"));
        assertEquals(Verdict.MET, verdicts.get("weir-queue"));
        assertEquals(Verdict.MET, verdicts.get("drops"));
    }

    @Test
    void evaluate_oneNumberOfFlowsIsWorse_fails() {
        Map<String, Verdict> verdicts = verdicts(new ManyFlows.Crowd(0.89, 0.96, 5_001, 1), PEER);
        assertEquals(Verdict.FAILED, verdicts.get("weir-least"));
        assertEquals(Verdict.MET, verdicts.get("weir-most"));
        assertEquals(Verdict.FAILED, verdicts.get("weir-jain"));
        assertEquals(Verdict.FAILED, verdicts.get("weir-queue"));
        assertEquals(Verdict.FAILED, verdicts.get("drops"));
        assertEquals(
                Verdict.FAILED,
                verdicts(new ManyFlows.Crowd(0.96, 1, 0, 0), PEER).get("authors-most"));
    }

    @Test
    void evaluate_peersAsInThePaperOrNot_isMetOrShort() {
        Map<String, Verdict> asInThePaper = verdicts(GOOD, PEER);
        Map<String, Verdict> otherwise = verdicts(GOOD, GOOD);
        for (String claim : List.of("dctcp-utilization", "dctcp-jain", "dctcp-queue", "rcp")) {
            assertEquals(Verdict.MET, asInThePaper.get(claim), claim);
            assertEquals(Verdict.FAILED, otherwise.get(claim), claim);
        }
    }
}
