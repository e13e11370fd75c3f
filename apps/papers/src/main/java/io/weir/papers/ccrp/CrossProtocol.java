package io.weir.papers.ccrp;

import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * Section 1: ExpressPass is too aggressive for DCQCN, CUBIC and TIMELY; CCRP converges with DCQCN within milliseconds.
 */
public final class CrossProtocol implements Figure {
    private static final String ID = "ccrp/sec1";
    private static final List<String> OTHERS = List.of("cubic", "timely");
    private static final double RATIO_MIN = 4;
    private static final double CONVERGENCE_NANOS_MAX = 100e6;
    private static final double MILLISECOND = 1e6;

    public CrossProtocol() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "ExpressPass and CCRP next to protocols that react to marks, drops and delays";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "Two flows as in Figure 5. Aggressive is here what Figure 4 calls so: at least four times as much.",
                scale);
    }

    private static List<String> reactive() {
        List<String> all = new ArrayList<>(Mixes.DCQCNS);
        all.addAll(OTHERS);
        return all;
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String reactive : reactive()) {
            runs.addAll(Mixes.two(reactive, Mixes.EXPRESSPASS, scale).runs());
            runs.addAll(Mixes.two(reactive, Mixes.CCRP, scale).runs());
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        for (String reactive : reactive()) {
            double ratio = Mixes.two(reactive, Mixes.EXPRESSPASS, scale).median(results, Mix::ratio);
            claims.add(Claim.about(
                            ID + "/expresspass-" + reactive,
                            "ExpressPass is too aggressive for " + reactive + "; the ratio",
                            "too aggressive")
                    .atLeast(ratio, RATIO_MIN, Unit.TIMES));
        }
        for (String dcqcn : Mixes.DCQCNS) {
            double millis = Mixes.two(dcqcn, Mixes.CCRP, scale).median(results, Mix::convergenceMillis);
            claims.add(Claim.about(
                            ID + "/ccrp-" + dcqcn,
                            "CCRP converges with " + dcqcn + " within milliseconds",
                            "milliseconds")
                    .atMost(millis * MILLISECOND, CONVERGENCE_NANOS_MAX, Unit.NANOS));
        }
        for (String other : OTHERS) {
            Repeated mixes = Mixes.two(other, Mixes.CCRP, scale);
            claims.add(Claim.about(
                            ID + "/ccrp-" + other,
                            "CCRP next to " + other + ", which knows no marks; the ratio",
                            "not in the paper")
                    .reported(Unit.TIMES.print(mixes.median(results, Mix::ratio))));
            charts.add(Mixes.course("CCRP comes to " + other, mixes.first(results)));
            charts.add(Mixes.course(
                    "ExpressPass comes to " + other,
                    Mixes.two(other, Mixes.EXPRESSPASS, scale).first(results)));
        }
        return Mixes.findings(claims, charts, List.of());
    }
}
