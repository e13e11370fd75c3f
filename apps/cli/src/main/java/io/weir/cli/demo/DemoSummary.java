package io.weir.cli.demo;

import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.TextTable;
import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** The demonstration's result in ten lines: what a newcomer needs. {@link DemoText} has all of it. */
final class DemoSummary {
    private static final int HASH_DIGITS = 16;
    private static final String NOTHING = "-";
    private static final String SPOILT = "~";

    private final DemoResult result;

    private DemoSummary(DemoResult result) {
        this.result = result;
    }

    /** {@return the lines} */
    static List<String> of(DemoResult result) {
        return new DemoSummary(result).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(built());
        lines.add(transferred());
        if (result.isMachineBusy()) {
            lines.add(busy());
        }
        lines.addAll(table());
        lines.add("All figures and their conditions: weir demo " + OutputOptions.VERBOSE
                + "; what they mean: README.md and docs/CLI.md");
        return lines.stream().map(OutputOptions::clipped).toList();
    }

    private String built() {
        DemoPlan plan = result.plan();
        return "Two hosts and two switches over "
                + (result.ports().isEmpty() ? "memory" : result.ports().get(0).backend()) + ": links of "
                + Rates.print(plan.hostBps()) + ", " + Rates.print(plan.bottleneckBps())
                + " between the switches, round trips of " + Durations.print(plan.roundTripNanos());
    }

    private String transferred() {
        DemoResult.Transfer transfer = result.transfer();
        return Sizes.print(transfer.receivedBytes()) + " of " + Sizes.print(transfer.bytes())
                + " arrived over ExpressPass; SHA-256 "
                + transfer.receivedSha256().substring(0, HASH_DIGITS)
                + (transfer.isIntact() ? " matches" : " DOES NOT MATCH");
    }

    private String busy() {
        return "This machine was busy: " + SPOILT + " marks what "
                + Fractions.print(result.weir().pauses().offCoreFraction())
                + " of the time off its cores has spoilt"
                + (result.virtualTime() == null ? "" : "; virtual time has no pauses");
    }

    private List<String> table() {
        List<String> headings = new ArrayList<>(List.of(""));
        systems().forEach(system -> headings.add(system.name()));
        if (result.virtualTime() != null) {
            headings.add("Weir, virtual time");
        }
        TextTable table = new TextTable(headings.toArray(String[]::new));
        row(
                table,
                "one flow",
                system -> figure(
                        system,
                        DemoFigure.ALONE_GOODPUT,
                        () -> Rates.print(system.alone().goodputBps())),
                virtual -> Rates.print(virtual.goodputBps()));
        row(
                table,
                "most data queued",
                system -> figure(
                        system,
                        DemoFigure.ALONE_QUEUE,
                        () -> size(system.alone().queue().bytesMax())),
                virtual -> Sizes.print(virtual.queueBytesMax()));
        row(table, "data frames lost", system -> grouped(system.dataDrops()), virtual -> grouped(virtual.dataDrops()));
        row(
                table,
                "round trip of 64 B, idle: p50 / p99",
                system -> latency(system, system.idle(), DemoFigure.IDLE_P50, DemoFigure.IDLE_P99),
                virtual -> Durations.print(virtual.idleP50Nanos()) + " / " + Durations.print(virtual.idleP99Nanos()));
        row(
                table,
                "round trip of 64 B next to one flow",
                system -> latency(system, system.loaded(), DemoFigure.LOADED_P50, DemoFigure.LOADED_P99),
                virtual ->
                        Durations.print(virtual.loadedP50Nanos()) + " / " + Durations.print(virtual.loadedP99Nanos()));
        return table.lines();
    }

    private List<SystemFigures> systems() {
        return result.tcp() == null ? List.of(result.weir()) : List.of(result.weir(), result.tcp());
    }

    private void row(
            TextTable table,
            String label,
            Function<SystemFigures, String> measured,
            Function<VirtualFigures, String> virtual) {
        List<String> cells = new ArrayList<>(List.of(label));
        systems().forEach(system -> cells.add(measured.apply(system)));
        if (result.virtualTime() != null) {
            cells.add(virtual.apply(result.virtualTime()));
        }
        table.row(cells.toArray(String[]::new));
    }

    /** {@return a figure with its mark, or what stands for one that was not measured} */
    private static String figure(SystemFigures system, DemoFigure figure, Supplier<String> text) {
        if (!figure.isMeasured(system)) {
            return NOTHING;
        }
        String plain = text.get();
        return plain.equals(NOTHING) || figure.notJudged(system) == null ? plain : SPOILT + plain;
    }

    private static String latency(SystemFigures system, Latencies latencies, DemoFigure p50, DemoFigure p99) {
        return figure(system, p50, () -> nanos(latencies.p50Nanos())) + " / "
                + figure(system, p99, () -> nanos(latencies.p99Nanos()));
    }

    private static String nanos(Long nanos) {
        return nanos == null ? NOTHING : Durations.print(nanos);
    }

    private static String size(Long bytes) {
        return bytes == null ? NOTHING : Sizes.print(bytes);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
