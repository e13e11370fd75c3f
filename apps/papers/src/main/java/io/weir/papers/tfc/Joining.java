package io.weir.papers.tfc;

import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * What remains of a run in which four flows of two hosts come one after the other.
 *
 * @param intervalMillis the length of an interval
 * @param flows the goodput of each, interval by interval
 * @param queueBytes the longest queue, interval by interval
 * @param port the port that they share, from the second flow on
 * @param dataDrops frames dropped
 */
record Joining(
        double intervalMillis, List<Series.FlowSeries> flows, List<Long> queueBytes, PortResult port, long dataDrops) {
    /** The file of figures 8 and 9. */
    static final String FILE = "tfc/fig08-joining-flows.yaml";

    private static final String SMALLER =
            "a flow comes every 400 ms in place of three seconds: more than 6,000 round trips, and twenty samples of 20 ms each.";
    private static final int JOINS = 4;

    static Setting setting(Scale scale) {
        return Testbed.setting(scale, SMALLER);
    }

    /** {@return a run by each protocol of the figures} */
    static List<PaperRun<Joining>> runs(Scale scale) {
        return Testbed.ALL.stream().map(variant -> run(variant, scale)).toList();
    }

    static PaperRun<Joining> run(Variant variant, Scale scale) {
        List<String> settings = scale == Scale.QUICK
                ? List.of()
                : List.of(
                        "duration=12s",
                        "traffic[odd].start={every: 6s}",
                        "traffic[even].start={at: 3s, every: 6s}",
                        "measure={interval: 20ms, warmUp: 3s, perFlow: true, perPort: true}");
        return variant.run(FILE, "", Joining::of, settings);
    }

    private static Joining of(ScenarioResult result) {
        Series series = result.series();
        return new Joining(
                series.intervalNanos() / 1e6,
                series.flows(),
                portSeries(result).queueBytes(),
                Testbed.port(result, "switch", "h3"),
                result.summary().dataDrops());
    }

    /** {@return the series of the switch's port to the third host} */
    static Series.PortSeries portSeries(ScenarioResult result) {
        return result.series().ports().stream()
                .filter(port -> port.node().equals("switch") && port.port().equals("h3"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no series of the port to h3"));
    }

    /** {@return Jain's index of the flows that are there, the mean over all intervals but those in which one comes} */
    double jain() {
        List<Double> indices = new ArrayList<>();
        forEachSettled((there, interval) -> indices.add(Statistics.jain(there)));
        return Statistics.mean(indices);
    }

    /** {@return the goodput of all together, the mean over the same intervals} */
    double totalBps() {
        List<Double> totals = new ArrayList<>();
        forEachSettled((there, interval) ->
                totals.add(there.stream().mapToDouble(Double::doubleValue).sum()));
        return Statistics.mean(totals);
    }

    /** Is told of an interval. */
    private interface Visitor {
        void visit(List<Double> there, int interval);
    }

    private void forEachSettled(Visitor visitor) {
        int count = queueBytes.size();
        int step = count / JOINS;
        List<Series.FlowSeries> order = List.of(flows.get(0), flows.get(2), flows.get(1), flows.get(3));
        for (int i = step; i < count; i++) {
            if (i % step > 1) {
                int interval = i;
                visitor.visit(
                        order.stream()
                                .limit(1 + i / step)
                                .map(flow -> flow.goodputBps().get(interval))
                                .toList(),
                        i);
            }
        }
    }
}
