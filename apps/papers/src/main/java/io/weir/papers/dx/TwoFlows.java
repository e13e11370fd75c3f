package io.weir.papers.dx;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.List;

/** Figure 9: the windows of two flows, the second of which joins the first. */
public final class TwoFlows implements Figure {
    private static final String ID = "dx/fig9";
    private static final String FILE = "dx/fig09-two-flows.yaml";
    private static final double SEGMENT_BYTES = 1_424;
    private static final double FRAME_NANOS = 1_230.4;
    private static final double DISTANCE_MAX = 10;
    private static final int FINAL_INTERVALS = 250;

    public TwoFlows() {}

    /**
     * What remains of a run.
     *
     * @param first the first flow's window, in segments, interval by interval from the second's start on
     * @param second the second's
     * @param pipe what the round trip holds, in frames
     */
    record Trajectory(List<Double> first, List<Double> second, double pipe) {
        static Trajectory of(ScenarioResult result) {
            List<Series.FlowWindows> flows = result.series().windows().flows();
            int begin = (int) flows.get(1).windowBytes().stream()
                    .takeWhile(bytes -> bytes == 0)
                    .count();
            return new Trajectory(
                    segments(flows.get(0), begin),
                    segments(flows.get(1), begin),
                    flows.get(0).baseRttNanos() / FRAME_NANOS);
        }

        private static List<Double> segments(Series.FlowWindows flow, int begin) {
            return flow.windowBytes().stream()
                    .skip(begin)
                    .map(bytes -> bytes / SEGMENT_BYTES)
                    .toList();
        }

        /** {@return how far both windows together are from what fills the link, on average over the last 50 ms} */
        double distance() {
            double sum = 0;
            for (int i = first.size() - FINAL_INTERVALS; i < first.size(); i++) {
                sum += Math.abs(first.get(i) + second.get(i) - pipe);
            }
            return sum / FINAL_INTERVALS;
        }

        /** {@return how many segments both windows move on the way} */
        double length() {
            double sum = 0;
            for (int i = 1; i < first.size(); i++) {
                sum += Math.hypot(first.get(i) - first.get(i - 1), second.get(i) - second.get(i - 1));
            }
            return sum;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Convergence of two flows";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "One flow over a link of 10 Gbps, round trips of 200 us, and after 20 ms a second; DX, and DCTCP with K = 65. The distance is"
                        + " that of the sum of both windows from what fills the link, the mean of the last 50 of 300 ms.",
                Setting.AS_IN_THE_PAPER);
    }

    private static PaperRun<Trajectory> run(Variant variant) {
        return variant.run(FILE, "", Trajectory::of, List.of());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(Protocols.DX), run(Protocols.DCTCP));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Trajectory dx = results.get(run(Protocols.DX));
        Trajectory dctcp = results.get(run(Protocols.DCTCP));
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/distance",
                                "Two DX flows end near the line of efficiency: distance in segments",
                                "near")
                        .atMost(dx.distance(), DISTANCE_MAX, Unit.NUMBER),
                Claim.about(
                                ID + "/dctcp",
                                "DCTCP ends farther from it: its distance in segments, above that limit",
                                "farther")
                        .atLeast(dctcp.distance(), DISTANCE_MAX, Unit.NUMBER),
                Claim.about(ID + "/path", "DX goes the more direct way: the length of both, in segments", "more direct")
                        .reported(Unit.NUMBER.print(dx.length()) + " and " + Unit.NUMBER.print(dctcp.length())));
        List<ChartSeries> series = List.of(
                new ChartSeries("dx", dx.first(), dx.second()),
                new ChartSeries("dctcp", dctcp.first(), dctcp.second()),
                new ChartSeries("efficiency", List.of(0.0, dx.pipe()), List.of(dx.pipe(), 0.0)),
                new ChartSeries("fairness", List.of(0.0, dx.pipe()), List.of(0.0, dx.pipe())));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(new Chart(
                        "Windows of two flows",
                        Chart.Kind.CURVES,
                        Axis.linear("window of flow 1 (segments)"),
                        Axis.linear("window of flow 2 (segments)"),
                        series)),
                List.of());
    }
}
