package io.weir.cli.perf;

import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.TextTable;
import io.weir.cli.perf.carrier.HostCounts;
import io.weir.cli.perf.carrier.KernelEndpoint;
import io.weir.cli.perf.carrier.LoopReport;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.IperfUnits;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Prints a test for people: each interval when it is over, and in the end what both ends saw. Lines and columns are
 * iperf3's, so that its readers find what they look for; Weir's own columns come after them.
 */
final class TextReporter implements PerfListener {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SEPARATOR = "- - - - - - - - - - - - - - - - - - - - - - - - -";
    private static final String SUM = "SUM";

    /** A short report has lines of so many streams; their sum stands for more. */
    private static final int STREAMS_TOLD = 8;

    /** A loop that was off its core for less of the time has cost less than that of the goodput. */
    private static final double OFF_CORE_FRACTION_TOLD = 0.01;

    private final PrintWriter out;
    private final boolean isVerbose;
    private final char format;
    /** Of the test at hand; null before the first. */
    private TestStart start;
    // Whether both ends send, and whether this one is the client: of the test at hand.
    private boolean isEachWay;
    private boolean isClient;

    /**
     * Creates a reporter.
     *
     * @param isVerbose whether to print all that was found
     * @param format of rates, as {@link IperfUnits#rate} has it
     */
    TextReporter(PrintWriter out, boolean isVerbose, char format) {
        this.out = out;
        this.isVerbose = isVerbose;
        this.format = format;
    }

    @Override
    public void onStart(TestStart begun) {
        start = begun;
        note(begun.role(), begun.test());
        out.println((isClient ? "Connected to " : "Accepted connection from ") + begun.peer() + ": "
                + describe(begun.test()));
        boolean isEachTold = begun.test().kind() != Kind.WORKLOAD;
        for (TestStart.Ends ends : isEachTold ? begun.connections() : List.<TestStart.Ends>of()) {
            out.println(id(Integer.toString(ends.stream())) + " local " + StreamReport.host(ends.local()) + " port "
                    + StreamReport.port(ends.local()) + " connected to " + StreamReport.host(ends.remote()) + " port "
                    + StreamReport.port(ends.remote()));
        }
        if (hasCredits()) {
            out.println("Credits (used/wasted/expired) and the loop's Pauses are the host's, behind iperf3's columns.");
        }
        out.println(heading() + "          RTT" + (hasCredits() ? "     Credits  Pauses" : ""));
        out.flush();
    }

    /** {@return whether there are Weir's columns} */
    private boolean hasCredits() {
        return !start.protocol().equals(KernelEndpoint.PROTOCOL);
    }

    private String heading() {
        return "[ ID]" + (isEachWay ? "[Role]" : "") + " Interval           Transfer     Bitrate         Retr  Cwnd";
    }

    private void note(Role role, TestSpec test) {
        isClient = role == Role.CLIENT;
        isEachWay = test.direction() == Direction.BOTH;
    }

    private static String describe(TestSpec spec) {
        String end = spec.timeNanos() > 0
                ? "for " + Durations.print(spec.timeNanos())
                : spec.totalBytes() == 0
                        ? "until it is ended"
                        : Sizes.print(spec.totalBytes()) + (spec.direction() == Direction.BOTH ? " each way" : "");
        String streams = spec.parallel() == 1 ? "one stream" : spec.parallel() + " streams";
        TestDetails details = spec.details();
        return switch (spec.kind()) {
            case WORKLOAD ->
                "messages of " + details.workload() + " at " + Fractions.print(TestOptions.load(details))
                        + " of the link, " + streams + ", " + end;
            case REQUEST_RESPONSE ->
                "requests and responses of " + Sizes.print(spec.lengthBytes()) + ", " + streams
                        + (details.outstanding() > 1 ? " with " + details.outstanding() + " each" : "")
                        + (details.requestsPerSecond() > 0
                                ? ", " + plain(details.requestsPerSecond()) + " per second"
                                : "")
                        + ", " + end;
            case BULK -> {
                String way =
                        switch (spec.direction()) {
                            case FORWARD -> "to the server";
                            case REVERSE -> "to the client";
                            case BOTH -> "each way";
                        };
                yield streams + " " + way + ", " + end
                        + (spec.bitrateBps() > 0 ? ", at most " + Rates.print(spec.bitrateBps()) + " each" : "")
                        + (details.omitNanos() > 0 ? ", after " + Durations.print(details.omitNanos()) : "");
            }
        };
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        // Of a workload's connections none means anything by itself.
        int count = start.test().kind() == Kind.WORKLOAD && start.test().parallel() > 1
                ? 0
                : interval.streams().size();
        boolean hasSum = start.test().parallel() > 1;
        for (int i = 0; i < count; i++) {
            Interval.StreamShare share = interval.streams().get(i);
            boolean isLast = !hasSum && i == count - 1;
            Line line = new Line(
                    Integer.toString(share.stream()),
                    share.sender(),
                    interval.startNanos(),
                    interval.endNanos(),
                    share.bytes(),
                    share.goodputBps());
            String own = share.sender()
                    ? String.format(Locale.ROOT, "  %4d  %s", share.retransmittedFrames(), IperfUnits.bytes((double)
                            share.windowBytes()))
                    : "";
            String rtt = share.rttNanos() == 0 ? "" : Durations.print(share.rttNanos());
            print(line, own, rtt, isLast ? interval.counts() : null, interval.omitted());
        }
        if (hasSum) {
            sums(interval);
        }
        if (interval.latency() != null) {
            Latency latency = interval.latency();
            out.println("     " + latency.count() + " responses, p50 " + Durations.print(latency.p50Nanos()) + ", p99 "
                    + Durations.print(latency.p99Nanos()) + ", max " + Durations.print(latency.maxNanos()));
        }
        out.flush();
    }

    private void sums(Interval interval) {
        List<Boolean> ways = interval.streams().stream()
                .map(Interval.StreamShare::sender)
                .distinct()
                .toList();
        for (boolean isSender : ways) {
            long frames = interval.streams().stream()
                    .filter(share -> share.sender() == isSender)
                    .mapToLong(Interval.StreamShare::retransmittedFrames)
                    .sum();
            Line line = new Line(
                    SUM,
                    isSender,
                    interval.startNanos(),
                    interval.endNanos(),
                    isSender ? interval.sentBytes() : interval.receivedBytes(),
                    isSender ? interval.sentBps() : interval.receivedBps());
            String own = isSender ? String.format(Locale.ROOT, "  %4d", frames) : "";
            boolean isLast = isSender == ways.get(ways.size() - 1);
            print(line, own, "", isLast ? interval.counts() : null, interval.omitted());
        }
    }

    /** The columns of every line. */
    private record Line(
            String id, boolean isSender, long startNanos, long endNanos, long bytes, double bitsPerSecond) {}

    private void print(Line line, String own, String rtt, HostCounts counts, boolean isOmitted) {
        HostCounts.Credits credits = counts == null || !hasCredits() ? null : counts.credits();
        String host = credits == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  %10s  %6d",
                        credits.used() + "/" + credits.wasted() + "/" + credits.expired(),
                        counts.pauses());
        out.println(String.format(Locale.ROOT, "%s%-20s  %9s%s", columns(line), own, rtt, host)
                        .stripTrailing()
                + (isOmitted ? "  (omitted)" : ""));
    }

    private String columns(Line line) {
        String role = !isEachWay ? "" : "[" + (line.isSender ? "TX" : "RX") + (isClient ? "-C]" : "-S]");
        return String.format(
                Locale.ROOT,
                "%s%s %6.2f-%-6.2f sec  %s  %s",
                id(line.id),
                role,
                line.startNanos / NANOS_PER_SECOND,
                line.endNanos / NANOS_PER_SECOND,
                IperfUnits.bytes((double) line.bytes),
                IperfUnits.rate(line.bitsPerSecond, format));
    }

    private static String id(String id) {
        return String.format(Locale.ROOT, "[%3s]", id);
    }

    /** Prints what both ends saw. */
    void printResult(PerfResult result) {
        note(result.role(), result.test());
        out.println(SEPARATOR);
        out.println("[ ID]" + (isEachWay ? "[Role]" : "") + " Interval           Transfer     Bitrate         Retr");
        int count = result.test().streamCount();
        for (int i = 0; i < count && (isVerbose || result.test().parallel() <= STREAMS_TOLD); i++) {
            summary(result, List.of(i), Integer.toString(i));
        }
        if (result.test().parallel() > 1) {
            int parallel = result.test().parallel();
            for (int first = 0; first < count; first += parallel) {
                int from = first;
                summary(result, IntStream.range(from, from + parallel).boxed().toList(), SUM);
            }
        }
        result.sides().map(SideReport::latency).filter(Objects::nonNull).forEach(this::printLatency);
        result.sides().map(SideReport::workload).filter(Objects::nonNull).forEach(this::printWorkload);
        printMessages(result);
        out.println();
        if (isVerbose) {
            result.sides().forEach(this::printSide);
        } else {
            out.println(OutputOptions.clipped(port(result.local())));
            result.sides().forEach(this::printCost);
        }
        printServerText(result);
    }

    /** A line for the end that sent, and one for the end that received, as far as they are known. */
    private void summary(PerfResult result, List<Integer> streams, String id) {
        boolean isClientSender = result.test().isSender(Role.CLIENT, streams.get(0));
        SideReport sender = isClientSender ? result.client() : result.server();
        SideReport receiver = isClientSender ? result.server() : result.client();
        boolean isOwnSender = isClientSender == (result.role() == Role.CLIENT);
        summary(sender, true, streams, new Named(id, isOwnSender));
        summary(receiver, false, streams, new Named(id, isOwnSender));
    }

    /** What stands in front of a line of the summary. */
    private record Named(String id, boolean isOwnSender) {}

    private void summary(SideReport side, boolean isSender, List<Integer> streams, Named named) {
        if (side == null) {
            return;
        }
        List<StreamReport> reports =
                streams.stream().map(i -> side.streams().get(i)).toList();
        long bytes = reports.stream().mapToLong(StreamReport::bytes).sum();
        long nanos = reports.stream().mapToLong(StreamReport::nanos).max().orElse(0);
        long frames =
                reports.stream().mapToLong(StreamReport::retransmittedFrames).sum();
        Line line = new Line(named.id, named.isOwnSender, 0, nanos, bytes, Rates.bps(bytes, nanos));
        out.println(String.format(
                Locale.ROOT,
                "%s%-18s%s",
                columns(line),
                isSender ? String.format(Locale.ROOT, "  %4d", frames) : "",
                isSender ? "sender" : "receiver"));
    }

    private void printLatency(Latency latency) {
        out.println();
        new TextTable("Responses", "min", "p50", "p90", "p99", "p99.9", "p99.99", "max")
                .row(
                        Long.toString(latency.count()),
                        Durations.print(latency.minNanos()),
                        Durations.print(latency.p50Nanos()),
                        Durations.print(latency.p90Nanos()),
                        Durations.print(latency.p99Nanos()),
                        Durations.print(latency.p999Nanos()),
                        Durations.print(latency.p9999Nanos()),
                        Durations.print(latency.maxNanos()))
                .print(out);
    }

    private void printWorkload(WorkloadReport report) {
        WorkloadReport.Load load = report.load();
        out.println();
        out.println(load.messages() + " messages, " + Rates.print(load.offeredBps())
                + " offered; alone the shortest took "
                + Durations.print(load.baseNanos()) + "; at most " + load.backlogMax() + " waited for a connection"
                + (load.unkept() == 0 ? "" : "; " + load.unkept() + " were too many to be sent or remembered"));
        TextTable table = TextTable.withHeadings("Sizes, Messages, p50, p99, p50 slowdown, p99 slowdown");
        report.sizes()
                .forEach(sizes ->
                        row(table, Sizes.print(sizes.bytesMin()) + " to " + Sizes.print(sizes.bytesMax()), sizes));
        row(table, "all", report.all());
        table.print(out);
    }

    private static void row(TextTable table, String name, WorkloadReport.Sizes sizes) {
        table.row(
                name,
                Integer.toString(sizes.count()),
                Durations.print(sizes.p50Nanos()),
                Durations.print(sizes.p99Nanos()),
                String.format(Locale.ROOT, "%.2f", sizes.p50Slowdown()),
                String.format(Locale.ROOT, "%.2f", sizes.p99Slowdown()));
    }

    /** Prints how many requests there were in a second, and in a second of both ends' cores. */
    private void printMessages(PerfResult result) {
        if (result.client() == null || result.client().latency() == null || result.server() == null) {
            return;
        }
        long nanos = result.client().nanos();
        double calls = nanos == 0 ? 0 : result.client().latency().count() * NANOS_PER_SECOND / nanos;
        double cores = result.client().cpu().cores() + result.server().cpu().cores();
        out.println(String.format(
                Locale.ROOT,
                "%.0f requests and %.0f messages per second; %.0f requests per second of a core (client %.2f cores,"
                        + " server %.2f)",
                calls,
                2 * calls,
                cores == 0 ? 0 : calls / cores,
                result.client().cpu().cores(),
                result.server().cpu().cores()));
    }

    /** {@return what carried the test at one end, in a line} */
    private static String port(SideReport side) {
        String protocols = side.protocols();
        if (protocols.startsWith(KernelEndpoint.PROTOCOL)) {
            return side.role().word() + ": the kernel's TCP, "
                    + side.streams().get(0).preset();
        }
        return side.environment().ports().stream()
                .map(port -> side.role().word() + ": " + protocols + " over " + port.backend() + " "
                        + port.mode() + " on " + port.name() + ", MTU " + port.mtuBytes() + ", link taken as "
                        + Rates.print(side.linkRateBps()))
                .collect(Collectors.joining("; "));
    }

    /** Prints what has cost goodput or time at one end, if anything has. */
    private void printCost(SideReport side) {
        long nanos = side.nanos();
        double offCore = nanos == 0 ? 0 : Math.min(1, (double) side.loop().pausedNanos() / nanos);
        if (offCore >= OFF_CORE_FRACTION_TOLD) {
            out.println("The " + side.role().word() + "'s machine was busy: its loop was off its core for "
                    + Fractions.print(offCore) + " of the time, at most "
                    + Durations.print(side.loop().pauseLongestNanos()) + " at once");
        }
    }

    private void printSide(SideReport side) {
        String reasons = side.environment().ports().stream()
                .map(port -> "; " + port.reason() + (port.scheduling() == null ? "" : "; loop: " + port.scheduling()))
                .collect(Collectors.joining());
        out.println(port(side) + reasons);
        printLoop(side.role().word(), side.loop());
        HostCounts counts = side.counts();
        HostCounts.Credits credits = counts.credits();
        out.println(side.role().word() + ": " + Sizes.print(counts.retransmittedBytes()) + " retransmitted, "
                + counts.retransmissionTimeouts() + " time-outs; credits: " + credits.used() + " used, "
                + credits.wasted() + " wasted, " + credits.expired() + " expired; " + counts.drops()
                + " frames dropped; "
                + String.format(Locale.ROOT, "%.2f cores", side.cpu().cores()));
    }

    private void printLoop(String role, LoopReport loop) {
        String share = loop.coreShare() == null
                ? ""
                : String.format(Locale.ROOT, "; it got %.0f %% of the core that it could use", 100 * loop.coreShare());
        out.println(role + ": the loop was off its core " + loop.pauses() + " times, "
                + Durations.print(loop.pausedNanos()) + " in all (p50 " + Durations.print(loop.pauseP50Nanos())
                + ", p99 " + Durations.print(loop.pauseP99Nanos()) + ", longest "
                + Durations.print(loop.pauseLongestNanos()) + ")" + share + "; pause budget "
                + Sizes.print(loop.pauseBudgetBytes()) + ", of which at most " + Sizes.print(loop.impliedQueueBytes())
                + " were added to queues");
    }

    private void printServerText(PerfResult result) {
        if (result.role() == Role.CLIENT
                && result.server() != null
                && result.server().text() != null) {
            out.println();
            out.println("Server output:");
            result.server().text().lines().forEach(out::println);
        }
    }
}
