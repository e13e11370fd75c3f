package io.weir.cli.demo;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.lab.Laboratory;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.Progress;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.nic.NicException;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Scenario;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir demo}. */
@Command(
        name = "demo",
        description = {
            "Show Weir on this machine: build a laboratory of two hosts and two switches in network namespaces,"
                    + " move verified bytes over AF_XDP with ExpressPass through the switches' credit meters, and run"
                    + " kernel TCP through the same bottleneck after it.",
            "Without root or AF_XDP, Weir runs over links in memory, and kernel TCP is left out."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int JOIN_COUNT = 20;
    private static final List<String> BACKENDS = List.of(AfXdpBackend.NAME, PacketBackend.NAME, DpdkBackend.NAME);

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "1Gbps",
            converter = Rates.Converter.class,
            description = "The rate of the link between the switches (default: ${DEFAULT-VALUE}).")
    private long bottleneckBps;

    @Option(
            names = "--host-rate",
            paramLabel = "RATE",
            defaultValue = "10Gbps",
            converter = Rates.Converter.class,
            description = "The rate of the hosts' links (default: ${DEFAULT-VALUE}).")
    private long hostBps;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            defaultValue = "25us",
            converter = Durations.Converter.class,
            description = "The propagation delay of a host's link; a round trip has four (default: ${DEFAULT-VALUE}).")
    private long propagationNanos;

    @Option(
            names = "--flows",
            paramLabel = "N",
            defaultValue = "16",
            description = "Flows of the fairness measurement (default: ${DEFAULT-VALUE}).")
    private int flowCount;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = Durations.SecondsConverter.class,
            description = "How long each measurement takes (default: ${DEFAULT-VALUE}).")
    private long measureNanos;

    @Option(
            names = {"-n", "--bytes"},
            paramLabel = "SIZE",
            defaultValue = "128MiB",
            converter = Sizes.Converter.class,
            description = "The size of the verified transfer, a multiple of 64KiB (default: ${DEFAULT-VALUE}).")
    private long transferBytes;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The seed of the payload and of the switches' random choices (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = {
                "What moves the hosts' frames: afxdp (default), af-packet or dpdk. The switches' ends are AF_XDP ports in any case.",
                "One that is named is not replaced by links in memory where it does not work."
            })
    private String backend;

    @Option(names = "--memory", description = "Use links in memory even where AF_XDP works.")
    private boolean isMemory;

    @Option(
            names = "--strict",
            description = "Let limits on goodput, fairness, queues and joins decide the exit status, too. A figure that"
                    + " loops off their cores may have affected is not judged; the status is then 4, unless something"
                    + " else failed.")
    private boolean isStrict;

    /** For picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws IOException {
        DemoPlan plan = new DemoPlan(
                bottleneckBps, hostBps, propagationNanos, transferBytes, measureNanos, flowCount, JOIN_COUNT, seed);
        DemoResult result;
        try (StopRequest stop = StopRequest.listen();
                Progress progress = output.progress()) {
            progress.show("building the laboratory");
            result = withVirtualTime(run(plan, progress, stop), progress, stop);
        }
        List<PortFingerprint> ports =
                result.ports().stream().map(PortFingerprint::of).toList();
        ResultDocument document = ResultDocument.of("demo", Fingerprint.take(ports, seed), result, criteria(result))
                .endedBecause(result.ended());
        return output.finishShort(
                document, out -> (output.isVerbose() ? List.of(DemoText.of(result)) : DemoSummary.of(result))
                        .forEach(out::println));
    }

    /** A machine that was too busy to show the network in real time shows it in virtual time. */
    private static DemoResult withVirtualTime(DemoResult result, Progress progress, StopRequest stop) {
        if (result.ended() != null || !result.isMachineBusy()) {
            return result;
        }
        progress.show("the same network in virtual time, as this machine was busy");
        try {
            return result.with(VirtualFigures.play(result.plan(), stop));
        } catch (InterruptedIOException e) {
            // All that is real has been measured.
            return result;
        }
    }

    private DemoResult run(DemoPlan plan, Progress progress, StopRequest stop) throws IOException {
        if (backend != null && (isMemory || !BACKENDS.contains(backend))) {
            throw new ConfigException(
                    isMemory
                            ? "--memory and --backend contradict each other; leave one out"
                            : "--backend " + backend + " is none of " + String.join(", ", BACKENDS));
        }
        Scenario scenario = Trunk.scenario(plan);
        String tcpSkipped = "links in memory were asked for, which only Weir can use";
        if (!isMemory) {
            try (Laboratory lab = Laboratory.inNamespaces(scenario, Trunk.options())) {
                String hostBackend = backend == null ? BACKENDS.get(0) : backend;
                return new Demo(plan, lab, hostBackend, steps(progress, 2 + 2 * Measurements.STEPS), stop).run(null);
            } catch (NicException e) {
                if (backend != null) {
                    throw e;
                }
                tcpSkipped = e.getMessage();
                output.text().println("No AF_XDP here, so links in memory instead: " + tcpSkipped);
            }
        }
        try (Laboratory lab = Laboratory.inMemory(scenario, Trunk.options())) {
            return new Demo(plan, lab, Laboratory.MEMORY, steps(progress, 1 + Measurements.STEPS), stop)
                    .run(tcpSkipped);
        }
    }

    private static Consumer<String> steps(Progress progress, int count) {
        AtomicInteger done = new AtomicInteger();
        return line -> {
            int before = done.getAndIncrement();
            progress.show((double) before / count, "step " + (before + 1) + " of " + count + ": " + line);
        };
    }

    private List<Criterion> criteria(DemoResult result) {
        List<Criterion> criteria = new ArrayList<>();
        if (result.ended() != null) {
            criteria.add(Criterion.holds("the demonstration ran to its end", false));
        }
        criteria.add(Criterion.equal(
                "SHA-256 of the transfer",
                result.transfer().receivedSha256(),
                result.transfer().expectedSha256(),
                ""));
        criteria.add(Criterion.atLeast("credits that the trunk's meter counted", result.creditsMetered(), 1, ""));
        criteria.add(Criterion.atLeast("credits that it dropped", result.creditsDropped(), 1, ""));
        if (isStrict && result.ended() == null) {
            criteria.addAll(Verdicts.of(result));
        }
        return criteria;
    }
}
