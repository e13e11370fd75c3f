package io.weir.papers.dx;

import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figure 1: how much marks tell of the queue. */
public final class EcnAccuracy implements Figure {
    private static final String ID = "dx/fig1";

    public EcnAccuracy() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Marked share of a window against the queue";
    }

    @Override
    public Setting setting(Scale scale) {
        return Feedback.setting(scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(Feedback.run(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Feedback feedback = results.get(Feedback.run(scale));
        List<Claim> claims = List.of(
                Claim.about(ID + "/correlation", "The marked share follows the queue loosely: correlation", "0.6924")
                        .within(feedback.correlation(feedback.marked()), 0.5, 0.8, Unit.NUMBER),
                Claim.about(ID + "/average-correlation", "Its moving average follows it less: correlation", "0.1790")
                        .atMost(feedback.correlation(feedback.averaged()), 0.4, Unit.NUMBER),
                Claim.about(ID + "/error", "The marked share is far from the queue: root mean square error", "33.79")
                        .within(feedback.error(feedback.marked()), 25, 42, Unit.NUMBER),
                Claim.about(ID + "/zeros", "Windows without a mark", "16 %")
                        .within(feedback.shareOf(0), 0.08, 0.25, Unit.SHARE),
                Claim.about(ID + "/hundreds", "Windows with nothing but marks", "33 %")
                        .within(feedback.shareOf(100), 0.22, 0.45, Unit.SHARE),
                Claim.about(ID + "/average-error", "Root mean square error of the moving average", "24.63")
                        .reported(Unit.NUMBER.print(feedback.error(feedback.averaged()))),
                Claim.about(
                                ID + "/time-mean",
                                "The marked share next to the queue's mean over the window's time: correlation, root mean square error",
                                "not said")
                        .reported(feedback.besideTimeMean(feedback.marked())),
                Claim.about(
                                ID + "/ranges",
                                "Queue, moving average, commonest window",
                                "7 to 70 %, 47.5 to 75.5 %, 5 frames")
                        .reported(range(feedback.truth()) + ", " + range(feedback.averaged()) + ", "
                                + commonest(feedback.frames()) + " frames"));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(feedback.chart(
                        "Marks against the queue",
                        List.of(
                                new ChartSeries("marked share", feedback.truth(), feedback.marked()),
                                new ChartSeries("moving average", feedback.truth(), feedback.averaged())))),
                List.of());
    }

    private static String range(List<Double> values) {
        return Unit.NUMBER.print(Statistics.min(values)) + " to " + Unit.NUMBER.print(Statistics.max(values)) + " %";
    }

    private static long commonest(List<Long> frames) {
        Map<Long, Integer> counts = new TreeMap<>();
        frames.forEach(count -> counts.merge(count, 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }
}
