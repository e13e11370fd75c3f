package io.weir.papers.matrix;

import io.weir.papers.Scale;
import io.weir.papers.Unit;
import io.weir.papers.matrix.Metric.Demand;
import io.weir.transport.scenario.result.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cells of messages over connections that stay open. */
final class WarmCells {
    /** 2,000 messages a cell, over five seeds. */
    private static final int SEEDS = 5;

    private static final int MESSAGES = 2_000 / SEEDS;
    private static final int MESSAGES_QUICK = 100;
    private static final List<Integer> KILOBYTES = List.of(1, 4, 10, 64);
    private static final List<Double> LOADS = List.of(0.02, 0.2, 0.6);

    /** How much longer than with the better of the other rules 99 % may take. */
    private static final double FACTOR = 1.1;

    private static final double MORE_NANOS = 1_000;

    /** A message that waits for a timer of the default's takes 2 ms longer. */
    private static final double STALL_NANOS = 1_000_000;

    private WarmCells() {}

    /** {@return the 24 cells; the small size has fewer messages and one seed} */
    static List<Cell> warm(Scale scale) {
        boolean isFull = scale == Scale.FULL;
        List<Cell> cells = new ArrayList<>();
        for (int size = 0; size < KILOBYTES.size(); size++) {
            for (int load = 0; load < LOADS.size(); load++) {
                for (boolean isShared : List.of(false, true)) {
                    // Alternately in each direction: no size, load or neighbour has one rate alone.
                    boolean isFast = (size + load + (isShared ? 1 : 0)) % 2 == 1;
                    cells.add(warm(
                            KILOBYTES.get(size),
                            LOADS.get(load),
                            isFast ? 100 : 10,
                            isShared,
                            isFull ? MESSAGES : MESSAGES_QUICK,
                            IntStream.rangeClosed(1, isFull ? SEEDS : 1).boxed().toList()));
                }
            }
        }
        return cells;
    }

    static Cell warm(int kilobytes, double load, int gbps, boolean isShared, int messages, List<Integer> seeds) {
        List<String> settings = new ArrayList<>(List.of(
                Matrix.text("topology.rate=%dGbps", gbps),
                Matrix.text("traffic[warm].size=%dKB", kilobytes),
                Matrix.text("traffic[warm].rate=%.0fMbps", load * gbps * 1_000),
                Matrix.text("traffic[warm].count=%d", messages)));
        if (!isShared) {
            settings.add("traffic[long].size=1B");
        }
        return Cell.of(
                Matrix.text(
                        isShared ? "%d KB, load %.2f, %d Gbps, next to a long flow" : "%d KB, load %.2f, %d Gbps",
                        kilobytes,
                        load,
                        gbps),
                "warm.yaml",
                seeds,
                List.of(
                        nanos("p50", Percentiles::p50).heldTo(),
                        nanos("p99", Percentiles::p99).heldTo(others(FACTOR, MORE_NANOS)),
                        nanos("longest", Percentiles::max).worst().heldTo(others(1, STALL_NANOS))),
                settings.toArray(String[]::new));
    }

    private static Metric nanos(String name, ToDoubleFunction<Percentiles> value) {
        return Metric.less(name, Unit.NANOS, result -> Reading.messageNanos(result, "warm", value));
    }

    private static Demand[] others(double factor, double moreNanos) {
        return Stream.of(Contestant.AUTHORS_CAREFUL, Contestant.AUTHORS_BOLD, Contestant.PAPER)
                .map(rule -> Demand.of(rule, factor, moreNanos))
                .toArray(Demand[]::new);
    }
}
