package io.weir.cli.demo;

import io.weir.cli.lab.QueueStats;
import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.node.PortInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The demonstration's result for people. */
final class DemoText {
    private static final int LABEL_WIDTH = 40;
    private static final int COLUMN_WIDTH = 24;
    private static final int HASH_DIGITS = 16;
    private static final int LINE_WIDTH = 116;
    private static final String NOTHING = "-";
    private static final String DOUBT = " *";

    private final DemoResult result;
    private final List<SystemFigures> systems;
    private final Map<SystemFigures, Map<DemoFigure, String>> broken = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();

    private DemoText(DemoResult result) {
        this.result = result;
        systems = result.tcp() == null ? List.of(result.weir()) : List.of(result.weir(), result.tcp());
        systems.forEach(system -> broken.put(system, Preconditions.broken(system)));
    }

    static String of(DemoResult result) {
        DemoText text = new DemoText(result);
        text.header();
        text.offCore();
        text.verified();
        text.table();
        text.doubts();
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

    /** What the machine did comes first: on a busy one it explains more of the table than any transport does. */
    private void offCore() {
        // Verdicts are on Weir alone. Kernel TCP's figures have their stars by the same rules.
        if (result.isMachineBusy()) {
            add(
                    "!!! LOOPS WERE OFF THEIR CORES for %s of the time: this machine did other things meanwhile.",
                    Fractions.print(result.weir().pauses().offCoreFraction()));
            add("!!! Figures with a * show the machine as much as the transport. Do not judge either by them.");
        } else {
            add("Loops kept their cores well enough to judge Weir. Figures with a * show the machine as well.");
        }
        add("");
        TextTable table = new TextTable("Off its core", "of the time", "pauses", "mean", "p50", "p99", "longest");
        for (SystemFigures system : systems) {
            table.row(system.name(), "", "", "", "", "", "");
            system.pauses().hosts().forEach(loop -> addLoop(table, loop));
            addLoop(table, system.pauses().switches());
        }
        lines.addAll(table.lines());
        for (SystemFigures system : systems) {
            addWrapped("With a * in " + system.name() + ": "
                    + labels(broken.get(system).keySet()) + ".");
        }
        add("");
    }

    private void addWrapped(String sentence) {
        StringBuilder line = new StringBuilder();
        for (String word : sentence.split(" (?!%)", -1)) {
            if (line.length() + word.length() >= LINE_WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
                line.append("   ");
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
    }

    private static void addLoop(TextTable table, DemoPauses.Loop loop) {
        table.row(
                "  " + loop.loop(),
                Fractions.print(loop.offCoreFraction()),
                String.format(Locale.ROOT, "%,d", loop.count()),
                orNothing(loop.meanNanos(), Durations::print),
                orNothing(loop.p50Nanos(), Durations::print),
                orNothing(loop.p99Nanos(), Durations::print),
                orNothing(loop.longestNanos(), Durations::print));
    }

    private static String orNothing(Number value, DoubleFunction<String> text) {
        return value == null ? NOTHING : text.apply(value.doubleValue());
    }

    private static String labels(Collection<DemoFigure> figures) {
        if (figures.isEmpty()) {
            return "none";
        }
        return figures.size() == DemoFigure.values().length
                ? "all"
                : figures.stream().map(DemoFigure::label).collect(Collectors.joining(", "));
    }

    private void verified() {
        DemoResult.Transfer transfer = result.transfer();
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
        row(
                "  goodput",
                DemoFigure.ALONE_GOODPUT,
                system -> Rates.print(system.alone().goodputBps()));
        row(
                "  share of the link",
                DemoFigure.ALONE_SHARE,
                system -> Fractions.print(system.alone().linkShare()));
        row(
                "  data queue, p99.9 / max",
                DemoFigure.ALONE_QUEUE,
                system -> queue(system.alone().queue()));
        offCoreRow(system -> system.alone().pauses(), DemoFigure.ALONE_GOODPUT);
        add("Round trips of 64 B, network idle");
        row("  p50", DemoFigure.IDLE_P50, system -> nanos(system.idle().p50Nanos()));
        row("  p99", DemoFigure.IDLE_P99, system -> nanos(system.idle().p99Nanos()));
        row("  p99.9", DemoFigure.IDLE_P999, system -> nanos(system.idle().p999Nanos()));
        offCoreRow(system -> system.idle().pauses(), DemoFigure.IDLE_P50);
        add("Round trips of 64 B next to one flow");
        row("  p50", DemoFigure.LOADED_P50, system -> nanos(system.loaded().p50Nanos()));
        row("  p99", DemoFigure.LOADED_P99, system -> nanos(system.loaded().p99Nanos()));
        row("  p99.9", DemoFigure.LOADED_P999, system -> nanos(system.loaded().p999Nanos()));
        row("  data queue, p99.9 / max", DemoFigure.LOADED_QUEUE, system -> queue(system.loadedQueue()));
        offCoreRow(system -> system.loaded().pauses(), DemoFigure.LOADED_P50);
        add("%d flows for a second", result.plan().flowCount());
        row(
                "  goodput",
                DemoFigure.MANY_GOODPUT,
                system -> Rates.print(system.fairness().goodputBps()));
        row(
                "  Jain's index",
                DemoFigure.MANY_JAIN,
                system -> orNothing(system.fairness().jainIndex(), index -> String.format(Locale.ROOT, "%.3f", index)));
        row(
                "  data queue, p99.9 / max",
                DemoFigure.MANY_QUEUE,
                system -> queue(system.fairness().queue()));
        offCoreRow(system -> system.fairness().pauses(), DemoFigure.MANY_GOODPUT);
        add("A second flow joins, %d times", result.plan().joinCount());
        row("  round trips to its share, median", DemoFigure.JOIN, DemoText::join);
        row(
                "  joins that can be judged",
                system -> system.join() == null
                        ? NOTHING
                        : Integer.toString(system.join().judged()));
        row("Data frames dropped", system -> String.format(Locale.ROOT, "%,d", system.dataDrops()));
        add("");
    }

    private void row(String label, Function<SystemFigures, String> figure) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-" + LABEL_WIDTH + "s", label));
        systems.forEach(
                system -> line.append(String.format(Locale.ROOT, "%-" + COLUMN_WIDTH + "s", figure.apply(system))));
        lines.add(line.toString().stripTrailing());
    }

    private void row(String label, DemoFigure figure, Function<SystemFigures, String> value) {
        row(
                label,
                system -> figure.isMeasured(system)
                        ? value.apply(system) + (broken.get(system).containsKey(figure) ? DOUBT : "")
                        : NOTHING);
    }

    private void offCoreRow(Function<SystemFigures, DemoPauses> pauses, DemoFigure figure) {
        row("  loops off their cores", system -> figure.isMeasured(system) ? offCore(pauses.apply(system)) : NOTHING);
    }

    private static String nanos(Long nanos) {
        return orNothing(nanos, Durations::print);
    }

    private static String offCore(DemoPauses pauses) {
        return Fractions.print(pauses.offCoreFraction()) + " of the time";
    }

    private static String queue(QueueStats queue) {
        return queue.bytesP999() == null
                ? NOTHING
                : Sizes.print(queue.bytesP999()) + " / " + Sizes.print(queue.bytesMax());
    }

    private static String join(SystemFigures system) {
        Joins joins = system.join();
        if (joins.judged() == 0) {
            return NOTHING;
        }
        Double roundTrips = joins.medianRoundTrips();
        return roundTrips == null ? Joins.NEVER : String.format(Locale.ROOT, "%.1f", roundTrips);
    }

    private void doubts() {
        for (SystemFigures system : systems) {
            Map<String, List<DemoFigure>> figuresOf = new LinkedHashMap<>();
            broken.get(system).forEach((figure, reason) -> figuresOf
                    .computeIfAbsent(reason, added -> new ArrayList<>())
                    .add(figure));
            figuresOf.forEach((reason, figures) ->
                    addWrapped("* " + system.name() + ", " + labels(figures) + ": " + reason + "."));
        }
        if (broken.values().stream().anyMatch(figures -> !figures.isEmpty())) {
            add("");
        }
    }

    private void footnotes() {
        ExpectedGoodput goodput = result.goodputExpected();
        add(
                "Expected of one flow alone: %s = %.2f x %s x data share %.4f x %d/%d.",
                Rates.print(goodput.bps()),
                goodput.fraction(),
                Rates.print(goodput.linkBps()),
                goodput.dataShare(),
                goodput.payloadBytes(),
                goodput.frameBytes());
        if (result.virtualTime() != null) {
            VirtualFigures virtual = result.virtualTime();
            addWrapped("The same network in virtual time: one flow " + Rates.print(virtual.goodputBps())
                    + ", at most " + Sizes.print(virtual.queueBytesMax()) + " of data queued, "
                    + virtual.dataDrops() + " data frames dropped; round trips of 64 B p50 "
                    + Durations.print(virtual.idleP50Nanos()) + ", p99 " + Durations.print(virtual.idleP99Nanos())
                    + ", next to one flow p50 " + Durations.print(virtual.loadedP50Nanos()) + ", p99 "
                    + Durations.print(virtual.loadedP99Nanos()) + ".");
        }
        if (result.mixed() != null) {
            DemoResult.Mixed mixed = result.mixed();
            String doubt = Preconditions.goodput(mixed.pauses()) == null ? "" : DOUBT;
            String queueDoubt = Preconditions.queue(mixed.queue(), mixed.pauses()) == null ? "" : DOUBT;
            addWrapped(String.format(
                    Locale.ROOT,
                    "Both at once: Weir %s, TCP %s, data queue p99.9 %s, %,d data frames dropped;"
                            + " loops off their cores %s.",
                    Rates.print(mixed.weirGoodputBps()) + doubt,
                    Rates.print(mixed.tcpGoodputBps()) + doubt,
                    orNothing(mixed.queue().bytesP999(), Sizes::print) + queueDoubt,
                    mixed.dataDrops(),
                    offCore(mixed.pauses())));
        }
        if (result.tcpSkipped() != null) {
            add("Kernel TCP was left out: %s", result.tcpSkipped());
        }
        add("Data queue: the trunk's, maxima of windows of 1 ms in which every loop kept its core.");
        addWrapped(
                "Off its core: a loop did not come round for 100 us or more, though it had not chosen to sleep. A single"
                        + " round with that much work counts too. One thread runs both hosts' loops. The threads of"
                        + " kernel TCP are not watched, so it may have lost more than is shown.");
    }
}
