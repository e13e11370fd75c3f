package io.weir.cli.scenario;

import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.output.OutputOptions;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private ScenarioOptions options;

    @Parameters(paramLabel = "SCENARIO", description = "The scenario, in YAML.")
    private Path file;

    /** For picocli. */
    public SimCommand() {}

    @Override
    public Integer call() throws IOException {
        return options.run(NAME, file, output, (scenario, stop, progress) -> {
            requireSimulated(scenario);
            ScenarioResult result = new SimRun(scenario, stop, progress).run();
            return new ScenarioOptions.Ran(result, result, List.of(PortFingerprint.SIMULATED));
        });
    }

    private static void requireSimulated(Scenario scenario) {
        scenario.traffic().stream().filter(KernelTcp::carries).findFirst().ifPresent(traffic -> {
            throw new ConfigException("traffic '" + traffic.id() + "' has protocol "
                    + traffic.protocol().preset()
                    + ", the kernel's, and virtual time has no kernel; run the file by weir"
                    + " lab, or give the traffic a protocol of Weir's");
        });
    }
}
