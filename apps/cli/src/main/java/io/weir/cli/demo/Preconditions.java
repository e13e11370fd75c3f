package io.weir.cli.demo;

import io.weir.cli.lab.QueueStats;
import io.weir.cli.unit.Fractions;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * When a figure may be judged, by measured time off core. One rule for all: pauses may account for at most half of what
 * the limit of the figure leaves to be lost. Then a figure beyond its limit is more the transport's doing than the
 * machine's.
 *
 * <ul>
 *   <li>Goodput: while a loop is off its core, at worst nothing moves. The limit leaves {@code 1 - fraction} of the
 *       product of {@link ExpectedGoodput}, so pauses may take half of that share of the time.
 *   <li>Jain's index: at worst the time that is lost is lost by some flows whole; the index is then one minus its
 *       share.
 *   <li>Data queue: windows in which, or right before which, a loop was off its core are left out. The others are
 *       judged if they cover half of the time.
 *   <li>Round trips: messages go one by one, so each pause delays at most one on an idle network. The slowest 1 % lie
 *       above the 99th percentile; pauses may account for half of them. Other percentiles likewise.
 *   <li>Joins: {@link Joins}.
 * </ul>
 */
final class Preconditions {
    private static final double PART_MAX = 0.5;

    private Preconditions() {}

    /** {@return why figures of one transport are not to be judged; those that may be are absent} */
    static Map<DemoFigure, String> broken(SystemFigures figures) {
        Map<DemoFigure, String> broken = new EnumMap<>(DemoFigure.class);
        for (DemoFigure figure : DemoFigure.values()) {
            String reason = figure.notJudged(figures);
            if (reason != null) {
                broken.put(figure, reason);
            }
        }
        return broken;
    }

    /** {@return why a goodput is not to be judged, or null} */
    static String goodput(DemoPauses pauses) {
        return offCore(pauses, PART_MAX * (1 - ExpectedGoodput.FRACTION));
    }

    /** {@return why Jain's index is not to be judged, or null} */
    static String jainIndex(SystemFigures.Fairness many) {
        return many.jainIndex() == null ? "nothing moved" : offCore(many.pauses(), PART_MAX * (1 - Verdicts.JAIN_MIN));
    }

    private static String offCore(DemoPauses pauses, double fractionMax) {
        return pauses.offCoreFraction() <= fractionMax
                ? null
                : "loops were off their cores for " + Fractions.print(pauses.offCoreFraction())
                        + " of the time, more than " + Fractions.print(fractionMax);
    }

    /** {@return why a data queue is not to be judged, or null} */
    static String queue(QueueStats queue, DemoPauses pauses) {
        double calmFraction = pauses.nanos() == 0 ? 0 : Math.min(1, (double) queue.calmNanos() / pauses.nanos());
        return calmFraction >= PART_MAX && queue.bytesP999() != null
                ? null
                : "windows in which every loop kept its core cover " + Fractions.print(calmFraction)
                        + " of the time, less than " + Fractions.print(PART_MAX);
    }

    /** {@return why a percentile of round trips, as a fraction of them, is not to be judged, or null} */
    static String percentile(Latencies roundTrips, double percentile) {
        if (roundTrips.count() == 0) {
            return "no message was answered";
        }
        long pauses = roundTrips.pauses().count();
        return pauses <= PART_MAX * (1 - percentile) * roundTrips.count()
                ? null
                : String.format(
                        Locale.ROOT,
                        "%,d pauses among %,d round trips may be more than half of those that took longer",
                        pauses,
                        roundTrips.count());
    }
}
