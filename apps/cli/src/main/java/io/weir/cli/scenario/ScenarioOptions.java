package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.Fonts;
import io.weir.cli.output.Json;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.yaml.YamlOverride;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * The options of every command that runs a scenario file, and what they do: in whatever world, the document is the
 * same.
 */
public final class ScenarioOptions {
    @Option(names = "--seed", paramLabel = "N", description = "The seed of all randomness, in place of the file's.")
    private Long seed;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Replace a value of the file, as in --set topology.pairs=8 or"
                    + " --set traffic[0].count=4. May be repeated.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Write result.json, flows.csv, ports.csv, series.csv and the scenario as it ran; made if missing.")
    private Path directory;

    @Option(names = "--plot", description = "Draw charts too, as SVG and PNG; needs --out.")
    private boolean isPlot;

    @Option(
            names = "--check",
            description = "Read the file and print it with the changes of --set and --seed; run nothing.")
    private boolean isCheck;

    /** For picocli. */
    public ScenarioOptions() {}

    /** Runs a scenario in some world. */
    @FunctionalInterface
    public interface Runner {
        /** {@return what was found: all of it, or what was there when {@code stop} asked for the end} */
        Ran run(Scenario scenario, StopRequest stop, Progress progress) throws IOException;
    }

    /**
     * What a run gives.
     *
     * @param result what the scenario found
     * @param document the command's part of the document: the result, or more
     * @param ports what moved the frames
     * @param ended why it ended before its end, or null
     */
    public record Ran(ScenarioResult result, Object document, List<PortFingerprint> ports, String ended) {
        public Ran {
            ports = List.copyOf(ports);
        }
    }

    /** {@return the scenario that a file describes, with what the options change} */
    public Scenario read(Path file) {
        return ScenarioFile.read(file, overrides()).scenario();
    }

    /** {@return the command's status, after a file was read, run by {@code runner}, and what came of it printed} */
    public int run(String command, Path file, OutputOptions output, Runner runner) throws IOException {
        if (isPlot && directory == null) {
            throw new ConfigException("--plot: charts need a folder; add --out DIR");
        }
        ScenarioPlan plan = ScenarioFile.read(file, overrides());
        if (isCheck) {
            return check(command, output, plan);
        }
        if (isPlot) {
            Fonts.require("--plot");
        }
        ResultFiles files = directory == null ? null : ResultFiles.in(directory);
        try (StopRequest stop = StopRequest.listen()) {
            Ran ran = run(plan, file, runner, stop, output.progress());
            return finish(command, output, plan, ran, files);
        }
    }

    private static Ran run(ScenarioPlan plan, Path file, Runner runner, StopRequest stop, Progress progress)
            throws IOException {
        try {
            return runner.run(plan.scenario(), stop, progress);
        } catch (ConfigException e) {
            // What only the whole shows, after every key was found good.
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private List<YamlOverride> overrides() {
        List<YamlOverride> overrides = new ArrayList<>();
        assignments.forEach(assignment -> overrides.add(YamlOverride.parse("--set", assignment)));
        if (seed != null) {
            overrides.add(YamlOverride.of("--seed", "seed", Long.toString(seed)));
        }
        return overrides;
    }

    private static int check(String command, OutputOptions output, ScenarioPlan plan) {
        Map<String, Object> result = Map.of("scenario", plan.scenario().name(), "file", plan.yaml());
        Fingerprint environment = Fingerprint.take(List.of(), plan.scenario().seed());
        return output.finish(ResultDocument.of(command, environment, result, List.of()), out -> out.print(plan.yaml()));
    }

    private int finish(String command, OutputOptions output, ScenarioPlan plan, Ran ran, ResultFiles files)
            throws IOException {
        ScenarioResult result = ran.result();
        List<Criterion> criteria = new ArrayList<>();
        criteria.add(Criterion.holds("the scenario ran to its end", result.complete()));
        if (result.complete()) {
            JsonNode tree = Json.tree(result);
            criteria.add(Criterion.equal(
                    "problems of the run", (long) result.problems().size(), 0L, ""));
            plan.criteria().forEach(criterion -> criteria.add(criterion.judge(tree)));
        }
        Fingerprint environment = Fingerprint.take(ran.ports(), plan.scenario().seed());
        ResultDocument document = ResultDocument.of(command, environment, ran.document(), criteria)
                .endedBecause(ran.ended());
        if (files != null) {
            files.write(document, plan, result);
            if (isPlot) {
                files.plot(result);
            }
        }
        return output.finish(document, out -> new SimText(out, plan.scenario(), result).print());
    }
}
