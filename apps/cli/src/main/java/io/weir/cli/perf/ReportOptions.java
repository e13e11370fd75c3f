package io.weir.cli.perf;

import io.weir.cli.output.Iperf3Error;
import io.weir.cli.unit.IperfUnits;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How a test is reported. */
final class ReportOptions {
    private static final String WEIR = "weir";

    @Option(
            names = {"-f", "--format"},
            paramLabel = "FORMAT",
            description = {
                "Print rates in Kbits (k), Mbits (m), Gbits (g) or Tbits (t), or the same of bytes (K, M, G, T).",
                "iperf3: print the JSON that iperf3 prints, with --json-stream the events of its stream; with "
                        + Iperf3Error.VARIABLE + "=iperf3 in the environment -J does so."
            })
    List<String> formats = new ArrayList<>();

    @Option(
            names = "--json-stream",
            description =
                    "Print one JSON object per line: the start, each interval, and the result when the test is over.")
    boolean isJsonStream;

    @Option(
            names = "--histogram",
            paramLabel = "FILE",
            description = "With --rr and --messages, write the latencies' percentiles in HdrHistogram's .hgrm format.")
    Path percentilesFile;

    @Option(
            names = "--hlog",
            paramLabel = "FILE",
            description =
                    "With --rr and --messages, write a latency histogram for each interval in HdrHistogram's .hlog"
                            + " format.")
    Path logFile;

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "With --workload, draw the slowdown by size: FILE.svg and FILE.png.")
    Path chartFile;

    @Option(
            names = "--timestamps",
            paramLabel = "FORMAT",
            arity = "0..1",
            fallbackValue = Timestamps.DEFAULT,
            description = "Begin each printed line with the time, as strftime(3) writes it. Default: ${FALLBACK-VALUE}")
    String timestamps;

    @Option(names = "--logfile", paramLabel = "FILE", description = "Append what is printed to this file instead.")
    Path outputFile;

    @Option(names = "--forceflush", description = "Nothing is kept back anyway; for iperf3's scripts.")
    @SuppressWarnings("unused") // every line is flushed
    boolean isFlushing;

    ReportOptions() {}

    /** {@return whether JSON is to be iperf3's, by the option, which asks for JSON too, or by the environment} */
    boolean isIperf3(boolean isJson) {
        return formats.contains(Iperf3Error.FORMAT) || (Iperf3Error.isUsual() && (isJson || isJsonStream));
    }

    /** {@return how rates are printed, as {@link IperfUnits#rate} has it} */
    char rateFormat() {
        return formats.stream()
                .filter(format -> !format.equals(Iperf3Error.FORMAT) && !format.equals(WEIR))
                .map(IperfUnits::format)
                .reduce((first, last) -> last)
                .orElse((char) 0);
    }

    /** {@return where what is printed goes, or null for where it goes anyway} */
    PrintWriter openOutput() {
        if (outputFile == null) {
            return null;
        }
        try {
            return new PrintWriter(
                    Files.newBufferedWriter(
                            outputFile, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    true);
        } catch (IOException e) {
            throw new ConfigException(
                    "--logfile " + outputFile + " cannot be written: " + e
                            + "; name a file in a directory that exists and" + " may be written to",
                    e);
        }
    }
}
