package io.weir.papers.ccrp;

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

/** Figure 7: the average queue that mixtures keep. */
public final class QueueLength implements Figure {
    private static final String ID = "ccrp/fig7";
    private static final double QUEUE_BYTES_MAX = 170_000;

    public QueueLength() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Average queue of CCRP and of ExpressPass next to DCQCN";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "2 to 16 flows, half of each kind, as in Figure 4; the queue of the shared link over 100 ms.", scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return Fairness.manyRuns(scale);
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            List<Double> own = Fairness.values(results, dcqcn, Mixes.CCRP, scale, Mix::queueBytesMean);
            List<Double> others = Fairness.values(results, dcqcn, Mixes.EXPRESSPASS, scale, Mix::queueBytesMean);
            double most = 0;
            for (int i = 0; i < own.size(); i++) {
                most = Math.max(most, own.get(i) / others.get(i));
            }
            claims.add(Claim.about(
                            ID + "/" + dcqcn,
                            "The average queue stays below 170 KB with CCRP and " + dcqcn + "; the longest",
                            "less than 170 KB")
                    .atMost(Statistics.max(own), QUEUE_BYTES_MAX, Unit.BYTES));
            claims.add(Claim.about(
                            ID + "/shorter-" + dcqcn,
                            "It is shorter than with ExpressPass and " + dcqcn + "; the largest share of that",
                            "much smaller")
                    .atMost(most, 1, Unit.TIMES));
        }
        return Mixes.findings(
                claims,
                List.of(Fairness.chart(
                        results, scale, "Average queue", "queue (KB)", mix -> mix.queueBytesMean() / 1e3)),
                List.of());
    }
}
