package io.weir.papers.run;

import io.weir.cli.scenario.ScenarioFile;
import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlOverride;
import io.weir.papers.PaperRun;
import io.weir.transport.scenario.Scenario;

/** The scenario files that come with the program. */
public final class ScenarioFiles {
    private static final String FOLDER = "/io/weir/papers/scenarios/";

    private ScenarioFiles() {}

    /** {@return the experiment of a run: its file, with its settings} */
    public static Scenario read(PaperRun<?> run) {
        YamlOverride[] overrides = run.settings().stream()
                .map(setting -> YamlOverride.parse("--set", setting))
                .toArray(YamlOverride[]::new);
        return ScenarioFile.parse(run.file(), YamlFile.resource(ScenarioFiles.class, FOLDER + run.file()), overrides)
                .scenario();
    }
}
