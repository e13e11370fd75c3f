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
import io.weir.papers.Sweep;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.List;

/** Figure 8: the window in steady state, beside that of no queue and that of the analysis. */
public final class SteadyWindow implements Figure {
    private static final String ID = "dx/fig8";
    private static final String FILE = "dx/sec6c-many-flows.yaml";
    private static final double SEGMENT_BYTES = 1_424;
    private static final double FRAME_NANOS = 1_230.4;
    private static final double DISTANCE_MAX = 3;
    private static final int INTERVALS_OF_WARM_UP = 500;

    /** Creates the figure. */
    public SteadyWindow() {}

    /**
     * What remains of a run.
     *
     * @param window the mean window of all flows, in segments
     * @param pipe what the shortest round trip holds, in frames
     */
    record Steady(double window, double pipe) {
        double theory(int flows) {
            return (pipe + flows) / flows;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Windows in steady state";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "n = 2 to 10 long flows over one link of 10 Gbps, round trips of 200 us. Ideal: what fills the link without a queue,"
                        + " BDP / n; theory: (BDP + n) / n, all flows in step.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "2, 4, 6, 8 and 10 flows; 200 ms of each, of which the second half counts.");
    }

    private static Sweep<Integer, Steady> sweep(Scale scale) {
        return new Sweep<>(
                FILE,
                List.of(Protocols.DX),
                scale == Scale.FULL ? List.of(2, 3, 4, 5, 6, 7, 8, 9, 10) : List.of(2, 4, 6, 8, 10),
                flows ->
                        List.of("topology.pairs=" + flows, "measure={warmUp: 100ms, interval: 200us, perWindow: true}"),
                SteadyWindow::steady);
    }

    private static Steady steady(ScenarioResult result) {
        List<Series.FlowWindows> flows = result.series().windows().flows();
        double bytes = flows.stream()
                .flatMap(flow -> flow.windowBytes().stream().skip(INTERVALS_OF_WARM_UP))
                .mapToLong(Long::longValue)
                .average()
                .orElse(Double.NaN);
        double rttNanos =
                flows.stream().mapToLong(Series.FlowWindows::baseRttNanos).min().orElse(0);
        return new Steady(bytes / SEGMENT_BYTES, rttNanos / FRAME_NANOS);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep(scale).runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, Steady> sweep = sweep(scale);
        Curves curves = new Curves();
        double farthest = 0;
        for (int flows : sweep.points()) {
            Steady steady = sweep.at(results, Protocols.DX, flows);
            curves.add("ideal", flows, steady.pipe() / flows);
            curves.add("theory", flows, steady.theory(flows));
            curves.add("simulation", flows, steady.window());
            farthest = Math.max(farthest, Math.abs(steady.window() - steady.theory(flows)));
        }
        return new Findings(
                List.of(Claim.about(
                                ID + "/distance",
                                "Windows are those of the analysis: how far they are apart at most, in segments",
                                "2.69, with two flows")
                        .atMost(farthest, DISTANCE_MAX, Unit.NUMBER)
                        .explained()),
                List.of(new Chart(
                        "Mean window",
                        Chart.Kind.LINES,
                        Axis.linear("flows"),
                        Axis.linear("window (segments)"),
                        curves.series())),
                List.of());
    }
}
