package io.weir.bench.raw;

import io.weir.bench.command.Arguments;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.TwoHosts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Measures Weir's AF_XDP port next to a C program over libxdp, in network namespaces of this machine; or its DPDK port
 * next to testpmd ({@link TestpmdBenchmark}). Both do the same job in turns (C, Java, Java, C, ...) on the same core
 * against the same C program on another core; what counts is the ratio.
 *
 * <p>Run as root, after {@code mvn package}: {@code java -jar benchmarks/target/weir-benchmarks-0.1.0-SNAPSHOT.jar
 * raw}; {@code --help} lists the options. Exits with 1 when a ratio is below what {@code --require} demands.
 */
public final class RawBenchmark {
    /** Of the second link, on which frames are forwarded; the first is that of {@link TwoHosts}. */
    static final String SECOND_INTERFACE = "weir1";

    private static final int MTU_BYTES = 1_500;
    private static final double PEER_SECONDS_SPARE = 30;
    private final RawOptions options;
    private final CReference reference;
    private final TwoHosts hosts;
    private final PrintStream out;

    private RawBenchmark(RawOptions options, CReference reference, TwoHosts hosts, PrintStream out) {
        this.options = options;
        this.reference = reference;
        this.hosts = hosts;
        this.out = out;
    }

    /** Runs the benchmark. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        RawOptions options = Arguments.readOrExit(() -> RawOptions.parse(arguments), RawOptions.USAGE);
        if (options.dpdk() != null) {
            System.exit(TestpmdBenchmark.run(options, System.out) ? 0 : 1);
        }
        Path module = Path.of("benchmarks");
        Path folder = Files.isDirectory(module)
                ? module.resolve("target").resolve("c")
                : Files.createTempDirectory("weir-bench");
        System.exit(run(options, CReference.build(folder), System.out) ? 0 : 1);
    }

    /** {@return whether Java reached of C what the options demand} */
    static boolean run(RawOptions options, CReference reference, PrintStream out)
            throws IOException, InterruptedException, ExecutionException {
        try (TwoHosts hosts = TwoHosts.createQuiet(MTU_BYTES)) {
            hosts.lab()
                    .link(LabLink.between(
                            new LabEnd(hosts.a(), SECOND_INTERFACE), new LabEnd(hosts.b(), SECOND_INTERFACE)));
            return new RawBenchmark(options, reference, hosts, out).run();
        }
    }

    private boolean run() throws IOException, InterruptedException, ExecutionException {
        boolean reached = true;
        out.println("mode " + (options.generic() ? "generic" : "native") + ", " + options.pairCount() + " pairs of "
                + options.seconds() + " s, JDK " + Runtime.version());
        for (RawJob workload : options.workloads()) {
            for (int sizeBytes : options.sizesBytes()) {
                RawReport report = measure(workload, sizeBytes);
                report.print(out);
                reached &= workload == RawJob.PING || options.ratioMin() == 0 || report.ratio() >= options.ratioMin();
            }
        }
        if (options.workloads().contains(RawJob.PING)) {
            for (int sizeBytes : options.sizesBytes()) {
                kernelUdp(sizeBytes, true);
                kernelUdp(sizeBytes, false);
            }
        }
        return reached;
    }

    private RawReport measure(RawJob workload, int sizeBytes)
            throws IOException, InterruptedException, ExecutionException {
        JavaContender contender = new JavaContender(hosts.a(), options);
        // The first run of a job in Java is its compiler's.
        runJava(contender, workload, sizeBytes);
        RawContest contest = new RawContest(
                () -> runC(workload, sizeBytes),
                () -> runJava(contender, workload, sizeBytes),
                options.offCorePercentMax());
        return contest.measure(RawReport.Subject.inC(workload, sizeBytes), options.pairCount());
    }

    private RawContest.Run runC(RawJob workload, int sizeBytes) throws IOException {
        List<String> arguments = new ArrayList<>(workload.deviceArguments());
        arguments.addAll(common(sizeBytes, options.seconds()));
        try (CReference.Running peer = startPeer(workload, sizeBytes);
                CReference.Running device = reference.start(hosts.a(), options.deviceCore(), arguments)) {
            return new RawContest.Run(device.result(), peer.stop());
        }
    }

    private RawContest.Run runJava(JavaContender contender, RawJob workload, int sizeBytes)
            throws IOException, InterruptedException, ExecutionException {
        try (CReference.Running peer = startPeer(workload, sizeBytes)) {
            RawResult result = contender.run(workload, sizeBytes);
            return new RawContest.Run(result, peer.stop());
        }
    }

    private CReference.Running startPeer(RawJob workload, int sizeBytes) throws IOException {
        List<String> arguments = new ArrayList<>(workload.peerArguments());
        arguments.addAll(common(sizeBytes, options.seconds() + PEER_SECONDS_SPARE));
        return reference.start(hosts.b(), options.peerCore(), arguments);
    }

    private List<String> common(int sizeBytes, double seconds) {
        List<String> arguments =
                new ArrayList<>(List.of("--size", Integer.toString(sizeBytes), "--seconds", Double.toString(seconds)));
        if (options.generic()) {
            arguments.add("--generic");
        }
        return arguments;
    }

    /** The kernel's own sockets on the same link, for comparison. */
    private void kernelUdp(int sizeBytes, boolean spin) throws IOException {
        List<String> both = new ArrayList<>(List.of("--address", TwoHosts.ADDRESS_B));
        if (spin) {
            both.add("--spin");
        }
        List<String> echo = new ArrayList<>(List.of("udp-echo"));
        echo.addAll(both);
        echo.addAll(common(sizeBytes, options.seconds() + PEER_SECONDS_SPARE));
        List<String> ping = new ArrayList<>(List.of("udp-ping"));
        ping.addAll(both);
        ping.addAll(common(sizeBytes, options.seconds()));
        try (CReference.Running peer = reference.start(hosts.b(), options.peerCore(), echo);
                CReference.Running device = reference.start(hosts.a(), options.deviceCore(), ping)) {
            RawResult result = device.result();
            peer.stop();
            out.printf(
                    "%-9s %5d B   kernel UDP, %s: p50 %.1f us  p99 %.1f us  p99.9 %.1f us%n",
                    "ping",
                    sizeBytes,
                    spin ? "spinning" : "blocking",
                    result.p50Nanos() / 1e3,
                    result.p99Nanos() / 1e3,
                    result.p999Nanos() / 1e3);
        }
    }
}
