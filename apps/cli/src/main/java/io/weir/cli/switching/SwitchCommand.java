package io.weir.cli.switching;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.InterfaceWait;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.PortOptions;
import io.weir.cli.environment.ReloadSignal;
import io.weir.cli.environment.SchedulingOptions;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.PortInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the software switch that a file describes. */
@Command(
        name = "switch",
        description = {
            "Run a software switch on real ports, as a YAML file describes it.",
            "Every port is opened before the first frame is forwarded; when the command ends, however it ends, the interfaces"
                    + " are as they were. SIGHUP reads the file again, and SIGTERM lets what is queued leave. "
                    + "docs/SWITCH.md has the file's keys."
        })
public final class SwitchCommand implements Callable<Integer> {
    private static final String NAME = "switch";
    private static final long INTERVAL_NANOS_MIN = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private OutputOptions output;

    @Mixin
    private PortOptions port;

    @Mixin
    private SchedulingOptions scheduling;

    @Mixin
    private InterfaceWait interfaceWait;

    @Parameters(paramLabel = "FILE", description = "The switch, in YAML.")
    private Path file;

    @Option(names = "--check", description = "Read the file and print it with every key filled in; open nothing.")
    private boolean isCheck;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "End after this time, as in 10s or 2m; without it, on Ctrl-C.")
    private Long timeNanos;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            defaultValue = "1s",
            description = "Print the counters this often; 0 for never (default: ${DEFAULT-VALUE}).")
    private long intervalNanos;

    @Option(
            names = "--json-stream",
            description = "Print one JSON object per line: each interval, and the result when the switch has ended.")
    private boolean isStream;

    /** For picocli. */
    public SwitchCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isStream) {
            output.printLines();
        }
        requireTimes();
        SwitchPlan plan = SwitchFile.read(file).with(port.config());
        if (isCheck) {
            return check(plan);
        }
        SwitchRun.Settings settings = new SwitchRun.Settings(
                scheduling.config(),
                isWatched() ? intervalNanos : SwitchRun.FOREVER,
                timeNanos == null ? SwitchRun.FOREVER : timeNanos,
                interfaceWait.isWaiting());
        try (StopRequest stop = StopRequest.listen();
                ReloadSignal reload = ReloadSignal.listen()) {
            Printer printer = new Printer(plan);
            SwitchRun run = new SwitchRun(plan, settings, printer);
            SwitchRun.Outcome outcome = interfaceWait.open(
                    () -> run.run(
                            stop, () -> reload.take() ? SwitchFile.read(file).with(port.config()) : null),
                    stop::await,
                    spec.commandLine().getErr());
            return outcome == null ? ExitCode.DONE : finish(printer.plan, outcome);
        }
    }

    private void requireTimes() {
        if (intervalNanos > 0 && intervalNanos < INTERVAL_NANOS_MIN) {
            throw new ConfigException("--interval: " + Durations.print(intervalNanos) + " is below "
                    + Durations.print(INTERVAL_NANOS_MIN) + "; write that or more, or 0 for never");
        }
        if (timeNanos != null && timeNanos == 0) {
            throw new ConfigException("--time: 0s is no time to run; write 1s or more, or leave it out");
        }
    }

    private boolean isWatched() {
        return intervalNanos > 0 && (isStream || !output.isJson());
    }

    private int check(SwitchPlan plan) {
        Map<String, Object> result = Map.of("configuration", plan.toDocument());
        ResultDocument document = ResultDocument.of(NAME, Fingerprint.take(List.of(), plan.seed()), result, List.of());
        return output.finish(document, out -> out.print(plan.toYaml()));
    }

    private int finish(SwitchPlan plan, SwitchRun.Outcome outcome) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("configuration", plan.toDocument());
        result.putAll(outcome.whole().toDocument());
        List<Criterion> criteria = List.of(
                Criterion.equal("failed ports", outcome.failedPorts(), 0L, ""),
                Criterion.holds("the switch's thread ran to the end", outcome.fault() == null));
        List<PortFingerprint> ports = outcome.ports().stream()
                .map(port -> PortFingerprint.of(port).scheduled(outcome.scheduling()))
                .toList();
        ResultDocument document = ResultDocument.of(NAME, Fingerprint.take(ports, plan.seed()), result, criteria);
        int status = output.finish(document, out -> SwitchText.printWhole(out, outcome.whole()));
        if (!outcome.isNoPortLeft()) {
            return status;
        }
        say("no port is left; with --wait-for-interface the switch waits for them");
        return ExitCode.ENVIRONMENT;
    }

    private void say(String line) {
        spec.commandLine().getErr().println("weir: " + line);
        spec.commandLine().getErr().flush();
    }

    /** Prints how the run goes, in the form that was asked for. */
    private final class Printer implements SwitchRun.Watcher {
        /** The latest. */
        private SwitchPlan plan;

        Printer(SwitchPlan plan) {
            this.plan = plan;
        }

        @Override
        public void onStart(List<PortInfo> ports, String scheduling) {
            SwitchText.printStart(output.text(), plan.ports(), ports, scheduling);
        }

        @Override
        public void onInterval(SwitchInterval interval) {
            if (isStream) {
                output.printLine("interval", interval.toDocument());
            } else {
                SwitchText.printInterval(output.text(), interval);
            }
        }

        @Override
        public void onPortFailure(PortPlan port, String failure) {
            say("port " + port.name() + " ended: " + failure);
        }

        @Override
        public void onPortReturn(PortPlan port) {
            say("port " + port.name() + " is back");
        }

        @Override
        public void onReload(SwitchPlan next, int framesGrown) {
            plan = next;
            say("reloaded " + file + ": " + next.ports().size() + " ports");
            if (framesGrown > 0) {
                say("the pool has grown to " + framesGrown + " frames, for which every port was opened again");
            }
        }

        @Override
        public void onReloadRefused(String reason) {
            say("nothing was reloaded: " + reason);
        }

        @Override
        public void onDrained(int framesLeft) {
            if (framesLeft > 0) {
                say(framesLeft + " frames that the switch held could not leave");
            }
        }
    }
}
