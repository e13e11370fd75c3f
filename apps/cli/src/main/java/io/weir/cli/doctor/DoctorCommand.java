package io.weir.cli.doctor;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Criterion;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.perf.PeerProbe;
import io.weir.cli.perf.PeerReport;
import io.weir.nic.ffi.Platform;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir doctor}. */
@Command(
        name = "doctor",
        description = {
            "Look at this machine, and at an interface of it, for what keeps Weir from running or slows it. Each finding"
                    + " has its severity, what it costs, and the remedy. Nothing is changed, and no frame is sent unless --peer"
                    + " names who is to answer.",
            "The exit status is 3 if something breaks Weir, otherwise 0."
        })
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private OutputOptions output;

    @Parameters(
            arity = "0..1",
            paramLabel = "INTERFACE",
            description = "The interface to look at, too. Without it: the machine alone.")
    private String interfaceName;

    @Option(
            names = "--cpu",
            paramLabel = "LIST",
            description = "The CPUs that loops shall run on, as in 2-3; by default those that the kernel keeps free.")
    private String cpus;

    @Option(
            names = "--peer",
            paramLabel = "HOST[:PORT]",
            description = {
                "Measure what the interface reaches with a host where weir perf -s runs: frames of each size both ways, a",
                "stream in each direction with every byte compared, losses. Ten seconds of traffic, as much as fits."
            })
    private String peer;

    @Option(
            names = "--fix",
            description = "Print a shell script with the remedies in place of the report. It is not run.")
    private boolean isScript;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = {
                "Write a file to send with a bug report: the findings, and what the kernel tells of load, interrupts, counters"
                        + " and the interface. It has no payload, and names in place of addresses.",
                "The file must not be there yet."
            })
    private Path report;

    @Option(names = "--addresses", description = "Leave the addresses in the report.")
    private boolean hasAddresses;

    @Option(
            names = "--list",
            description = "Print everything that can be found, with what it costs, and look at nothing.")
    private boolean isList;

    /** For picocli. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws IOException {
        if (isList) {
            DoctorText.list().forEach(output.documents()::println);
            output.documents().flush();
            return ExitCode.DONE;
        }
        if (isScript && output.isJson()) {
            throw new ConfigException("--fix and --json contradict each other: a document has the remedies");
        }
        if (hasAddresses && report == null) {
            throw new ConfigException("--addresses is about the file of --report; name one");
        }
        if (peer != null && (interfaceName == null || isScript)) {
            throw new ConfigException(
                    isScript
                            ? "--fix and --peer contradict each other: to measure has no remedy"
                            : "--peer needs the INTERFACE that leads there, as in weir doctor eth0 --peer " + peer);
        }
        Platform.require();
        CpuSet chosen = cpus == null ? CpuSet.ANY : CpuSet.parse(cpus);
        MachineView machine = MachineView.live(interfaceName, chosen);
        DoctorResult result =
                DoctorResult.of(interfaceName, Checks.run(machine)).with(measurePeer());
        if (report != null) {
            write(DiagnosisReport.lines(machine, result, Fingerprint.take()));
        }
        ResultDocument document =
                ResultDocument.of("doctor", Fingerprint.take(), result, isScript ? List.of() : criteria(result));
        int status =
                output.finishShort(document, out -> (isScript ? DoctorText.script(result) : DoctorText.report(result))
                        .forEach(out::println));
        return status == ExitCode.DONE && result.count(Severity.BREAKS) == 0 ? ExitCode.DONE : ExitCode.ENVIRONMENT;
    }

    private static List<Criterion> criteria(DoctorResult result) {
        List<Criterion> criteria = new ArrayList<>();
        criteria.add(Criterion.atMost("findings that break Weir", result.count(Severity.BREAKS), 0, ""));
        PeerReport peer = result.peer();
        if (peer != null) {
            criteria.add(Criterion.holds("the peer answered frames of every size", peer.isEverySizeAnswered()));
            criteria.add(Criterion.holds("every byte came as it was sent", peer.isAllRight()));
            criteria.add(Criterion.atMost("black holes of the path", peer.blackHoles(), 0, ""));
        }
        return criteria;
    }

    private PeerReport measurePeer() throws IOException {
        if (peer == null) {
            return null;
        }
        try (StopRequest stop = StopRequest.listen()) {
            return PeerProbe.run(interfaceName, address(peer), stop);
        }
    }

    /** {@return an address such as 10.0.0.2, 10.0.0.2:5201, [2001:db8::1]:5201 or host:5201 means} */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        boolean isV6Alone = colon >= 0 && text.indexOf(':') < colon && !text.endsWith("]") && !text.contains("]:");
        boolean hasPort = colon > 0 && !isV6Alone && !text.endsWith("]");
        String host =
                (hasPort ? text.substring(0, colon) : text).replace("[", "").replace("]", "");
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : PeerProbe.PORT_DEFAULT;
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (!address.isUnresolved()) {
                return address;
            }
            throw new ConfigException("--peer: " + host + " is no address, and no host of that name is known");
        } catch (IllegalArgumentException e) {
            if (e instanceof ConfigException refusal) {
                throw refusal;
            }
            throw new ConfigException("--peer: " + text + " is no HOST or HOST:PORT, such as 10.0.0.2:5201", e);
        }
    }

    private void write(List<String> lines) throws IOException {
        AddressMask mask = new AddressMask();
        List<String> text =
                hasAddresses ? lines : lines.stream().map(mask::mask).toList();
        try {
            Files.write(report, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException("--report: " + report + " is there already; name another", e);
        }
        output.text().println((isScript ? "# wrote " : "wrote ") + report);
    }
}
