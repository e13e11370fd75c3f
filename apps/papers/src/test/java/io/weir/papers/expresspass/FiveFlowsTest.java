package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Variant;
import io.weir.papers.Verdict;
import io.weir.transport.scenario.result.Series;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link FiveFlows} with runs made up. */
class FiveFlowsTest {
    private static Map<String, Verdict> verdicts(double ofTheMost, long queueBytes, long creditFrames) {
        return MadeUp.verdicts(new FiveFlows(), name -> {
            double most = name.startsWith("weir") ? Variant.DATA_SHARE_WEIR : Variant.DATA_SHARE_SPREAD;
            return new FiveFlows.Course(
                    2,
                    List.of(ofTheMost * most, ofTheMost * most),
                    List.of(new Series.FlowSeries("flow-1", List.of(1e9, 2e9))),
                    List.of(100L, name.startsWith("dctcp") ? 90_000L : queueBytes),
                    creditFrames,
                    0);
        });
    }

    @Test
    void evaluate_asInThePaper_isMet() {
        Map<String, Verdict> verdicts = verdicts(0.999, 17_000, 8);
        assertEquals(Verdict.MET, verdicts.get("weir-throughput"));
        assertEquals(Verdict.MET, verdicts.get("weir-queue"));
        assertEquals(Verdict.MET, verdicts.get("weir-credit-queue"));
        assertEquals(Verdict.MET, verdicts.get("peers"));
        assertEquals(Verdict.FAILED, verdicts(1, 18_001, 1).get("peers"));
    }

    @Test
    void evaluate_idleLinkLongQueues_fails() {
        Map<String, Verdict> verdicts = verdicts(0.98, 18_001, 9);
        assertEquals(Verdict.FAILED, verdicts.get("authors-throughput"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-queue"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-credit-queue"));
    }
}
