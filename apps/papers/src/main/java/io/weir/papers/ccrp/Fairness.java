package io.weir.papers.ccrp;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figure 4: fairness between as many flows of DCQCN as of CCRP or ExpressPass. */
public final class Fairness implements Figure {
    /** How many flows of each kind. */
    static final List<Integer> PAIRS = List.of(1, 2, 4, 8);

    private static final String ID = "ccrp/fig4";
    private static final double JAIN_MIN = 0.9;
    private static final double JAIN_MAX_OF_EXPRESSPASS = 0.75;
    private static final double RATIO_MIN = 0.6;
    private static final double RATIO_MAX = 1.6;
    private static final double RATIO_MIN_OF_EXPRESSPASS = 4;

    public Fairness() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Fairness among flows of DCQCN and of CCRP or ExpressPass";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "2 to 16 flows, half of each kind; goodput over 100 ms. The paper's numbers of flows are not known.",
                scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return manyRuns(scale);
    }

    static List<PaperRun<?>> manyRuns(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            for (String credits : List.of(Mixes.CCRP, Mixes.EXPRESSPASS)) {
                PAIRS.forEach(pairs ->
                        runs.addAll(Mixes.many(dcqcn, credits, pairs, scale).runs()));
            }
        }
        return runs;
    }

    /** {@return the medians over the seeds, by the numbers of flows} */
    static List<Double> values(
            RunResults results, String dcqcn, String credits, Scale scale, ToDoubleFunction<Mix> value) {
        return PAIRS.stream()
                .map(pairs -> Mixes.many(dcqcn, credits, pairs, scale).median(results, value))
                .toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            claims.addAll(jain(results, dcqcn, scale));
            claims.addAll(ratio(results, dcqcn, scale));
        }
        List<Chart> charts = List.of(
                chart(results, scale, "Jain's index of all flows (Figure 4 a)", "Jain's index", Mix::jain),
                chart(results, scale, "Goodput with credits over that without (Figure 4 b, c)", "ratio", Mix::ratio));
        return Mixes.findings(claims, charts, List.of());
    }

    private static List<Claim> jain(RunResults results, String dcqcn, Scale scale) {
        return List.of(
                Claim.about(
                                ID + "/jain-ccrp-" + dcqcn,
                                "CCRP is fair next to " + dcqcn + "; the least index",
                                "close to 1")
                        .atLeast(
                                Statistics.min(values(results, dcqcn, Mixes.CCRP, scale, Mix::jain)),
                                JAIN_MIN,
                                Unit.NUMBER),
                Claim.about(
                                ID + "/jain-expresspass-" + dcqcn,
                                "ExpressPass is not fair next to " + dcqcn + "; the largest index",
                                "poor")
                        .atMost(
                                Statistics.max(values(results, dcqcn, Mixes.EXPRESSPASS, scale, Mix::jain)),
                                JAIN_MAX_OF_EXPRESSPASS,
                                Unit.NUMBER));
    }

    private static List<Claim> ratio(RunResults results, String dcqcn, Scale scale) {
        List<Double> ratios = values(results, dcqcn, Mixes.CCRP, scale, Mix::ratio);
        double farthest =
                Statistics.max(ratios) > 1 / Statistics.min(ratios) ? Statistics.max(ratios) : Statistics.min(ratios);
        return List.of(
                Claim.about(
                                ID + "/ratio-ccrp-" + dcqcn,
                                "CCRP and " + dcqcn + " get the same; the ratio farthest from 1",
                                "close to 1")
                        .within(farthest, RATIO_MIN, RATIO_MAX, Unit.TIMES),
                Claim.about(
                                ID + "/ratio-expresspass-" + dcqcn,
                                "ExpressPass gets a multiple of " + dcqcn + "; the least ratio",
                                "far from 1")
                        .atLeast(
                                Statistics.min(values(results, dcqcn, Mixes.EXPRESSPASS, scale, Mix::ratio)),
                                RATIO_MIN_OF_EXPRESSPASS,
                                Unit.TIMES));
    }

    static Chart chart(RunResults results, Scale scale, String title, String axis, ToDoubleFunction<Mix> value) {
        Curves curves = new Curves();
        for (String dcqcn : Mixes.DCQCNS) {
            for (String credits : List.of(Mixes.CCRP, Mixes.EXPRESSPASS)) {
                List<Double> values = values(results, dcqcn, credits, scale, value);
                for (int i = 0; i < values.size(); i++) {
                    curves.add(credits + " next to " + dcqcn, 2.0 * PAIRS.get(i), values.get(i));
                }
            }
        }
        return new Chart(title, Chart.Kind.LINES, Axis.linear("flows"), Axis.linear(axis), curves.series());
    }
}
