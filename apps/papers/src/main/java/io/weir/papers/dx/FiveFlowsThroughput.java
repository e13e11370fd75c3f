package io.weir.papers.dx;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** Figure 14: how evenly five flows share a link that come and go one by one. */
public final class FiveFlowsThroughput implements Figure {
    private static final String ID = "dx/fig14";
    private static final String FILE = "dx/fig14-five-flows.yaml";
    private static final int FLOWS = 5;
    private static final double RATIO_MAX = 0.7;
    private static final double JAIN_MIN = 0.98;
    private static final List<Variant> PROTOCOLS = List.of(Protocols.DX, Protocols.DCTCP);

    public FiveFlowsThroughput() {}

    /**
     * What remains of a run.
     *
     * @param flowsBps the goodput of each flow, interval by interval
     * @param intervalMillis the length of an interval
     */
    record Course(List<List<Double>> flowsBps, double intervalMillis) {
        static Course of(ScenarioResult result) {
            return new Course(
                    result.series().flows().stream()
                            .map(Series.FlowSeries::goodputBps)
                            .toList(),
                    result.series().intervalNanos() / 1e6);
        }

        /**
         * {@return how far a flow's goodput is from its mean while the same flows are there, in the second half of each
         * such time: the first is for converging}
         *
         * @param stageIntervals intervals from one start to the next
         */
        double deviationBps(int stageIntervals) {
            double squares = 0;
            long count = 0;
            for (int stage = 0; stage < 2 * FLOWS - 1; stage++) {
                int from = stage * stageIntervals + stageIntervals / 2;
                int to = (stage + 1) * stageIntervals;
                for (int flow = Math.max(0, stage - FLOWS + 1); flow <= Math.min(stage, FLOWS - 1); flow++) {
                    List<Double> part = flowsBps.get(flow).subList(from, to);
                    double mean = Statistics.mean(part);
                    squares += part.stream()
                            .mapToDouble(bps -> (bps - mean) * (bps - mean))
                            .sum();
                    count += part.size();
                }
            }
            return Math.sqrt(squares / count);
        }

        /**
         * {@return the least of Jain's indices of the flows' goodput in the second half of each time in which two to
         * five of them have joined and none has left}
         *
         * @param stageIntervals intervals from one start to the next
         */
        double jainOfJoinedMin(int stageIntervals) {
            double least = 1;
            for (int stage = 1; stage < FLOWS; stage++) {
                int from = stage * stageIntervals + stageIntervals / 2;
                int to = (stage + 1) * stageIntervals;
                least = Math.min(
                        least,
                        Statistics.jain(flowsBps.subList(0, stage + 1).stream()
                                .map(flow -> Statistics.mean(flow.subList(from, to)))
                                .toList()));
            }
            return least;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Fairness of five flows";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Five flows over one link of 10 Gbps, one second apart, each for five seconds; round trips of 200 us. The standard deviation"
                        + " is that of goodput over intervals of 5 ms, from each flow's mean while the same flows are there, in the second"
                        + " half of that time; the paper does not say how its own is taken.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "A tenth of the times: 500 round trips from one start to the next.");
    }

    private static PaperRun<Course> run(Variant variant, Scale scale) {
        return variant.run(
                FILE,
                "",
                Course::of,
                scale == Scale.FULL
                        ? List.of(
                                "duration=9s",
                                "traffic[flow].start={every: 1s}",
                                "traffic[flow].stop={at: 5s, every: 1s}")
                        : List.of());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(Protocols.DX, scale), run(Protocols.DCTCP, scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        int stageIntervals = scale == Scale.FULL ? 200 : 20;
        double dx = results.get(run(Protocols.DX, scale)).deviationBps(stageIntervals);
        double jain = results.get(run(Protocols.DX, scale)).jainOfJoinedMin(stageIntervals);
        double dctcp = results.get(run(Protocols.DCTCP, scale)).deviationBps(stageIntervals);
        List<Chart> charts = new ArrayList<>();
        PROTOCOLS.forEach(variant -> charts.add(chart(variant.name(), results.get(run(variant, scale)))));
        return new Findings(
                List.of(
                        Claim.about(
                                        ID + "/deviation",
                                        "DX flows have the steadier throughput: their standard deviation over that of DCTCP's",
                                        "122 of 268 Mbps: 0.455 times")
                                .atMost(dx / dctcp, RATIO_MAX, Unit.TIMES)
                                .explained(),
                        Claim.about(
                                        ID + "/joined",
                                        "DX flows that join share evenly: the least of Jain's indices with two to five flows",
                                        "fair")
                                .atLeast(jain, JAIN_MIN, Unit.NUMBER)
                                .explained(),
                        Claim.about(ID + "/bps", "Standard deviations, DX and DCTCP", "122 and 268 Mbps")
                                .reported(Unit.BPS.print(dx) + " and " + Unit.BPS.print(dctcp))),
                charts,
                List.of());
    }

    private static Chart chart(String preset, Course course) {
        Curves curves = new Curves();
        for (int flow = 0; flow < course.flowsBps().size(); flow++) {
            List<Double> bps = course.flowsBps().get(flow);
            for (int i = 0; i < bps.size(); i++) {
                curves.add("flow " + (flow + 1), (i + 1) * course.intervalMillis(), bps.get(i) / 1e9);
            }
        }
        return new Chart(
                "Five flows, " + preset,
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("goodput (Gbps)"),
                curves.series());
    }
}
