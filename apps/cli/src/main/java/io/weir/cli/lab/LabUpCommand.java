package io.weir.cli.lab;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.scenario.ScenarioOptions;
import io.weir.nic.lab.LabNetwork;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.topology.Wiring;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Holds the network of a scenario open for other tools. */
@Command(
        name = "up",
        description = {
            "Build the network of a scenario file and hold it open for other tools: hosts are namespaces with an ordinary"
                    + " interface, and the switches between them forward.",
            "Ends on Ctrl-C or by weir lab down; the scenario's traffic is not run."
        })
public final class LabUpCommand implements Callable<Integer> {
    private static final long LOOK_NANOS = 200_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ScenarioOptions options;

    @Parameters(paramLabel = "SCENARIO", description = "The scenario, in YAML; only its network is used.")
    private Path file;

    /** For picocli. */
    public LabUpCommand() {}

    @Override
    public Integer call() throws IOException {
        Scenario scenario = options.read(file);
        Wiring wiring = new Wiring(scenario.network());
        new LabLimits(scenario, wiring).checkSize();
        try (StopRequest stop = StopRequest.listen()) {
            try (Laboratory lab = Laboratory.inNamespaces(scenario, Laboratory.Options.PLAIN)) {
                hold(lab, stop, () -> print(wiring, lab));
            }
            return ExitCode.DONE;
        }
    }

    private static void hold(Laboratory lab, StopRequest stop, Runnable onOpen) throws IOException {
        Closeable registration = new OpenLabs().register();
        try {
            onOpen.run();
            while (!stop.await(LOOK_NANOS)) {
                lab.requireHealthy();
            }
        } finally {
            registration.close();
        }
    }

    private void print(Wiring wiring, Laboratory lab) {
        PrintWriter out = spec.commandLine().getOut();
        for (int host = 0; host < wiring.hostCount(); host++) {
            out.println(wiring.name(host) + ": ip netns exec "
                    + lab.namespace(host).orElseThrow().name() + " ...   " + LabNetwork.HOST_INTERFACE + " "
                    + LabNetwork.addressText(host));
        }
        out.println("The lab is open until Ctrl-C or weir lab down.");
        out.flush();
    }
}
