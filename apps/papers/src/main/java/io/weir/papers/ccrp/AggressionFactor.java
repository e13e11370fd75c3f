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
import io.weir.papers.Table;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;

/** Figure 5: how CCRP with different w_max, and ExpressPass, come to their shares next to DCQCN, and alone. */
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

    public AggressionFactor() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Convergence of CCRP by w_max, and of ExpressPass, next to DCQCN and alone";
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
        experiments(scale).forEach(experiment -> runs.addAll(experiment.runs()));
        return runs;
    }

    private static List<Repeated> experiments(Scale scale) {
        List<Repeated> all = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            OMEGAS.forEach(omega -> all.add(Mixes.two(dcqcn, Mixes.ccrp(omega), scale)));
            all.add(Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale));
            all.add(Mixes.two(dcqcn, dcqcn, scale));
        }
        for (String credits : List.of(Mixes.CCRP, Mixes.EXPRESSPASS)) {
            all.add(Mixes.two(credits, credits, scale));
        }
        return all;
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
        for (Repeated experiment : experiments(scale)) {
            charts.add(Mixes.course(experiment.runs().get(0).name(), experiment.first(results)));
            rows.add(row(experiment, results));
        }
        Table table = new Table(
                "Two flows, medians over the seeds",
                List.of("run", "first", "joining", "share", "converged", "link used", "mean queue", "drops"),
                rows);
        return Mixes.findings(claims, charts, List.of(table));
    }

    private static List<String> row(Repeated experiment, RunResults results) {
        return List.of(
                experiment.runs().get(0).name().replace(", seed 1", ""),
                Unit.BPS.print(experiment.median(results, mix -> Statistics.mean(mix.reactiveBps()))),
                Unit.BPS.print(experiment.median(results, mix -> Statistics.mean(mix.creditsBps()))),
                Unit.SHARE.print(experiment.median(results, Mix::creditsShare)),
                Unit.NANOS.print(experiment.median(results, Mix::convergenceMillis) * MILLISECOND),
                Unit.SHARE.print(experiment.median(results, Mix::utilization)),
                Unit.BYTES.print(experiment.median(results, Mix::queueBytesMean)),
                Unit.NUMBER.print(experiment.median(results, mix -> (double) mix.dataDrops())));
    }

    private static List<Claim> shares(RunResults results, String dcqcn, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (double omega : OMEGAS) {
            double share = Mixes.two(dcqcn, Mixes.ccrp(omega), scale).median(results, Mix::creditsShare);
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
        double ratio = Mixes.two(dcqcn, Mixes.EXPRESSPASS, scale).median(results, Mix::ratio);
        claims.add(Claim.about(
                        ID + "/" + dcqcn + "-expresspass",
                        "ExpressPass and " + dcqcn + " do not come to equal shares; the ratio",
                        "never converges")
                .atLeast(ratio, RATIO_MIN, Unit.TIMES));
        return claims;
    }

    private static Claim speed(RunResults results, String dcqcn, Scale scale) {
        double own = Mixes.two(dcqcn, Mixes.ccrp(LARGEST), scale).median(results, Mix::convergenceMillis);
        double peers = Mixes.two(dcqcn, dcqcn, scale).median(results, Mix::convergenceMillis);
        return Claim.about(
                        ID + "/" + dcqcn + "-speed",
                        "CCRP with w_max 0.07 converges with " + dcqcn + " hardly slower than two flows of " + dcqcn
                                + " do; the difference",
                        "100 ms")
                .atMost((own - peers) * MILLISECOND, SLOWER_NANOS_MAX, Unit.NANOS);
    }

    private static Claim alone(RunResults results, Scale scale) {
        double own = Mixes.two(Mixes.CCRP, Mixes.CCRP, scale).median(results, Mix::utilization);
        double others = Mixes.two(Mixes.EXPRESSPASS, Mixes.EXPRESSPASS, scale).median(results, Mix::utilization);
        return Claim.about(
                        ID + "/alone",
                        "Two flows of CCRP alone do as well as two of ExpressPass: the part of the link that they use, over that"
                                + " of ExpressPass",
                        "the same")
                .within(own / others, 1 - SAME, 1 + SAME, Unit.TIMES);
    }
}
