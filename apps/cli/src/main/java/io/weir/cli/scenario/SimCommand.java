package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.Json;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.signal.StopRequest;
import io.weir.cli.yaml.YamlOverride;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the scenario that a file describes, in virtual time. */
@Command(
        name = "sim",
        description = {
            "Run a scenario file in virtual time.",
            "Hosts, switches and protocols are those that run on real ports; links and time are simulated. The same file and"
                    + " seed give the same result. docs/SCENARIOS.md has the file's keys."
        })
public final class SimCommand implements Callable<Integer> {
    private static final String NAME = "sim";

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "SCENARIO", description = "The scenario, in YAML.")
    private Path file;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "What all randomness follows from, in place of the file's.")
    private Long seed;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Put a value in the place of the file's, as in --set topology.pairs=8 or"
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
            description = "Read the file and print it with what --set and --seed changed; run nothing.")
    private boolean isCheck;

    /** For picocli. */
    public SimCommand() {}

    @Override
    public Integer call() throws IOException {
        if (isPlot && directory == null) {
            throw new ConfigException("--plot: charts need a folder; add --out DIR");
        }
        ScenarioPlan plan = ScenarioFile.read(file, overrides());
        if (isCheck) {
            return check(plan);
        }
        if (isPlot) {
            Charts.requireFonts();
        }
        ResultFiles files = directory == null ? null : ResultFiles.in(directory);
        try (StopRequest stop = StopRequest.listen()) {
            ScenarioResult result = run(plan, stop);
            return stop.end(finish(plan, result, files));
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

    private int check(ScenarioPlan plan) {
        Map<String, Object> result = Map.of("scenario", plan.scenario().name(), "file", plan.yaml());
        Fingerprint environment = Fingerprint.take(List.of(), plan.scenario().seed());
        return output.finish(ResultDocument.of(NAME, environment, result, List.of()), out -> out.print(plan.yaml()));
    }

    private ScenarioResult run(ScenarioPlan plan, StopRequest stop) {
        try {
            return new SimRun(plan.scenario(), stop, output.progress()).run();
        } catch (ConfigException e) {
            // What only the whole shows, after every key was found good.
            ConfigException refusal = new ConfigException(file + ": " + e.getMessage());
            refusal.initCause(e);
            throw refusal;
        }
    }

    private int finish(ScenarioPlan plan, ScenarioResult result, ResultFiles files) throws IOException {
        List<Criterion> criteria = new ArrayList<>();
        criteria.add(Criterion.holds("the scenario ran to its end", result.complete()));
        if (result.complete()) {
            JsonNode tree = Json.tree(result);
            criteria.add(Criterion.equal(
                    "problems of the run", (long) result.problems().size(), 0L, ""));
            plan.criteria().forEach(criterion -> criteria.add(criterion.judge(tree)));
        }
        Fingerprint environment = Fingerprint.take(List.of(), plan.scenario().seed());
        ResultDocument document = ResultDocument.of(NAME, environment, result, criteria);
        if (files != null) {
            files.write(document, plan, result);
            if (isPlot) {
                files.plot(result);
            }
        }
        return output.finish(document, out -> new SimText(out, plan.scenario(), result).print());
    }
}
