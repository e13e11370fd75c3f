package io.weir.cli.scenario;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlOverride;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.plan.BufferPlan;
import io.weir.transport.scenario.plan.PlanSettings;
import io.weir.transport.scenario.plan.PortBound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints how much data each port of a network may have to queue, and how to configure it. */
@Command(
        name = "plan",
        description = {
            "Compute how much data each port of a network may have to queue (equation 1 of ExpressPass), and how to configure it.",
            "TOPOLOGY is a scenario, or a file that has only its topology or network. docs/PAPER.md explains the bound."
        })
public final class PlanCommand implements Callable<Integer> {
    private static final String NAME = "plan";

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "TOPOLOGY", description = "The network, in YAML.")
    private Path file;

    @Option(
            names = "--credits",
            paramLabel = "N",
            description = "How many credits each credit queue holds, in place of the file's value.")
    private Integer credits;

    @Option(
            names = "--host-delay-spread",
            paramLabel = "TIME",
            converter = Durations.Converter.class,
            description = "How much longer hosts take for some credits than for others, in place of the file's value.")
    private Long hostSpreadNanos;

    @Option(
            names = "--pause-budget",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description =
                    "What each host or switch may add to a queue when it catches up after pauses; by default nothing.")
    private Long pauseBudgetBytes;

    @Option(
            names = "--pausing",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "How many of them may catch up at one port at once, with --pause-budget. Default: ${DEFAULT-VALUE}.")
    private int pausingCount;

    @Option(
            names = "--credit-frames",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How many frames one credit grants, 1 to 64. More than 1 takes meters out of the switches, and bounds the ports to "
                            + "hosts by those hosts' own meters. Default: ${DEFAULT-VALUE}.")
    private int creditFrames;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Replace a value of the file, as in --set topology.ports=8. May be repeated.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write a file for weir switch for each switch; made if missing.")
    private Path directory;

    /** For picocli. */
    public PlanCommand() {}

    @Override
    public Integer call() throws IOException {
        PlanSettings settings = settings();
        List<PortBound> bounds = bounds(settings);
        if (directory != null) {
            write(bounds);
        }
        long unbounded = bounds.stream().filter(bound -> !bound.isBounded()).count();
        List<Criterion> criteria =
                List.of(Criterion.equal("ports without a bound, because they wait for each other", unbounded, 0L, ""));
        ResultDocument document = ResultDocument.of(NAME, Fingerprint.take(), PlanResult.of(bounds), criteria);
        return output.finish(document, out -> new PlanText(out).print(bounds));
    }

    private PlanSettings settings() {
        if (credits != null && credits < 1) {
            throw new ConfigException("--credits: " + credits + " is too few; a queue holds 1 credit at least");
        }
        if (pausingCount < 1) {
            throw new ConfigException("--pausing: " + pausingCount + " is too few; leave --pause-budget out for none");
        }
        return PlanSettings.OF_NETWORK
                .withPauseBytes(pauseBudgetBytes == null ? 0 : pauseBudgetBytes * pausingCount)
                .withCreditFrames(creditFrames)
                .withQueueCredits(credits == null ? 0 : credits)
                .withHostSpreadNanos(hostSpreadNanos == null ? PlanSettings.OF_HOSTS : hostSpreadNanos);
    }

    private List<PortBound> bounds(PlanSettings settings) {
        Network network = ScenarioFile.readNetwork(
                file,
                assignments.stream()
                        .map(assignment -> YamlOverride.parse("--set", assignment))
                        .toList());
        try {
            return BufferPlan.of(network, settings);
        } catch (ConfigException e) {
            // What only the whole shows, after every key was found good.
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private void write(List<PortBound> bounds) throws IOException {
        OutputOptions.makeFolder(directory);
        Map<String, List<PortBound>> switches = new LinkedHashMap<>();
        bounds.forEach(bound -> switches.computeIfAbsent(bound.node(), node -> new ArrayList<>())
                .add(bound));
        for (Map.Entry<String, List<PortBound>> each : switches.entrySet()) {
            Files.writeString(directory.resolve(each.getKey() + ".yaml"), PlanText.file(each.getValue()));
        }
    }
}
