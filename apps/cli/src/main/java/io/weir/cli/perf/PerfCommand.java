package io.weir.cli.perf;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.InterfaceWait;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.transport.host.CloseReason;
import io.weir.transport.node.ConfigException;
import io.weir.transport.socket.InterfaceEndListener;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures goodput and latency between two hosts. */
@Command(
        name = "perf",
        description = {
            "Measure goodput and latency between two hosts, with iperf3's options where they mean the same.",
            "Start a server on one host (weir perf -s --interface NAME) and a client on the other "
                    + "(weir perf -c HOST --interface NAME).",
            "With --backend memory both ends run in this process, and no privileges are needed."
        })
public final class PerfCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;

    @Spec
    private CommandSpec command;

    @Option(
            names = {"-s", "--server"},
            description = "Serve tests.")
    private boolean isServer;

    @Option(
            names = {"-c", "--client"},
            paramLabel = "HOST",
            arity = "0..1",
            fallbackValue = "",
            description = "Do a test with the server on this host; without HOST only where the backend is memory.")
    private String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "5201",
            description = "The server's UDP port. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Mixin
    private TestOptions test;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            defaultValue = "1",
            description = "How often to report; a bare number is seconds, 0 means only at the end. Default: 1 s.")
    private long intervalNanos;

    @Option(
            names = {"-1", "--one-off"},
            description = "Serve one test, then exit with its status.")
    private boolean isOneOff;

    @Option(
            names = "--json-stream",
            description =
                    "Print one JSON object per line: the start, each interval, and the result when the test is over.")
    private boolean isJsonStream;

    @Option(
            names = "--histogram",
            paramLabel = "FILE",
            description = "With --rr, write the latencies' percentiles in HdrHistogram's .hgrm format.")
    private Path percentilesFile;

    @Option(
            names = "--hlog",
            paramLabel = "FILE",
            description = "With --rr, write a latency histogram for each interval in HdrHistogram's .hlog format.")
    private Path logFile;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            defaultValue = "5",
            description = "How long connecting may take; a bare number is seconds. Default: 5 s.")
    private long connectNanosMax;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            defaultValue = SessionConfig.PATIENCE,
            description = {
                "How long to wait for an answer of a peer whose connection stands; a bare number is seconds. Default: "
                        + SessionConfig.PATIENCE + " s.",
                "Only time counts that this process has: on a busy machine the wait is longer by itself."
            })
    private long patienceNanos;

    @Mixin
    private TransportOptions transport;

    @Mixin
    private InterfaceWait interfaceWait;

    @Mixin
    private OutputOptions output;

    /** For picocli. */
    public PerfCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isJsonStream) {
            output.printLines();
        }
        TransportConfig config =
                transport.config(SessionConfig.timers(patienceNanos, connectNanosMax), interfaceWait.isWaiting());
        requireConsistent();
        try (StopRequest stop = StopRequest.listen()) {
            if (transport.isMemory()) {
                return runBoth(config, stop);
            }
            return isServer ? serve(config, stop) : runClient(config, stop);
        }
    }

    private void requireConsistent() {
        if (interfaceWait.isWaiting() && !isServer) {
            throw new ConfigException("--wait-for-interface is for a server; leave it out, or add -s");
        }
        if (isServer && host != null) {
            throw new ConfigException("-s and -c contradict each other; leave one out");
        }
        if (transport.isMemory() && (isServer || (host != null && !host.isEmpty()))) {
            throw new ConfigException("--backend memory runs both ends in this process; leave out -s and HOST");
        }
        if (!transport.isMemory() && !isServer && (host == null || host.isEmpty())) {
            throw new ConfigException(
                    "no host to measure to; give -c HOST, or -s to serve, or --backend memory for both"
                            + " ends in this process");
        }
        if (port < 1 || port > PORT_MAX) {
            throw new ConfigException("-p " + port + " is outside 1.." + PORT_MAX + "; give another port");
        }
        if (isServer && output.isJson() && !isJsonStream && !isOneOff) {
            throw new ConfigException(
                    "--json prints one document, and a server serves many tests; add -1, or use" + " --json-stream");
        }
        if ((percentilesFile != null || logFile != null) && test.requestBytes == null) {
            throw new ConfigException(
                    "--histogram and --hlog write latencies, which only --rr measures; add --rr SIZE");
        }
    }

    private int serve(TransportConfig config, StopRequest stop) throws IOException, InterruptedException {
        try (Endpoint endpoint = interfaceWait.open(
                () -> Endpoint.open(transport.interfaceName, config),
                stop::await,
                command.commandLine().getErr())) {
            if (endpoint == null) {
                // It was told to end before the interface came.
                return ExitCode.DONE;
            }
            PerfServer server = new PerfServer(endpoint, session(reporters(), stop));
            if (interfaceWait.isWaiting()) {
                endpoint.transport().setInterfaceEndListener(new Announcer());
            }
            server.listen(port);
            say("Serving on port " + port + " of " + transport.interfaceName + " ("
                    + endpoint.transport().portInfo().mode() + ")");
            if (isOneOff) {
                PerfResult result = server.serve();
                return finish(result, server.hasEnded() ? ExitCode.ENVIRONMENT : ExitCode.FAILED);
            }
            while (!stop.isAsked()) {
                serveOne(server, stop);
            }
            // A service that was told to end has done what it is for.
            return ExitCode.DONE;
        }
    }

    private void serveOne(PerfServer server, StopRequest stop) {
        try {
            finish(server.serve(), ExitCode.FAILED);
        } catch (IOException e) {
            if (!stop.isAsked()) {
                say("The test failed: " + e.getMessage());
            }
        }
    }

    private int runClient(TransportConfig config, StopRequest stop) throws IOException {
        TestSpec spec = test.spec();
        InetSocketAddress server = new InetSocketAddress(host, port);
        if (server.isUnresolved()) {
            throw new ConfigException("-c " + host + " is no host that is known here; give its address");
        }
        OwnAddresses own = new OwnAddresses(host, server.getAddress());
        if (!transport.mayShareInterface()) {
            own.refuseThoseOfTheKernel();
        }
        try (Endpoint endpoint = Endpoint.open(transport.interfaceName, config)) {
            if (!transport.mayShareInterface()) {
                own.refuse(endpoint.transport().addresses());
            }
            return run(endpoint, server, spec, stop);
        }
    }

    /** Runs a server on its own thread, for one test. */
    private int runBoth(TransportConfig config, StopRequest stop) throws IOException {
        TestSpec spec = test.spec();
        try (EndpointPair ends = EndpointPair.inMemory(config)) {
            Endpoint serverEnd = ends.server();
            PerfServer server = new PerfServer(serverEnd, session(List.of(), stop));
            server.listen(port);
            Thread thread = new Thread(new FutureTask<>(server::serve), "weir-perf-server");
            thread.setDaemon(true);
            thread.start();
            InetSocketAddress address = new InetSocketAddress(
                    serverEnd.transport().hostConfig().addresses().get(0).toInetAddress(), port);
            return run(ends.client(), address, spec, stop);
        }
    }

    private int run(Endpoint endpoint, InetSocketAddress server, TestSpec spec, StopRequest stop) throws IOException {
        try (LatencyFiles files = LatencyFiles.open(percentilesFile, logFile)) {
            List<PerfListener> listeners = new ArrayList<>(reporters());
            listeners.add(files);
            PerfClient client = new PerfClient(endpoint, server, session(listeners, stop), connectNanosMax);
            return finish(client.run(spec), ExitCode.FAILED);
        }
    }

    private SessionConfig session(List<PerfListener> listeners, StopRequest stop) {
        return new SessionConfig(intervalNanos, patienceNanos, listeners, stop);
    }

    private List<PerfListener> reporters() {
        if (isJsonStream) {
            return List.of(new LineReporter(output));
        }
        return output.isLive() ? List.of(new TextReporter(output.text(), output.isVerbose())) : List.of();
    }

    /** Prints the result; {@code cutOffStatus} is the status of a test that ended before its end. */
    private int finish(PerfResult result, int cutOffStatus) {
        ResultDocument document = ResultDocument.of(
                        command.name(), result.local().environment(), result, PerfCriteria.of(result))
                .endedBecause(result.ended(), cutOffStatus);
        return output.finishShort(document, out -> new TextReporter(out, output.isVerbose()).printResult(result));
    }

    /** Tells people that the server waits for its interface, and that it serves again. */
    private final class Announcer implements InterfaceEndListener {
        @Override
        public void onInterfaceEnded(CloseReason reason) {
            say("Waiting: " + reason.phrase());
        }

        @Override
        public void onInterfaceReturned() {
            say("Serving again on port " + port + " of " + transport.interfaceName);
        }
    }

    private void say(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
