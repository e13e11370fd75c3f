package io.weir.bench.raw;

import io.weir.bench.command.ChildCommand;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures Weir's DPDK port next to testpmd over virtual devices. Both do the same job in turns, each as a separate
 * process on the same core, against a testpmd on another core; or alone, with both ends of a link, so that no other
 * core matters.
 */
final class TestpmdBenchmark {
    private static final int MTU_BYTES = 1_500;
    private static final Pattern RESULT = Pattern.compile("RESULT frames=(\\d+) nanos=(\\d+) oncore=(\\d+)");

    private final RawOptions options;
    private final TwoHosts hosts;
    private final DpdkVdev vdev;

    private TestpmdBenchmark(RawOptions options, TwoHosts hosts, DpdkVdev vdev) {
        this.options = options;
        this.hosts = hosts;
        this.vdev = vdev;
    }

    /** {@return whether Java reached of testpmd what the options demand} */
    static boolean run(RawOptions options, PrintStream out)
            throws IOException, InterruptedException, ExecutionException {
        Testpmd.require();
        boolean reached = true;
        out.println("DPDK " + options.dpdk().eal() + ", " + options.pairCount() + " pairs of " + options.seconds()
                + " s, JDK " + Runtime.version());
        try (TwoHosts hosts = TwoHosts.createQuiet(MTU_BYTES)) {
            hosts.lab()
                    .link(LabLink.between(
                            new LabEnd(hosts.a(), DpdkVdev.NEAR_INTERFACE),
                            new LabEnd(hosts.a(), DpdkVdev.FAR_INTERFACE)));
            for (DpdkVdev vdev : options.dpdk().devices()) {
                out.println(vdev.label());
                TestpmdBenchmark benchmark = new TestpmdBenchmark(options, hosts, vdev);
                for (TestpmdJob job : options.dpdk().jobs()) {
                    for (int sizeBytes : options.sizesBytes()) {
                        RawContest contest = new RawContest(
                                () -> benchmark.runTestpmd(job, sizeBytes),
                                () -> benchmark.runJava(job, sizeBytes),
                                options.offCorePercentMax());
                        RawReport report = contest.measure(
                                new RawReport.Subject("testpmd", job.label(), false, sizeBytes), options.pairCount());
                        report.print(out);
                        reached &= options.ratioMin() == 0 || report.ratio() >= options.ratioMin();
                    }
                }
            }
        }
        return reached;
    }

    private Testpmd startPeer(TestpmdJob job, int sizeBytes) throws IOException, InterruptedException {
        NetNamespace namespace = vdev.isWithinOneNamespace() ? hosts.a() : hosts.b();
        return Testpmd.start(
                place(namespace, List.of(vdev.peer()), options.peerCore(), options.deviceCore()),
                job.peerMode(),
                sizeBytes);
    }

    private Testpmd.Place place(NetNamespace namespace, List<String> vdevs, int core, int otherCore) {
        return new Testpmd.Place(namespace, vdevs, options.dpdk().eal(), core, otherCore);
    }

    private RawContest.Run runTestpmd(TestpmdJob job, int sizeBytes) throws IOException, InterruptedException {
        if (job.peerMode() == null) {
            Testpmd.Place both =
                    place(hosts.a(), List.of(vdev.near(), vdev.far()), options.deviceCore(), options.peerCore());
            try (Testpmd device = Testpmd.start(both, job.mode(), sizeBytes)) {
                return alone(device.measure(job.mode(), options.seconds()));
            }
        }
        Testpmd.Place place = place(hosts.a(), List.of(vdev.device()), options.deviceCore(), options.peerCore());
        try (Testpmd peer = startPeer(job, sizeBytes);
                Testpmd device = Testpmd.start(place, job.mode(), sizeBytes)) {
            Testpmd.Reading before = peer.read(job.peerMode());
            RawResult result = device.measure(job.mode(), options.seconds());
            return new RawContest.Run(result, peer.read(job.peerMode()).since(before));
        }
    }

    /** A process that waits for nobody is judged by the time that it had its core. */
    private static RawContest.Run alone(RawResult result) {
        RawResult ofCoreTime = RawResult.ofFrames(
                result.frames(), result.onCoreNanos(), RawResult.CALLS_NOT_COUNTED, result.onCoreNanos());
        return new RawContest.Run(ofCoreTime, ofCoreTime);
    }

    private RawContest.Run runJava(TestpmdJob job, int sizeBytes) throws IOException, InterruptedException {
        if (job.peerMode() == null) {
            return alone(
                    java(job, sizeBytes, List.of(vdev.near(), vdev.far()), null).result());
        }
        try (Testpmd peer = startPeer(job, sizeBytes)) {
            return java(job, sizeBytes, List.of(vdev.device()), peer);
        }
    }

    private RawContest.Run java(TestpmdJob job, int sizeBytes, List<String> vdevs, Testpmd peer)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                job.label(),
                Double.toString(options.seconds()),
                Integer.toString(sizeBytes),
                DpdkRates.CORE_OPTION + options.deviceCore()));
        vdevs.forEach(device -> arguments.add("device=" + device + ";address=198.18.0.1/24;eal="
                + options.dpdk().eal()));
        List<String> flags = ChildCommand.flagsIn(ChildCommand.WEIR_FLAGS);
        Process process = new ProcessBuilder(ChildCommand.of(hosts.a(), flags, DpdkRates.class, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return await(process, peer, job.peerMode());
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static RawContest.Run await(Process process, Testpmd peer, Testpmd.Mode peerMode) throws IOException {
        Testpmd.Reading before = null;
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (peer != null && line.equals(DpdkRates.BEGINS)) {
                    before = peer.read(peerMode);
                }
                Matcher found = RESULT.matcher(line);
                if (found.matches()) {
                    RawResult result = RawResult.ofFrames(
                            Long.parseLong(found.group(1)),
                            Long.parseLong(found.group(2)),
                            RawResult.CALLS_NOT_COUNTED,
                            Long.parseLong(found.group(3)));
                    return new RawContest.Run(
                            result, peer == null ? result : peer.read(peerMode).since(before));
                }
            }
        }
        throw new IOException("the DPDK port's process ended without a result; see its message above");
    }
}
