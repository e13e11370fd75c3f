package io.weir.cli.perf;

import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Prints a test for people: each interval when it is over, and in the end what both ends saw. */
final class TextReporter implements PerfListener {
    private static final double NANOS_PER_SECOND = 1e9;

    /** A loop that was off its core for less of the time has cost less than that of the goodput. */
    private static final double OFF_CORE_FRACTION_TOLD = 0.01;

    private final PrintWriter out;
    private final boolean isVerbose;

    /**
     * Creates a reporter.
     *
     * @param isVerbose whether to print all that was found
     */
    TextReporter(PrintWriter out, boolean isVerbose) {
        this.out = out;
        this.isVerbose = isVerbose;
    }

    @Override
    public void onStart(Role role, TestSpec spec, String peer) {
        out.println((role == Role.CLIENT ? "Connected to " : "Serving ") + peer + ": " + describe(spec));
        out.println(cells("Stream", "Interval", "Payload", "Goodput", "RTT", ""));
        out.flush();
    }

    private static String describe(TestSpec spec) {
        String end = spec.timeNanos() > 0
                ? "for " + Durations.print(spec.timeNanos())
                : Sizes.print(spec.totalBytes()) + (spec.direction() == Direction.BOTH ? " each way" : "");
        String streams = spec.parallel() == 1 ? "one stream" : spec.parallel() + " streams";
        if (spec.kind() == Kind.REQUEST_RESPONSE) {
            return "requests and responses of " + Sizes.print(spec.lengthBytes()) + ", " + streams + ", " + end;
        }
        String way =
                switch (spec.direction()) {
                    case FORWARD -> "to the server";
                    case REVERSE -> "to the client";
                    case BOTH -> "each way";
                };
        return streams + " " + way + ", " + end
                + (spec.bitrateBps() > 0 ? ", at most " + Rates.print(spec.bitrateBps()) + " each" : "");
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        for (Interval.StreamShare share : interval.streams()) {
            String rtt = share.rttNanos() == 0 ? "" : Durations.print(share.rttNanos());
            line(
                    "[" + share.stream() + "] " + way(share.sender()),
                    interval,
                    share.bytes(),
                    share.goodputBps(),
                    rtt,
                    "");
        }
        sum(interval, true, interval.sentBytes(), interval.sentBps());
        sum(interval, false, interval.receivedBytes(), interval.receivedBps());
        if (interval.latency() != null) {
            Latency latency = interval.latency();
            out.println("     " + latency.count() + " responses, p50 " + Durations.print(latency.p50Nanos()) + ", p99 "
                    + Durations.print(latency.p99Nanos()) + ", max " + Durations.print(latency.maxNanos()));
        }
        out.flush();
    }

    private void sum(Interval interval, boolean isSender, long bytes, double goodputBps) {
        long count = interval.streams().stream()
                .filter(share -> share.sender() == isSender)
                .count();
        HostCounts counts = interval.counts();
        String again = isSender ? Sizes.print(counts.retransmittedBytes()) + " retransmitted" : "";
        if (count > 1 || (count == 1 && counts.retransmittedBytes() > 0 && isSender)) {
            line("[SUM] " + way(isSender), interval, bytes, goodputBps, "", again);
        }
    }

    private void line(String stream, Interval interval, long bytes, double goodputBps, String rtt, String more) {
        String time = String.format(
                Locale.ROOT,
                "%.2f-%.2f s",
                interval.startNanos() / NANOS_PER_SECOND,
                interval.endNanos() / NANOS_PER_SECOND);
        out.println(cells(stream, time, Sizes.print(bytes), Rates.print(goodputBps), rtt, more));
    }

    private static String cells(String... cells) {
        return String.format(Locale.ROOT, "%-12s %16s %11s %12s %11s  %s", (Object[]) cells)
                .stripTrailing();
    }

    private static String way(boolean isSender) {
        return isSender ? "sent" : "received";
    }

    /** Prints what both ends saw. */
    void printResult(PerfResult result) {
        out.println();
        TextTable table = TextTable.withHeadings(
                ", Sent, Goodput, Received, Goodput, Retransmitted, Credits used/wasted/expired, Dropped");
        for (SideReport side : result.sides().toList()) {
            HostCounts counts = side.counts();
            HostCounts.Credits credits = counts.credits();
            table.row(
                    side.role().word(),
                    Sizes.print(side.bytes(true)),
                    Rates.print(side.goodputBps(true)),
                    Sizes.print(side.bytes(false)),
                    Rates.print(side.goodputBps(false)),
                    Sizes.print(counts.retransmittedBytes()),
                    credits.used() + "/" + credits.wasted() + "/" + credits.expired(),
                    Long.toString(counts.drops()));
        }
        table.print(out);
        result.sides().map(SideReport::latency).filter(Objects::nonNull).forEach(this::printLatency);
        out.println();
        if (isVerbose) {
            result.sides().forEach(this::printSide);
        } else {
            out.println(OutputOptions.clipped(port(result.local())));
            result.sides().forEach(this::printCost);
        }
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

    /** {@return what carried the test at one end, in a line} */
    private static String port(SideReport side) {
        return side.environment().ports().stream()
                .map(port -> side.role().word() + ": " + side.protocols() + " over " + port.backend() + " "
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
}
