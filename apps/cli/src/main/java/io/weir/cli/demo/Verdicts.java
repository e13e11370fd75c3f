package io.weir.cli.demo;

import io.weir.cli.output.Criterion;
import java.util.List;
import java.util.Map;

/**
 * What Weir is made for, as {@code --strict} demands it of the exit status, where {@link Preconditions} allow to judge
 * it.
 */
final class Verdicts {
    static final double JAIN_MIN = 0.95;
    static final long QUEUE_BYTES_MAX = 18_000;
    static final double JOIN_ROUND_TRIPS_MAX = 10;

    private Verdicts() {}

    /** {@return the verdicts on a result} */
    static List<Criterion> of(DemoResult result) {
        SystemFigures weir = result.weir();
        Map<DemoFigure, String> broken = Preconditions.broken(weir);
        return List.of(
                Criterion.atLeast(
                                "goodput of one flow",
                                weir.alone().goodputBps(),
                                result.goodputExpected().bps(),
                                "bps")
                        .unless(broken.get(DemoFigure.ALONE_GOODPUT)),
                jainIndex(weir.fairness().jainIndex()).unless(broken.get(DemoFigure.MANY_JAIN)),
                queue(weir.alone().queue().bytesP999()).unless(broken.get(DemoFigure.ALONE_QUEUE)),
                join(weir.join()).unless(broken.get(DemoFigure.JOIN)),
                // Without a precondition: no pause is an excuse for a drop.
                Criterion.atMost("data frames dropped", weir.dataDrops(), 0, ""));
    }

    private static Criterion jainIndex(Double jainIndex) {
        String name = "Jain's index of many flows";
        return jainIndex == null
                ? new Criterion(name, null, ">=", JAIN_MIN, "", false)
                : Criterion.atLeast(name, jainIndex, JAIN_MIN, "");
    }

    private static Criterion queue(Long bytesP999) {
        String name = "data queue, p99.9";
        return bytesP999 == null
                ? new Criterion(name, null, "<=", QUEUE_BYTES_MAX, "B", false)
                : Criterion.atMost(name, bytesP999, QUEUE_BYTES_MAX, "B");
    }

    private static Criterion join(Joins joins) {
        String name = "round trips until a second flow has its share";
        String unknown = joins.notJudged() == null ? Joins.NEVER : null;
        return joins.medianRoundTrips() == null
                ? new Criterion(name, unknown, "<=", JOIN_ROUND_TRIPS_MAX, "", false)
                : Criterion.atMost(name, joins.medianRoundTrips(), JOIN_ROUND_TRIPS_MAX, "");
    }
}
