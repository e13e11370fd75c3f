package io.weir.papers.dx;

import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import java.util.List;

/** Figure 2: how much delays tell of the queue. */
public final class DelayAccuracy implements Figure {
    private static final String ID = "dx/fig2";

    public DelayAccuracy() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Measured delay of a window against the queue";
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
        return new Findings(
                List.of(
                        Claim.about(ID + "/correlation", "Delay follows the queue: correlation", "0.9998")
                                .atLeast(feedback.correlation(feedback.delay()), 0.99, Unit.NUMBER)
                                .explained(),
                        Claim.about(ID + "/error", "and is near it: root mean square error", "1.05")
                                .atMost(feedback.error(feedback.delay()), 3, Unit.NUMBER)
                                .explained(),
                        Claim.about(
                                        ID + "/time-mean",
                                        "Next to the queue's mean over the window's time: correlation, root mean square error",
                                        "not said")
                                .reported(feedback.besideTimeMean(feedback.delay()))),
                List.of(feedback.chart(
                        "Delay against the queue",
                        List.of(new ChartSeries("delay", feedback.truth(), feedback.delay())))),
                List.of());
    }
}
