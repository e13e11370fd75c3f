package io.weir.papers.ccrp;

import io.weir.papers.Chart;
import io.weir.papers.Claim;
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

/** Figure 3: ExpressPass comes to a flow of DCQCN and takes the link. */
public final class Starvation implements Figure {
    private static final String ID = "ccrp/fig3";
    private static final int WITHIN_INTERVALS = 5;
    private static final double SHARE_MIN = 0.85;

    public Starvation() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "ExpressPass comes to DCQCN and takes the link";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "ExpressPass comes after 10 ms; its share is that of the 5 ms that begin 5 ms later.", scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        Mixes.DCQCNS.forEach(
                dcqcn -> runs.addAll(Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale).runs()));
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            Repeated mixes = Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale);
            double share = mixes.median(results, Starvation::earlyShare);
            claims.add(Claim.about(
                            ID + "/" + dcqcn, "Within 5 ms ExpressPass has taken the link from " + dcqcn, "nearly all")
                    .atLeast(share, SHARE_MIN, Unit.SHARE));
            charts.add(Mixes.course("ExpressPass comes to " + dcqcn, mixes.first(results)));
        }
        return Mixes.findings(claims, charts, List.of());
    }

    private static double earlyShare(Mix mix) {
        int from = Mix.JOIN_INTERVAL + WITHIN_INTERVALS;
        return Statistics.mean(mix.shares().subList(from, from + WITHIN_INTERVALS));
    }
}
