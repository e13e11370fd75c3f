package io.weir.cli;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.InterfaceWait;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.PortOptions;
import io.weir.cli.environment.SchedulingOptions;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Sizes;
import io.weir.nic.broker.Broker;
import io.weir.nic.broker.BrokerConfig;
import io.weir.nic.broker.BrokerCounts;
import io.weir.nic.broker.BrokerListener;
import io.weir.nic.broker.PortRights;
import io.weir.nic.ffi.Libc;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves one interface to processes that need no privilege. */
@Command(
        name = "broker",
        description = {
            "Serve one interface to many processes: it alone needs privileges, and moves frames between the interface and"
                    + " memory that it shares with each of them.",
            "They open the interface by the backend broker, as in: weir perf -s --backend broker --interface eth0."
                    + " docs/SHARING.md has the rights file and what it costs."
        })
public final class BrokerCommand implements Callable<Integer> {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

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

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            required = true,
            description = "The interface to serve, as the backend names it.")
    private String interfaceName;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = "afxdp",
            description = "What moves the interface's frames: afxdp, af-packet or dpdk. Default: ${DEFAULT-VALUE}.")
    private String backend;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description =
                    "Where processes connect. Default: /run/weir/NAME.sock, where they look by the interface's name.")
    private Path socket;

    @Option(
            names = "--rights",
            paramLabel = "FILE",
            description = {
                "Which user may take which UDP ports, one line per user, as in: alice 4720-4729.",
                "Without it every user may take those from 1024 on, as from the kernel."
            })
    private Path rightsFile;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Another address for the clients, in addition to the interface's. May be repeated.")
    private List<InetAddress> addresses = List.of();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Sizes.Converter.class,
            description = {
                "The most memory for rings with clients and between them; one user gets half. Default: a quarter of the",
                "machine's."
            })
    private Long memoryBytesMax;

    @Option(
            names = "--user-share",
            paramLabel = "PERCENT",
            description = {
                "What the requests of each user except root get of a core; those of a user who takes more wait.",
                "Default: ${DEFAULT-VALUE}."
            })
    private int userSharePercent = BrokerConfig.USER_SHARE_PERCENT_DEFAULT;

    @Option(
            names = "--idle",
            defaultValue = "backoff",
            paramLabel = "MODE",
            description = "What the broker does when it is idle: spin (lowest latency, a core for itself) or backoff. "
                    + "Default: ${DEFAULT-VALUE}.")
    private SchedulingOptions.Idle idle;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            converter = Durations.SecondsConverter.class,
            description = "End after this time, as in 10s or 2m; without it, on Ctrl-C.")
    private Long timeNanos;

    /** For picocli. */
    public BrokerCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (timeNanos != null && timeNanos == 0) {
            throw new ConfigException("--time: 0s is no time to run; write 1s or more, or leave it out");
        }
        PortRights rights =
                rightsFile == null ? PortRights.asFromTheKernel() : PortRights.read(rightsFile, Libc::userNumber);
        BrokerConfig config = new BrokerConfig(
                interfaceName,
                backend,
                socket == null ? BrokerConfig.socketOf(interfaceName) : socket,
                BrokerConfig.activatedDescriptor(
                        System.getenv(), ProcessHandle.current().pid()),
                rights,
                addresses,
                idle.mode(),
                memoryBytesMax == null ? BrokerConfig.memoryBytesMaxDefault() : memoryBytesMax,
                userSharePercent,
                port.config());
        long startNanos = System.nanoTime();
        try (StopRequest stop = StopRequest.listen()) {
            Outcome outcome = serve(config, stop, startNanos);
            while (outcome.isInterfaceGone() && interfaceWait.isWaiting() && !outcome.isOver()) {
                output.text().println("waits: " + outcome.failure());
                output.text().flush();
                outcome = outcome.plus(serve(config, stop, startNanos));
            }
            return finish(outcome);
        }
    }

    /**
     * What came of it.
     *
     * @param port what the port was, or null if it never was
     * @param failure why it ended by itself, or null
     * @param isInterfaceGone whether that is because the interface is gone
     * @param isOver whether it was asked to end
     */
    private record Outcome(
            PortFingerprint port, BrokerCounts counts, String failure, boolean isInterfaceGone, boolean isOver) {
        Outcome plus(Outcome next) {
            return new Outcome(
                    next.port == null ? port : next.port,
                    counts.plus(next.counts),
                    next.failure,
                    next.isInterfaceGone,
                    next.isOver);
        }
    }

    private Outcome serve(BrokerConfig config, StopRequest stop, long startNanos)
            throws IOException, InterruptedException {
        try (Broker broker = interfaceWait.open(
                () -> Broker.open(config, scheduling.config(), new Printer()),
                nanos -> stop.await(nanos) || isOver(startNanos),
                spec.commandLine().getErr())) {
            if (broker == null) {
                return new Outcome(null, BrokerCounts.NONE, null, false, true);
            }
            printStart(broker, config);
            String failure = await(broker, stop, startNanos);
            PortFingerprint port = PortFingerprint.of(broker.info()).scheduled(broker.scheduling());
            return new Outcome(port, broker.counts(), failure, broker.isInterfaceGone(), failure == null);
        }
    }

    private boolean isOver(long startNanos) {
        return timeNanos != null && System.nanoTime() - startNanos >= timeNanos;
    }

    private void printStart(Broker broker, BrokerConfig config) {
        PrintWriter text = output.text();
        text.printf(
                "serving %s over %s %s at %s; %s%n",
                broker.info().name(),
                broker.info().backend(),
                broker.info().mode(),
                config.listeningDescriptor() == BrokerConfig.NO_DESCRIPTOR
                        ? config.socket()
                        : "the socket that the service manager has opened",
                rightsFile == null ? "every user may take UDP ports from 1024 on" : "rights of " + rightsFile);
        text.flush();
    }

    /** {@return why it ended by itself, or null} */
    private String await(Broker broker, StopRequest stop, long startNanos) {
        while (!stop.await(LOOK_NANOS)) {
            broker.report();
            String failure = broker.fatalFailure();
            if (failure != null) {
                return failure;
            }
            if (isOver(startNanos)) {
                return null;
            }
        }
        return null;
    }

    private int finish(Outcome outcome) {
        BrokerCounts counts = outcome.counts();
        String failure = outcome.failure();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("servedClients", counts.servedClientCount());
        result.put("directPairs", counts.pairCount());
        result.put("deliveredFrames", counts.deliveredFrames());
        result.put("noRoomFrames", counts.noRoomFrames());
        result.put("sentFrames", counts.sentFrames());
        result.put("unclaimedFrames", counts.unclaimedFrames());
        result.put("refusedFrames", counts.refusedFrames());
        List<Criterion> criteria = List.of(Criterion.holds("the interface was there to the end", failure == null));
        List<PortFingerprint> ports = outcome.port() == null ? List.of() : List.of(outcome.port());
        ResultDocument document = ResultDocument.of("broker", Fingerprint.take(ports, null), result, criteria);
        int status = output.finish(document, out -> {
            if (failure != null) {
                out.println("ended: " + failure);
            }
            out.printf(
                    "%d clients, %d pairs with rings between them; %d frames delivered, %d without room, %d sent,"
                            + " %d for nobody, %d refused%n",
                    counts.servedClientCount(),
                    counts.pairCount(),
                    counts.deliveredFrames(),
                    counts.noRoomFrames(),
                    counts.sentFrames(),
                    counts.unclaimedFrames(),
                    counts.refusedFrames());
        });
        return outcome.isInterfaceGone() ? ExitCode.ENVIRONMENT : status;
    }

    /** Prints who comes and goes. */
    private final class Printer implements BrokerListener {
        @Override
        public void onClient(int number, int processId, String user) {
            print("client " + number + ": process " + processId + " of user " + user);
        }

        @Override
        public void onClientGone(int number, String reason) {
            print("client " + number + " gone: " + reason);
        }

        @Override
        public void onRefusal(int processId, String user, String sentence) {
            print("refused process " + processId + " of user " + user + ": " + sentence);
        }

        @Override
        public void onWait(int processId, String user, String sentence) {
            print("process " + processId + " of user " + user + " waits: " + sentence);
        }

        private synchronized void print(String line) {
            PrintWriter text = output.text();
            text.println(line);
            text.flush();
        }
    }
}
