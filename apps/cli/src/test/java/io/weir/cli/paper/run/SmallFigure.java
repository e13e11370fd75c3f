package io.weir.cli.paper.run;

import io.weir.cli.paper.Claim;
import io.weir.cli.paper.Figure;
import io.weir.cli.paper.Findings;
import io.weir.cli.paper.PaperRun;
import io.weir.cli.paper.RunResults;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.Setting;
import io.weir.cli.paper.Unit;
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
