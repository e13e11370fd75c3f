package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Variant;
import io.weir.papers.Verdict;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Tests {@link MultiBottleneckShares} with runs made up. */
class MultiBottleneckSharesTest {
    private static Map<String, Verdict> verdicts(IntToDoubleFunction shareOfFlows) {
        return MadeUp.verdicts(new MultiBottleneckShares(), name -> {
            double share = name.startsWith("naive") ? 0.5 : shareOfFlows.applyAsDouble(MadeUp.number(name, " "));
            double most = name.startsWith("authors") ? Variant.DATA_SHARE_SPREAD : Variant.DATA_SHARE_WEIR;
            return new MultiBottleneckShares.First(share * most, 0);
        });
    }

    @Test
    void evaluate_maxMin_isMet() {
        Map<String, Verdict> verdicts = verdicts(flows -> 1.05 / (flows + 1));
        assertEquals(Verdict.MET, verdicts.get("weir-few"));
        assertEquals(Verdict.MET, verdicts.get("weir-many"));
        assertEquals(Verdict.MET, verdicts.get("weir-least"));
        assertEquals(Verdict.MET, verdicts.get("weir-falls"));
        assertEquals(Verdict.MET, verdicts.get("naive"));
    }

    @Test
    void evaluate_halfOfTheLink_fails() {
        Map<String, Verdict> verdicts = verdicts(flows -> 0.5);
        assertEquals(Verdict.FAILED, verdicts.get("weir-few"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-few"));
        assertEquals(Verdict.FAILED, verdicts.get("authors-many"));
    }

    @Test
    void evaluate_lessThanItsShareOrMoreWithMoreFlows_fails() {
        assertEquals(Verdict.FAILED, verdicts(flows -> 0.5 / (flows + 1)).get("weir-least"));
        assertEquals(
                Verdict.FAILED,
                verdicts(flows -> flows == 32 ? 0.2 : 1.0 / (flows + 1)).get("weir-falls"));
    }

    @Test
    void timesMaxMin_sharesOfFlows_areTimesOneOverAllOfThem() {
        List<Double> times = MultiBottleneckShares.timesMaxMin(List.of(1, 3), List.of(0.5, 0.5));
        assertEquals(List.of(1.0, 2.0), times);
        assertEquals(1, MultiBottleneckShares.largestGap(times));
    }
}
