package io.weir.cli.perf;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.InterfaceWait;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.LinePrefix;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.perf.carrier.Endpoint;
import io.weir.cli.perf.carrier.EndpointPair;
import io.weir.cli.perf.carrier.KernelEndpoint;
import io.weir.cli.perf.carrier.KernelSettings;
import io.weir.cli.perf.carrier.WeirEndpoint;
import io.weir.cli.unit.Durations;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.node.ConfigException;
import io.weir.transport.socket.InterfaceEndListener;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures goodput and latency between two hosts. */
@Command(
        name = "perf",
        description = {
            "Measure goodput and latency between two hosts, with iperf3's options and output (docs/CLI.md).",
            "Start a server on one host (weir perf -s --interface NAME) and a client on the other "
                    + "(weir perf -c HOST --interface NAME).",
            "With --backend memory both ends run in this process, and no privileges are needed."
        })
public final class PerfCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command;

    @Option(
            names = {"-s", "--server"},
            description = "Serve tests.")
    private boolean isServer;

    @Option(
            names = {"-c", "--client"},
            paramLabel = "HOST[%INTERFACE]",
            arity = "0..1",
            fallbackValue = "",
            description = "Do a test with the server on this host; without HOST only where the backend is memory.")
    private String host;

    @Mixin
    private SocketOptions sockets;

    @Mixin
    private TestOptions test;

    @Option(
            names = "--compare",
            description = "Do the test again over the kernel's TCP, between the same hosts, and print both.")
    private boolean isComparing;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            defaultValue = "1",
            description = "How often to report; a bare number is seconds, 0 means only at the end. Default: 1 s.")
    private long intervalNanos;

    @Mixin
    private ServerOptions server;

    @Mixin
    private ReportOptions report;

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

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "With --workload, what sizes and times of messages are drawn from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private TransportOptions transport;

    @Mixin
    @SuppressWarnings("unused") // its methods refuse options
    private Iperf3Refusals refusals;

    @Mixin
    private InterfaceWait interfaceWait;

    @Mixin
    private OutputOptions output;

    /** Of iperf3's JSON, or null. */
    private Iperf3Reporter iperf3;

    /** Where else this says what happens, or null. */
    private PrintWriter sayings;

    private final ServerText serverText = new ServerText();

    /** For picocli. */
    public PerfCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireConsistent();
        if (server.isDaemon && !Daemon.isRunning()) {
            return Daemon.start(command.commandLine().getErr());
        }
        PidFile pidFile = PidFile.write(server.pidFile);
        try (PrintWriter log = report.openOutput()) {
            setUpOutput(log);
            return run();
        } finally {
            pidFile.close();
        }
    }

    private int run() throws IOException, InterruptedException {
        try (StopRequest stop = StopRequest.listen()) {
            if (transport.isKernel()) {
                return isServer ? serveKernel(stop) : runKernel(stop);
            }
            TransportConfig config = transport.config(timers(), interfaceWait.isWaiting(), windowBytes());
            if (transport.isMemory()) {
                return runBoth(config, stop);
            }
            return isServer ? serve(config, stop) : runClient(config, stop);
        }
    }

    private ConnectionTimers timers() {
        ConnectionTimers timers = SessionConfig.timers(patienceNanos, sockets.connectNanosMax);
        return sockets.sendNanosMax == null
                ? timers
                : ConnectionTimers.builder()
                        .userTimeoutNanos(sockets.sendNanosMax)
                        .build();
    }

    private int windowBytes() {
        return test.windowBytes == null ? 0 : test.windowBytes.intValue();
    }

    private void setUpOutput(PrintWriter log) {
        CommandLine line = command.commandLine();
        if (log != null) {
            line.setOut(log);
            sayings = log;
        }
        if (report.isIperf3(output.isJson())) {
            output.printIperf3();
        }
        if (report.isJsonStream) {
            output.printLines();
        }
        boolean isText = !report.isIperf3(output.isJson()) && !report.isJsonStream && !output.isJson();
        if (isText && (test.title != null || report.timestamps != null)) {
            Timestamps timestamps = report.timestamps == null ? null : new Timestamps(report.timestamps);
            String title = test.title == null ? "" : test.title + ":  ";
            line.setOut(new PrintWriter(
                    new LinePrefix(
                            line.getOut(),
                            () -> (timestamps == null
                                            ? ""
                                            : timestamps.print(ZonedDateTime.now(ZoneId.systemDefault())))
                                    + title),
                    true));
        }
        if (report.isIperf3(output.isJson())) {
            iperf3 = new Iperf3Reporter(output.documents(), report.isJsonStream, host, sockets.port, intervalNanos);
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
        sockets.requireConsistent();
        requireEndsOptions();
        requireReports();
        if (!transport.isKernel() && (test.typeOfService != null || test.dscp != null)) {
            throw new ConfigException((test.dscp != null ? "--dscp" : "-S")
                    + " goes with --protocol kernel alone: Weir's frames have the DSCPs by which switches tell credits from"
                    + " data");
        }
        if (isComparing && transport.isKernel()) {
            throw new ConfigException(
                    "--compare adds the kernel's TCP to another protocol; give that, or leave it out");
        }
    }

    private void requireEndsOptions() {
        if (!isServer && (server.isDaemon || server.isOneOff || server.idleNanosMax > 0)) {
            throw new ConfigException((server.isDaemon ? "-D" : server.isOneOff ? "-1" : "--idle-timeout")
                    + " is for a server; leave it out, or add -s");
        }
        if (!isServer && server.bitrateLimit.rateBps() > 0) {
            throw new ConfigException("--server-bitrate-limit is for a server; leave it out, or add -s");
        }
        if (!isServer && test.file != null && !test.isReverse && !Files.isReadable(test.file)) {
            throw new ConfigException("-F " + test.file + " cannot be read; name a file that is there and may be read");
        }
        if (isServer && isComparing) {
            throw new ConfigException("--compare is for a client; a server does what clients ask for");
        }
        if (isServer && (sockets.clientPort > 0 || test.workload != null || test.requestBytes != null)) {
            throw new ConfigException((sockets.clientPort > 0 ? "--cport" : "what is measured")
                    + " is for a client to say; a server does what clients ask for");
        }
    }

    private void requireReports() {
        if (isServer
                && output.isJson()
                && !report.isIperf3(output.isJson())
                && !report.isJsonStream
                && !server.isOneOff) {
            throw new ConfigException(
                    "--json prints one document, and a server serves many tests; add -1, or use" + " --json-stream");
        }
        boolean hasLatencies = test.requestBytes != null || test.messageBytes != null;
        if ((report.percentilesFile != null || report.logFile != null) && !hasLatencies) {
            throw new ConfigException(
                    "--histogram and --hlog write latencies, which only --rr and --messages measure; add --rr SIZE");
        }
        if (report.chartFile != null && test.workload == null) {
            throw new ConfigException("--chart draws what --workload measures; add --workload NAME");
        }
        report.rateFormat();
    }

    // ---- a server

    private int serve(TransportConfig config, StopRequest stop) throws IOException, InterruptedException {
        String name = transport.interfaceName != null ? transport.interfaceName : sockets.serverInterface();
        ServedInterface served = new ServedInterface(name, config);
        try {
            Endpoint endpoint = interfaceWait.open(
                    served::open, stop::await, command.commandLine().getErr());
            if (endpoint == null) {
                // It was told to end before the interface came.
                return ExitCode.DONE;
            }
            served.endpoint = endpoint;
            PerfServer perf = new PerfServer(serverSession(stop), server.idleNanosMax);
            perf.setKernelTurn(served);
            served.server = perf;
            served.listen();
            return serveAll(perf, endpoint, stop);
        } finally {
            served.close();
        }
    }

    private int serveKernel(StopRequest stop) throws IOException {
        KernelSettings settings =
                transport.kernelSettings(sockets.address(), test.spec().details());
        try (Endpoint endpoint = KernelEndpoint.open(settings)) {
            PerfServer perf = new PerfServer(serverSession(stop), server.idleNanosMax);
            perf.listen(endpoint, sockets.port);
            return serveAll(perf, endpoint, stop);
        }
    }

    private int serveAll(PerfServer perf, Endpoint endpoint, StopRequest stop) throws IOException {
        say(Daemon.READY + " port " + sockets.port + " of " + endpoint.place());
        if (server.isOneOff) {
            PerfResult result = perf.serve();
            return result == null
                    ? ExitCode.DONE
                    : finish(result, perf.hasEnded() ? ExitCode.ENVIRONMENT : ExitCode.FAILED);
        }
        while (!stop.isAsked()) {
            serveOne(perf, stop);
        }
        // A service that was told to end has done what it is for.
        return ExitCode.DONE;
    }

    private void serveOne(PerfServer perf, StopRequest stop) {
        try {
            PerfResult result = perf.serve();
            if (result != null) {
                finish(result, ExitCode.FAILED);
            }
        } catch (IOException e) {
            if (!stop.isAsked()) {
                say("The test failed: " + e.getMessage());
            }
        }
    }

    /** Weir's end of a server: it makes room for a test over the kernel's TCP, and comes back after it. */
    private final class ServedInterface implements PerfServer.KernelTurn, AutoCloseable {
        private final String name;
        private final TransportConfig config;
        private PerfServer server;
        /** Null while the kernel's TCP has its turn. */
        private Endpoint endpoint;

        ServedInterface(String name, TransportConfig config) {
            this.name = name;
            this.config = config;
        }

        WeirEndpoint open() throws IOException {
            return WeirEndpoint.open(name, config);
        }

        void listen() throws IOException {
            if (interfaceWait.isWaiting() && endpoint instanceof WeirEndpoint weir) {
                weir.transport().setInterfaceEndListener(new Announcer(name));
            }
            server.listen(endpoint, sockets.port);
        }

        @Override
        public void begin() {
            endpoint.close();
            endpoint = null;
        }

        @Override
        public void end() throws IOException {
            if (endpoint == null) {
                endpoint = open();
                listen();
                say(Daemon.READY + " port " + sockets.port + " of " + endpoint.place() + " again");
            }
        }

        @Override
        public void close() {
            if (endpoint != null) {
                endpoint.close();
            }
        }
    }

    // ---- a client

    private int runClient(TransportConfig config, StopRequest stop) throws IOException {
        TestSpec spec = test.spec();
        InetSocketAddress address = sockets.server(host);
        transport.requireFor(address.getAddress(), isComparing);
        OwnAddresses own = new OwnAddresses(host, address.getAddress());
        if (!transport.mayShareInterface()) {
            own.refuseThoseOfTheKernel();
        }
        String name = transport.interfaceName != null
                ? transport.interfaceName
                : sockets.clientInterface(host, address.getAddress());
        PerfResult result;
        int kernelPort;
        try (LatencyFiles files = LatencyFiles.open(report.percentilesFile, report.logFile)) {
            SessionConfig session = clientSession(files, stop);
            try (WeirEndpoint endpoint = WeirEndpoint.open(name, config)) {
                if (!transport.mayShareInterface()) {
                    own.refuse(endpoint.addresses());
                }
                PerfClient client = client(endpoint, address, session);
                result = client.run(spec);
                kernelPort = isComparing && result.ended() == null ? client.askForKernelPort() : 0;
            }
            if (kernelPort > 0) {
                result = result.with(overKernel(
                        new InetSocketAddress(address.getAddress(), kernelPort),
                        result.client().linkRateBps(),
                        spec,
                        session));
            }
        }
        return finish(result, ExitCode.FAILED);
    }

    private PerfClient client(Endpoint endpoint, InetSocketAddress address, SessionConfig session) {
        return new PerfClient(endpoint, address, session, sockets.connectNanosMax, sockets.clientPort);
    }

    private PerfResult overKernel(InetSocketAddress address, long linkRateBps, TestSpec spec, SessionConfig session)
            throws IOException {
        if (iperf3 == null && !report.isJsonStream && output.isLive()) {
            output.text().println();
            output.text().println("The same over the kernel's TCP:");
        }
        KernelSettings settings = new KernelSettings(sockets.address(), windowBytes(), 0, linkRateBps, false);
        try (Endpoint endpoint = KernelEndpoint.open(settings)) {
            return client(endpoint, address, session).run(spec.renewed());
        }
    }

    private int runKernel(StopRequest stop) throws IOException {
        TestSpec spec = test.spec();
        InetSocketAddress address = sockets.server(host);
        KernelSettings settings = transport.kernelSettings(sockets.address(), spec.details());
        try (LatencyFiles files = LatencyFiles.open(report.percentilesFile, report.logFile);
                Endpoint endpoint = KernelEndpoint.open(settings)) {
            return finish(client(endpoint, address, clientSession(files, stop)).run(spec), ExitCode.FAILED);
        }
    }

    /** Runs a server on its own thread, for one test. */
    private int runBoth(TransportConfig config, StopRequest stop) throws IOException {
        TestSpec spec = test.spec();
        PerfResult result;
        try (EndpointPair ends = EndpointPair.inMemory(config);
                LatencyFiles files = LatencyFiles.open(report.percentilesFile, report.logFile)) {
            PerfServer perf = new PerfServer(serverSession(stop));
            perf.setKernelTurn(NO_TURN);
            perf.listen(ends.server(), sockets.port);
            serveInBackground(perf, isComparing ? 2 : 1);
            InetSocketAddress address =
                    new InetSocketAddress(ends.server().addresses().get(0), sockets.port);
            SessionConfig session = clientSession(files, stop);
            PerfClient client = client(ends.client(), address, session);
            result = client.run(spec);
            if (isComparing && result.ended() == null) {
                int port = client.askForKernelPort();
                result = result.with(overKernel(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        result.client().linkRateBps(),
                        spec,
                        session));
            }
        }
        return finish(result, ExitCode.FAILED);
    }

    /** Links in memory are in nobody's way. */
    private static final PerfServer.KernelTurn NO_TURN = new PerfServer.KernelTurn() {
        @Override
        public void begin() {}

        @Override
        public void end() {}
    };

    private static void serveInBackground(PerfServer perf, int tests) {
        Thread thread = new Thread(
                new FutureTask<>(() -> {
                    for (int i = 0; i < tests; i++) {
                        perf.serve();
                    }
                    return null;
                }),
                "weir-perf-server");
        thread.setDaemon(true);
        thread.start();
    }

    // ---- both

    private SessionConfig serverSession(StopRequest stop) {
        List<PerfListener> listeners = new ArrayList<>(transport.isMemory() ? List.of() : reporters());
        listeners.add(serverText);
        return session(listeners, stop, false);
    }

    private SessionConfig clientSession(LatencyFiles files, StopRequest stop) {
        List<PerfListener> listeners = new ArrayList<>(reporters());
        listeners.add(files);
        return session(listeners, stop, true);
    }

    private SessionConfig session(List<PerfListener> listeners, StopRequest stop, boolean isClient) {
        CountedRate limit = server.bitrateLimit;
        SessionLimits limits = new SessionLimits(
                sockets.receiveNanosMax,
                limit.rateBps(),
                limit.count() == 0 ? SessionLimits.DEFAULT.averagedNanos() : limit.count() * SECOND_NANOS);
        return new SessionConfig(
                intervalNanos,
                patienceNanos,
                listeners,
                stop,
                limits,
                // In this process the client alone has it: the server would write what is read.
                isClient || !transport.isMemory() ? test.file : null,
                isClient && test.workload != null ? WorkloadSizes.of(test.workload) : null,
                seed,
                serverText::text);
    }

    private static final long SECOND_NANOS = 1_000_000_000L;

    private List<PerfListener> reporters() {
        if (iperf3 != null) {
            return List.of(iperf3);
        }
        if (report.isJsonStream) {
            return List.of(new LineReporter(output));
        }
        return output.isLive() ? List.of(text(output.text())) : List.of();
    }

    private TextReporter text(PrintWriter out) {
        return new TextReporter(out, output.isVerbose(), report.rateFormat());
    }

    /** Prints the result; {@code cutOffStatus} is the status of a test that ended before its end. */
    private int finish(PerfResult result, int cutOffStatus) {
        if (report.chartFile != null
                && result.client() != null
                && result.client().workload() != null) {
            PerfResult kernel = result.kernel();
            SlowdownChart.draw(
                    report.chartFile,
                    result.client().workload(),
                    kernel == null || kernel.client() == null
                            ? null
                            : kernel.client().workload());
        }
        ResultDocument document = ResultDocument.of(
                        command.name(), result.local().environment(), result, PerfCriteria.ofAll(result))
                .endedBecause(result.ended(), cutOffStatus);
        int status = output.finishShort(document, out -> print(out, document, result));
        if (status == ExitCode.DONE && !isServer && iperf3 == null && !report.isJsonStream && !output.isJson()) {
            output.text().println();
            output.text().println("perf Done.");
        }
        return status;
    }

    private void print(PrintWriter out, ResultDocument document, PerfResult result) {
        if (iperf3 != null) {
            String problem = document.error() != null
                    ? document.error().message()
                    : document.ok() ? null : PerfCriteria.firstUnmet(document.criteria());
            iperf3.finish(result, problem);
            return;
        }
        text(out).printResult(result);
        if (result.kernel() != null) {
            out.println();
            out.println("The same over the kernel's TCP:");
            text(out).printResult(result.kernel());
            out.println();
            Comparison.table(result).print(out);
        }
    }

    /** Tells people that the server waits for its interface, and that it serves again. */
    private final class Announcer implements InterfaceEndListener {
        private final String name;

        Announcer(String name) {
            this.name = name;
        }

        @Override
        public void onInterfaceEnded(CloseReason reason) {
            say("Waiting: " + reason.phrase());
        }

        @Override
        public void onInterfaceReturned() {
            say("Serving again on port " + sockets.port + " of " + name);
        }
    }

    private void say(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(line);
        err.flush();
        if (sayings != null) {
            sayings.println(line);
        }
    }
}
