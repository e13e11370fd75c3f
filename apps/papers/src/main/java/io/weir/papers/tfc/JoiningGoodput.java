package io.weir.papers.tfc;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;

/** Figure 9: high goodput and fairness. */
public final class JoiningGoodput implements Figure {
    private static final String ID = "tfc/fig09";
    private static final double TFC_JAIN = 0.99;
    private static final double DCTCP_JAIN = 0.95;
    private static final double TOTAL_BPS = 0.9e9;

    public JoiningGoodput() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Goodput and fairness while four flows come one after the other";
    }

    @Override
    public Setting setting(Scale scale) {
        return Joining.setting(scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.copyOf(Joining.runs(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        double tfc = results.get(Joining.run(Testbed.TFC, scale)).jain();
        double newReno = results.get(Joining.run(Testbed.NEWRENO, scale)).jain();
        List<Claim> claims = new ArrayList<>(List.of(
                Claim.about(ID + "/tfc-jain", "TFC's flows are equal in every 20 ms: mean of Jain's index", "fair")
                        .atLeast(tfc, TFC_JAIN, Unit.NUMBER),
                Claim.about(ID + "/dctcp-jain", "DCTCP's flows are nearly so", "much better than TCP")
                        .atLeast(results.get(Joining.run(Testbed.DCTCP, scale)).jain(), DCTCP_JAIN, Unit.NUMBER),
                Claim.about(ID + "/tcp-jain", "TCP's are not: its index below TFC's", "quite unstable")
                        .holds(
                                newReno < tfc,
                                Unit.NUMBER.print(newReno),
                                "less than TFC's",
                                Unit.NUMBER.print(tfc - newReno))));
        List<Chart> charts = new ArrayList<>();
        for (Variant variant : Testbed.ALL) {
            Joining joining = results.get(Joining.run(variant, scale));
            claims.add(Claim.about(
                            ID + "/" + variant.name() + "-total",
                            "All flows together use the link (" + variant.name() + ")",
                            "fully utilized")
                    .atLeast(joining.totalBps(), TOTAL_BPS, Unit.BPS));
            charts.add(new Chart(
                    "Goodput in 20 ms, " + variant.name(),
                    Chart.Kind.CURVES,
                    Axis.linear("time (ms)"),
                    Axis.linear("goodput (Mbps)"),
                    joining.flows().stream()
                            .map(flow -> ChartSeries.overTime(
                                    flow.id(),
                                    joining.intervalMillis(),
                                    flow.goodputBps().stream()
                                            .map(bps -> bps / 1e6)
                                            .toList()))
                            .toList()));
        }
        return new Findings(claims.stream().map(Claim::explained).toList(), charts, List.of());
    }
}
