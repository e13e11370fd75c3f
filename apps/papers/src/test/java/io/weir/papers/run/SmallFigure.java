package io.weir.papers.run;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;
import java.util.function.Function;

/** A figure with a single run. */
record SmallFigure(String id, String duration, Function<ScenarioResult, Double> extract) implements Figure {
    @Override
    public String title() {
        return "small";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting("small", Setting.AS_IN_THE_PAPER);
    }

    PaperRun<Double> run() {
        return new PaperRun<>(
                "one",
                "expresspass/fig10-parking-lot.yaml",
                List.of("duration=" + duration, "measure.warmUp=0s"),
                extract);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Claim claim = Claim.about(id + "/claim", "something", "1").atLeast(results.get(run()), 1, Unit.NUMBER);
        return new Findings(List.of(claim), List.of(), List.of());
    }
}
