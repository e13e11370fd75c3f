package io.weir.cli.stat;

import io.weir.cli.environment.EnvironmentException;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.transport.node.ConfigException;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what running transports count. */
@Command(
        name = "stat",
        description = {
            "Show what transports, switches and brokers of this machine count: rates, drops by reason, credits, pauses,",
            "queues, connections. Each keeps its counters in a file that its user and root can read; to look costs it",
            "nothing."
        })
public final class StatCommand implements Callable<Integer> {
    /** Puts the cursor at the top left, and clears what is below. */
    private static final String CLEAR = "\u001b[H\u001b[J";

    @Mixin
    private OutputOptions output;

    @Parameters(
            arity = "0..1",
            paramLabel = "PID|INTERFACE",
            description = "Only what is of this process or interface, or, as switch, all switches with their ports.")
    private String wanted;

    @Option(names = "--flows", description = "Show each connection.")
    private boolean hasFlows;

    @Option(
            names = "--errors",
            description = {
                "Show what went wrong, each kind once: faults of the application's handlers, listeners and tasks, with",
                "their stacks, and ends of the interface."
            })
    private boolean hasErrors;

    @Option(
            names = "--watch",
            arity = "0..1",
            paramLabel = "TIME",
            fallbackValue = "1s",
            converter = Durations.SecondsConverter.class,
            description = "Show it again and again until Ctrl-C, every second or this often.")
    private Long watchNanos;

    @Option(
            names = "--diff",
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "Look twice, this far apart, and show what has changed, as in --diff 1s.")
    private Long diffNanos;

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "Where the transports' files are, if not in /dev/shm/weir: what they have as -Dweir.dir.")
    private Path folder;

    @Option(
            names = "--listen",
            paramLabel = "[ADDRESS:]PORT",
            description = {
                "Serve it to Prometheus at /metrics until Ctrl-C, as it is at each request.",
                "Without an address it listens at loopback alone."
            })
    private String listening;

    /** For picocli. */
    public StatCommand() {}

    @Override
    public Integer call() throws IOException {
        requirePossible();
        CounterFolder files = folder();
        if (watchNanos == null && diffNanos == null && listening == null) {
            return print(Survey.of(files).only(wanted), null);
        }
        try (StopRequest stop = StopRequest.listen()) {
            if (listening != null) {
                return serve(files, stop);
            }
            return diffNanos == null ? watch(files, stop) : printDifference(files, stop);
        }
    }

    private void requirePossible() {
        boolean isOnce = watchNanos == null && listening == null;
        if (!isOnce && (output.isJson() || diffNanos != null || (watchNanos != null && listening != null))) {
            throw new ConfigException((listening != null ? "--listen" : "--watch")
                    + " goes on until Ctrl-C, and has its own text; leave out --json, --diff and the like");
        }
        if (hasErrors && hasFlows && !output.isJson()) {
            throw new ConfigException("--errors and --flows are two pages; ask for one, or for --json, which has both");
        }
        requireTime("--watch", watchNanos);
        requireTime("--diff", diffNanos);
    }

    private static void requireTime(String option, Long nanos) {
        if (nanos != null && nanos == 0) {
            throw new ConfigException(option + ": 0s is no time; write 1s or more");
        }
    }

    private int serve(CounterFolder files, StopRequest stop) throws IOException {
        InetSocketAddress address = MetricsServer.parse(listening);
        try (MetricsServer server = MetricsServer.start(
                address, () -> PrometheusText.of(Survey.of(files).only(wanted)))) {
            output.text().println("serving " + server.url());
            output.text().flush();
            // The server has its own thread.
            stop.await(Long.MAX_VALUE);
            return ExitCode.DONE;
        }
    }

    private CounterFolder folder() {
        if (folder != null) {
            return new CounterFolder(folder);
        }
        CounterFolder named = CounterFolder.of(System::getProperty);
        return named == null ? new CounterFolder(CounterFolder.DEFAULT) : named;
    }

    private int watch(CounterFolder files, StopRequest stop) {
        PrintWriter out = output.text();
        do {
            if (output.isTerminal()) {
                out.print(CLEAR);
            }
            printText(out, Survey.of(files).only(wanted));
            out.println();
            out.flush();
        } while (!stop.await(watchNanos));
        return ExitCode.DONE;
    }

    private int printDifference(CounterFolder files, StopRequest stop) {
        Survey before = Survey.of(files).only(wanted);
        stop.await(diffNanos);
        return print(Survey.of(files).only(wanted), before);
    }

    private int print(Survey survey, Survey before) {
        if (wanted != null && survey.transports().isEmpty()) {
            throw new EnvironmentException("no transport of a process or interface " + wanted
                    + (survey.notes().isEmpty()
                            ? ""
                            : " that can be read: " + survey.notes().get(0))
                    + "; weir stat alone lists all");
        }
        if (output.isJson()) {
            return output.finish(
                    ResultDocument.of(
                            "stat",
                            Fingerprint.take(),
                            StatDocument.result(survey, before, new StatDocument.Details(hasFlows, hasErrors)),
                            List.of()),
                    out -> {});
        }
        PrintWriter out = output.text();
        if (before == null) {
            printText(out, survey);
        } else {
            for (SeenTransport seen : survey.transports()) {
                SeenTransport earlier = before.find(seen);
                if (earlier != null) {
                    StatText.printDifference(out, earlier, seen);
                }
            }
            survey.notes().forEach(out::println);
        }
        out.flush();
        return ExitCode.DONE;
    }

    private void printText(PrintWriter out, Survey survey) {
        if (survey.transports().isEmpty()) {
            out.println("no transport counts in " + folder().root());
        } else if (hasErrors) {
            printErrors(out, survey);
        } else if (hasFlows) {
            survey.of(Subject.TRANSPORT).forEach(seen -> StatText.printFlows(out, seen));
        } else {
            StatText.printGlance(out, survey);
        }
        survey.notes().forEach(out::println);
    }

    private static void printErrors(PrintWriter out, Survey survey) {
        survey.transports().forEach(seen -> StatText.printErrors(out, seen));
        if (survey.transports().stream().allMatch(seen -> seen.counts().errors().isEmpty())) {
            out.println("nothing went wrong");
        }
    }
}
