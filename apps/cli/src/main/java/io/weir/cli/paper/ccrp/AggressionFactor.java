package io.weir.cli.paper.ccrp;

import io.weir.cli.paper.Chart;
import io.weir.cli.paper.Claim;
import io.weir.cli.paper.Figure;
import io.weir.cli.paper.Findings;
import io.weir.cli.paper.PaperRun;
import io.weir.cli.paper.RunResults;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.Setting;
import io.weir.cli.paper.Statistics;
import io.weir.cli.paper.Table;
import io.weir.cli.paper.Unit;
import java.util.ArrayList;
import java.util.List;

/** Figure 5: how CCRP with different w_max, and ExpressPass, come to their shares beside DCQCN, and alone. */
public final class AggressionFactor implements Figure {
    private static final String ID = "ccrp/fig5";
    private static final double TOO_SMALL = 0.03;
    private static final double LARGEST = 0.07;
    private static final List<Double> OMEGAS = List.of(TOO_SMALL, 0.04, 0.05, 0.06, LARGEST);
    private static final double SHARE_MIN = 0.4;
    private static final double SHARE_MAX = 0.6;
    private static final double RATIO_MIN = 4;
    private static final double SLOWER_NANOS_MAX = 100e6;
    private static final double SAME = 0.05;
    private static final double MILLISECOND = 1e6;

    /** Creates the figure. */
    public AggressionFactor() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Convergence of CCRP by w_max, and of ExpressPass, beside DCQCN and alone";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "Two flows, the second 10 ms after the first; shares over the last 100 ms. They have converged when both have half,"
                        + " within a fifth, over 10 ms.",
                scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            OMEGAS.forEach(omega -> runs.add(Mixes.two(dcqcn, Mixes.ccrp(omega), scale)));
            runs.add(Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale));
            runs.add(Mixes.two(dcqcn, dcqcn, scale));
        }
        for (String credits : List.of(Mixes.CCRP, Mixes.EXPRESSPASS)) {
            runs.add(Mixes.two(credits, credits, scale));
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            claims.addAll(shares(results, dcqcn, scale));
            claims.add(speed(results, dcqcn, scale));
        }
        claims.add(alone(results, scale));
        List<Chart> charts = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (PaperRun<?> run : runs(scale)) {
            Mix mix = (Mix) results.get(run);
            charts.add(Mixes.course(run.name(), mix));
            rows.add(List.of(
                    run.name(),
                    Unit.BPS.print(Statistics.mean(mix.reactiveBps())),
                    Unit.BPS.print(Statistics.mean(mix.creditsBps())),
                    Unit.SHARE.print(mix.creditsShare()),
                    Unit.NANOS.print(mix.convergenceMillis() * MILLISECOND),
                    Unit.SHARE.print(mix.utilization()),
                    Unit.BYTES.print(mix.queueBytesMean()),
                    Long.toString(mix.dataDrops())));
        }
        Table table = new Table(
                "Two flows",
                List.of("run", "first", "joining", "share", "converged", "link used", "mean queue", "drops"),
                rows);
        return Mixes.findings(claims, charts, List.of(table));
    }

    private static List<Claim> shares(RunResults results, String dcqcn, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (double omega : OMEGAS) {
            double share =
                    results.get(Mixes.two(dcqcn, Mixes.ccrp(omega), scale)).creditsShare();
            String id = ID + "/" + dcqcn + "-" + omega;
            claims.add(
                    omega == TOO_SMALL
                            ? Claim.about(
                                            id,
                                            "With w_max 0.03 " + dcqcn + " gets more than CCRP; CCRP's share",
                                            "not ideal")
                                    .atMost(share, 0.5, Unit.SHARE)
                            : Claim.about(
                                            id,
                                            "With w_max " + omega + " CCRP and " + dcqcn
                                                    + " come to equal shares; CCRP's",
                                            "converges")
                                    .within(share, SHARE_MIN, SHARE_MAX, Unit.SHARE));
        }
        double ratio = results.get(Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale)).ratio();
        claims.add(Claim.about(
                        ID + "/" + dcqcn + "-expresspass",
                        "ExpressPass and " + dcqcn + " do not come to equal shares; the ratio",
                        "never converges")
                .atLeast(ratio, RATIO_MIN, Unit.TIMES));
        return claims;
    }

    private static Claim speed(RunResults results, String dcqcn, Scale scale) {
        double own = results.get(Mixes.two(dcqcn, Mixes.ccrp(LARGEST), scale)).convergenceMillis();
        double peers = results.get(Mixes.two(dcqcn, dcqcn, scale)).convergenceMillis();
        return Claim.about(
                        ID + "/" + dcqcn + "-speed",
                        "CCRP with w_max 0.07 converges with " + dcqcn + " hardly slower than two flows of " + dcqcn
                                + " do; the difference",
                        "100 ms")
                .atMost((own - peers) * MILLISECOND, SLOWER_NANOS_MAX, Unit.NANOS);
    }

    private static Claim alone(RunResults results, Scale scale) {
        double own = results.get(Mixes.two(Mixes.CCRP, Mixes.CCRP, scale)).utilization();
        double others = results.get(Mixes.two(Mixes.EXPRESSPASS, Mixes.EXPRESSPASS, scale))
                .utilization();
        return Claim.about(
                        ID + "/alone",
                        "Two flows of CCRP alone do as well as two of ExpressPass: the part of the link that they use, over that"
                                + " of ExpressPass",
                        "the same")
                .within(own / others, 1 - SAME, 1 + SAME, Unit.TIMES);
    }
}
