package io.weir.papers.ccrp;

import io.weir.papers.Convergence;
import io.weir.papers.Statistics;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What remains of a run in which flows of two kinds share a link. All of it but the series is of the time after the
 * warm-up.
 *
 * @param reactiveBps the goodput of each flow of the first kind
 * @param creditsBps the goodput of each flow of the second
 * @param reactiveSeriesBps the goodput of the first kind together, millisecond by millisecond
 * @param creditsSeriesBps the goodput of the second
 * @param utilization how much of the shared link was used, frames as on the wire
 * @param queueBytesMean how much waited for it
 * @param dataDrops data frames dropped
 */
record Mix(
        List<Double> reactiveBps,
        List<Double> creditsBps,
        List<Double> reactiveSeriesBps,
        List<Double> creditsSeriesBps,
        double utilization,
        double queueBytesMean,
        long dataDrops) {
    /** When flows of the second kind begin, in intervals. */
    static final int JOIN_INTERVAL = 10;

    private static final double TOLERANCE = 0.2;
    private static final int WINDOW = 10;

    static Mix of(ScenarioResult result) {
        PortResult shared = result.ports().stream()
                .max(Comparator.comparingDouble(PortResult::utilization))
                .orElseThrow();
        return new Mix(
                goodputs(result, Mixes.REACTIVE),
                goodputs(result, Mixes.CREDITS),
                series(result, Mixes.REACTIVE),
                series(result, Mixes.CREDITS),
                shared.utilization(),
                shared.queueBytesMean(),
                result.summary().dataDrops());
    }

    private static List<Double> goodputs(ScenarioResult result, String kind) {
        return result.flows().stream()
                .filter(flow -> flow.id().startsWith(kind))
                .map(FlowResult::goodputBps)
                .toList();
    }

    private static List<Double> series(ScenarioResult result, String kind) {
        List<Double> sum = new ArrayList<>();
        for (Series.FlowSeries flow : result.series().flows()) {
            for (int i = 0; flow.id().startsWith(kind) && i < flow.goodputBps().size(); i++) {
                if (i == sum.size()) {
                    sum.add(0.0);
                }
                sum.set(i, sum.get(i) + flow.goodputBps().get(i));
            }
        }
        return sum;
    }

    /** {@return the share of the second kind in what both got} */
    double creditsShare() {
        double credits = Statistics.mean(creditsBps) * creditsBps.size();
        return credits / (credits + Statistics.mean(reactiveBps) * reactiveBps.size());
    }

    /** {@return how many times as much the second kind got, with as many flows} */
    double ratio() {
        return Statistics.mean(creditsBps) / Statistics.mean(reactiveBps);
    }

    /** {@return Jain's index of all flows} */
    double jain() {
        List<Double> all = new ArrayList<>(reactiveBps);
        all.addAll(creditsBps);
        return Statistics.jain(all);
    }

    /** {@return the share of the second kind, millisecond by millisecond} */
    List<Double> shares() {
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < creditsSeriesBps.size(); i++) {
            double both = creditsSeriesBps.get(i) + reactiveSeriesBps.get(i);
            shares.add(both == 0 ? 0 : creditsSeriesBps.get(i) / both);
        }
        return shares;
    }

    /**
     * {@return how long it takes until both have half within a fifth over ten milliseconds, from the second's start on}
     */
    double convergenceMillis() {
        return Convergence.settled(shares(), JOIN_INTERVAL, 0.5, TOLERANCE, WINDOW);
    }
}
