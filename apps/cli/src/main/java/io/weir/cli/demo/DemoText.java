package io.weir.cli.demo;

import io.weir.cli.fabric.QueueStats;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.node.PortInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The demonstration's result for people. */
final class DemoText {
    private static final int LABEL_WIDTH = 40;
    private static final int COLUMN_WIDTH = 22;
    private static final int HASH_DIGITS = 16;

    private final DemoResult result;
    private final List<String> lines = new ArrayList<>();

    private DemoText(DemoResult result) {
        this.result = result;
    }

    static String of(DemoResult result) {
        DemoText text = new DemoText(result);
        text.header();
        text.verified();
        text.table();
        text.footnotes();
        return String.join("\n", text.lines);
    }

    private void add(String format, Object... values) {
        lines.add(String.format(Locale.ROOT, format, values).stripTrailing());
    }

    private void header() {
        DemoPlan plan = result.plan();
        add(
                "Two hosts at %s, two switches, a trunk of %s between them; a round trip has %s of propagation delay.",
                Rates.print(plan.hostBps()), Rates.print(plan.bottleneckBps()), Durations.print(plan.roundTripNanos()));
        for (PortInfo port : result.ports()) {
            add("  port %-12s %s %s (%s)", port.name(), port.backend(), port.mode(), port.modeReason());
        }
        add("");
    }

    private void verified() {
        Transfer transfer = result.transfer();
        add(
                "%-" + LABEL_WIDTH + "s%s of %s, SHA-256 %s: %s",
                "Verified transfer over ExpressPass",
                Sizes.print(transfer.receivedBytes()),
                Sizes.print(transfer.bytes()),
                transfer.receivedSha256().substring(0, HASH_DIGITS),
                transfer.isIntact() ? "matches" : "DOES NOT MATCH");
        add(
                "%-" + LABEL_WIDTH + "s%,d credits came, %,d were dropped",
                "Credit meter of the trunk",
                result.creditsMetered(),
                result.creditsDropped());
        add("");
    }

    private void table() {
        row("", SystemFigures::name);
        add("One flow alone");
        row("  goodput", system -> Rates.print(system.alone().goodputBps()));
        row("  share of the link", system -> Fractions.print(system.alone().linkShare()));
        row("  data queue, p99.9 / max", system -> queue(system.alone().queue()));
        add("Round trips of 64 B, network idle");
        row("  p50", system -> Durations.print(system.idle().p50Nanos()));
        row("  p99", system -> Durations.print(system.idle().p99Nanos()));
        row("  p99.9", system -> Durations.print(system.idle().p999Nanos()));
        add("Round trips of 64 B beside one flow");
        row("  p50", system -> Durations.print(system.loaded().p50Nanos()));
        row("  p99", system -> Durations.print(system.loaded().p99Nanos()));
        row("  p99.9", system -> Durations.print(system.loaded().p999Nanos()));
        row("  data queue, p99.9 / max", system -> queue(system.loadedQueue()));
        add("%d flows for a second", result.plan().flowCount());
        row("  goodput", system -> Rates.print(system.fairness().goodputBps()));
        row(
                "  Jain's index",
                system -> String.format(Locale.ROOT, "%.3f", system.fairness().jainIndex()));
        row("  data queue, p99.9 / max", system -> queue(system.fairness().queue()));
        add("A second flow joins, median of %d", result.plan().joinCount());
        row("  round trips to its share", DemoText::join);
        row("Data frames dropped", system -> String.format(Locale.ROOT, "%,d", system.dataDrops()));
        row(
                "Windows with a loop off its core",
                system -> Fractions.print(system.alone().queue().stalledShare()));
        add("");
    }

    private void row(String label, Function<SystemFigures, String> figure) {
        String tcp = result.tcp() == null ? "" : figure.apply(result.tcp());
        add("%-" + LABEL_WIDTH + "s%-" + COLUMN_WIDTH + "s%s", label, figure.apply(result.weir()), tcp);
    }

    private static String queue(QueueStats queue) {
        return Sizes.print(queue.bytesP999()) + " / " + Sizes.print(queue.bytesMax());
    }

    private static String join(SystemFigures system) {
        Double roundTrips = system.join().medianRoundTrips();
        return roundTrips == null ? "not while observed" : String.format(Locale.ROOT, "%.1f", roundTrips);
    }

    private void footnotes() {
        Goodput goodput = result.goodputExpected();
        add(
                "Expected of one flow alone: %s = %.2f x %s x data share %.4f x %d/%d.",
                Rates.print(goodput.bps()),
                goodput.fraction(),
                Rates.print(goodput.linkBps()),
                goodput.dataShare(),
                goodput.payloadBytes(),
                goodput.frameBytes());
        if (result.mixed() != null) {
            MixedFigures mixed = result.mixed();
            add(
                    "Both at once: Weir %s, TCP %s, data queue p99.9 %s, %,d data frames dropped.",
                    Rates.print(mixed.weirGoodputBps()),
                    Rates.print(mixed.tcpGoodputBps()),
                    Sizes.print(mixed.queue().bytesP999()),
                    mixed.dataDrops());
        }
        if (result.tcpSkipped() != null) {
            add("Kernel TCP was left out: %s", result.tcpSkipped());
        }
        add("Data queue: the trunk's, maxima of windows of 1 ms in which every loop kept its core.");
    }
}
