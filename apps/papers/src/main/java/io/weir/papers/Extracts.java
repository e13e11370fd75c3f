package io.weir.papers;

import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** What figures take from results, and the claim that all of them make. */
public final class Extracts {
    /** What a flow that joins must have of its share. */
    private static final double JOINED = 0.8;

    private Extracts() {}

    /** {@return the goodput of each flow, in bit/s} */
    public static List<Double> goodputs(ScenarioResult result) {
        return result.flows().stream().map(FlowResult::goodputBps).toList();
    }

    /** {@return the most that any port's data queue held} */
    public static double queueBytesMax(ScenarioResult result) {
        return result.ports().stream()
                .mapToDouble(PortResult::queueBytesMax)
                .max()
                .orElse(0);
    }

    /** {@return the goodput of the flow of a name, interval by interval} */
    public static List<Double> series(ScenarioResult result, String flow) {
        return result.series().flows().stream()
                .filter(series -> series.id().startsWith(flow))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no series of a flow " + flow))
                .goodputBps();
    }

    /** {@return the completion times of all flows of {@code from} to {@code to} bytes that came to their end} */
    public static List<Double> completionNanosOfSizes(ScenarioResult result, long from, long to) {
        return result.flows().stream()
                .filter(flow -> flow.completionNanos() != null && flow.bytes() >= from && flow.bytes() <= to)
                .map(flow -> flow.completionNanos().doubleValue())
                .toList();
    }

    /** {@return Jain's index of all flows, the mean over the intervals from {@code from} on} */
    public static double jainOverIntervals(ScenarioResult result, int from) {
        List<Double> indices = new ArrayList<>();
        List<Series.FlowSeries> flows = result.series().flows();
        for (int i = from; i < result.series().totalGoodputBps().size(); i++) {
            int interval = i;
            indices.add(Statistics.jain(
                    flows.stream().map(flow -> flow.goodputBps().get(interval)).toList()));
        }
        return Statistics.mean(indices);
    }

    /**
     * {@return how long each flow but the first takes from its opening until it first has 80 % of its share over an
     * interval; infinite if it never does}
     *
     * @param stageIntervals intervals from one opening to the next
     */
    public static List<Double> joiningNanos(ScenarioResult result, int stageIntervals) {
        Series series = result.series();
        double linkBps = Statistics.max(series.totalGoodputBps());
        List<Double> nanos = new ArrayList<>();
        for (int flow = 1; flow < series.flows().size(); flow++) {
            double level = JOINED * linkBps / (flow + 1);
            nanos.add(series.intervalNanos()
                    * Convergence.firstAtLeast(series.flows().get(flow).goodputBps(), flow * stageIntervals, level));
        }
        return nanos;
    }

    /** {@return the claim that no data was dropped in any run of a figure} */
    public static Claim noDrops(String figure, long dataDrops) {
        return Claim.about(figure + "/drops", "No data is dropped in any run of the figure", "0")
                .atMost((double) dataDrops, 0, Unit.NUMBER);
    }
}
