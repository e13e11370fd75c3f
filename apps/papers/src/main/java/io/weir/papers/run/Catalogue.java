package io.weir.papers.run;

import io.weir.cli.scenario.ScenarioFile;
import io.weir.cli.yaml.YamlOverride;
import io.weir.papers.PaperRun;
import io.weir.transport.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The scenario files that come with the program. */
public final class Catalogue {
    private static final String FOLDER = "/io/weir/papers/scenarios/";

    private Catalogue() {}

    /** {@return the experiment of a run: its file, with its settings} */
    public static Scenario read(PaperRun<?> run) {
        YamlOverride[] overrides = run.settings().stream()
                .map(setting -> YamlOverride.parse("--set", setting))
                .toArray(YamlOverride[]::new);
        return ScenarioFile.parse(run.file(), text(run.file()), overrides).scenario();
    }

    private static String text(String file) {
        try (InputStream resource = Catalogue.class.getResourceAsStream(FOLDER + file)) {
            if (resource == null) {
                throw new IllegalStateException(
                        "the program has no scenario " + file + "; it must be in " + PaperRun.CATALOGUE);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
