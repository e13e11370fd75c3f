package io.weir.papers.expresspass;

import io.weir.papers.Convergence;
import io.weir.papers.Extracts;
import io.weir.papers.Statistics;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;
import java.util.function.Function;

/**
 * What remains of a run in which a second flow joins one that fills the link: goodput for every round trip of 100 us.
 *
 * @param joinInterval the interval in which it opened
 * @param totalBps the goodput of both
 * @param joiningBps that of the second
 * @param dataDrops frames dropped
 */
record JoiningFlow(int joinInterval, List<Double> totalBps, List<Double> joiningBps, long dataDrops) {
    /** The length of an interval, a round trip. */
    static final double INTERVAL_MICROS = 100;

    private static final int INTERVALS_PER_MILLI = 10;
    private static final double SHARE = 0.8;
    private static final double TOLERANCE = 0.1;

    /**
     * A round trip at 10 Gbps holds 38 frames of a flow, some 10 % more or less: five of them show its share to 5 %.
     */
    private static final int WINDOW = 5;

    /** {@return what the files of two flows must be told} */
    static List<String> settings(String joining, int joinMillis, int endMillis, int seed) {
        return List.of(
                "duration=" + endMillis + "ms",
                "traffic[" + joining + "].start=" + joinMillis + "ms",
                "measure={interval: 100us, warmUp: " + joinMillis + "ms, perFlow: true}",
                "seed=" + seed);
    }

    /** {@return what makes one of a result} */
    static Function<ScenarioResult, JoiningFlow> of(String joining, int joinMillis) {
        return result -> new JoiningFlow(
                joinMillis * INTERVALS_PER_MILLI,
                result.series().totalGoodputBps(),
                Extracts.series(result, joining),
                result.summary().dataDrops());
    }

    /** {@return the round trips from its opening on until it first has 80 % of its fair share in one} */
    double roundTripsToShare() {
        return Convergence.firstAtLeast(joiningBps, joinInterval, SHARE * fairBps());
    }

    /**
     * {@return the round trips from its opening on until it first has 80 % of its fair share over ten: the paper's mean
     * of DCTCP}
     */
    double roundTripsToShareOverTen() {
        return Convergence.firstMeanAtLeast(joiningBps, joinInterval, SHARE * fairBps(), 2 * WINDOW);
    }

    /**
     * {@return the round trips from its opening on until it first has its fair share within a tenth, over five of them}
     */
    double roundTripsToSettle() {
        return Convergence.settled(joiningBps, joinInterval, fairBps(), TOLERANCE, WINDOW);
    }

    /** {@return half of what the link gave before} */
    private double fairBps() {
        return Statistics.mean(totalBps.subList(joinInterval / 2, joinInterval)) / 2;
    }
}
