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
import io.weir.papers.Sweep;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** Figure 17: the queue and the windows when forty flows come to one host. */
public final class Incast implements Figure {
    private static final String ID = "dx/fig17";
    private static final String FILE = "dx/fig17-incast.yaml";
    private static final double DCTCP_FRAMES = 100;
    private static final double SEGMENT_BYTES = 1_424;
    private static final Variant DX = Protocols.DX.and("protocol={id: dx, initialSegments: 2}");
    private static final Variant DCTCP = new Variant(
            "dctcp",
            1,
            List.of("protocol={preset: dctcp-ns2, initialSegments: 2}", Protocols.marksFrom("topology", 65)));
    private static final List<Variant> PROTOCOLS = List.of(DX, DCTCP);
    private static final List<Gap> GAPS = List.of(
            new Gap("at once", 0),
            new Gap("10 a us", 100),
            new Gap("40 in 100 us", 2_500),
            new Gap("40 in 1 ms", 25_000));
    private static final Gap SHOWN = GAPS.get(2);

    public Incast() {}

    /**
     * How fast flows come.
     *
     * @param name how many in what time
     * @param nanos from one to the next
     */
    private record Gap(String name, long nanos) {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * What remains of a run.
     *
     * @param peakFrames the longest queue while flows come: in the first 5 ms
     * @param windows the mean window of all flows that have one, in segments, interval by interval
     * @param intervalMillis the length of an interval
     */
    record Onset(double peakFrames, List<Double> windows, double intervalMillis) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Queue and windows when forty flows come to one host";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Forty hosts send 2 MB each to one, 10 Gbps, round trips of 200 us; at once, one every 100 ns, 2.5 us and 25 us. First windows of"
                        + " two segments with both, ns-2's default; a queue of 1000 frames, so that nothing is dropped. The queue is the longest of the first"
                        + " 5 ms.",
                Setting.AS_IN_THE_PAPER);
    }

    private static Sweep<Gap, Onset> sweep() {
        return new Sweep<>(
                FILE,
                PROTOCOLS,
                GAPS,
                gap -> List.of("duration=20ms", "traffic[flow].start={every: " + gap.nanos() + "ns}"),
                Incast::onset);
    }

    private static Onset onset(ScenarioResult result) {
        Series series = result.series();
        int intervals = (int) (5_000_000 / series.intervalNanos());
        double peakBytes = series.ports().stream()
                .flatMap(port -> port.queueBytes().stream().limit(intervals))
                .mapToDouble(Long::doubleValue)
                .max()
                .orElse(0);
        List<Double> windows = new ArrayList<>();
        for (int i = 0; i < intervals; i++) {
            int index = i;
            windows.add(series.windows().flows().stream()
                            .mapToLong(flow -> flow.windowBytes().get(index))
                            .filter(bytes -> bytes > 0)
                            .average()
                            .orElse(0)
                    / SEGMENT_BYTES);
        }
        return new Onset(peakBytes / Protocols.FRAME_BYTES, windows, series.intervalNanos() / 1e6);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep().runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Gap, Onset> sweep = sweep();
        double worst = 0;
        double least = Double.POSITIVE_INFINITY;
        List<Double> dx = new ArrayList<>();
        List<Double> dctcp = new ArrayList<>();
        for (Gap gap : GAPS) {
            dx.add(sweep.at(results, DX, gap).peakFrames());
            dctcp.add(sweep.at(results, DCTCP, gap).peakFrames());
            worst = Math.max(worst, dx.get(dx.size() - 1) / dctcp.get(dctcp.size() - 1));
            least = Math.min(least, dctcp.get(dctcp.size() - 1));
        }
        boolean isMet = worst < 1;
        return new Findings(
                List.of(
                        Claim.about(
                                        ID + "/peak",
                                        "DX's longest queue is below DCTCP's at each rate; the worst of the rates",
                                        "below 1 time")
                                .holds(
                                        isMet,
                                        Unit.TIMES.print(worst),
                                        "below 1 time",
                                        Unit.TIMES.printDistance(1 - worst))
                                .explained(),
                        Claim.about(
                                        ID + "/dctcp",
                                        "DCTCP's queue exceeds 100 frames at each rate; the least",
                                        "over 100")
                                .reported(Unit.NUMBER.print(least)
                                        + (least > DCTCP_FRAMES ? ", over 100" : ", not over 100"))),
                List.of(
                        new Chart(
                                "Longest queue",
                                Chart.Kind.BARS,
                                Axis.of(
                                        "forty flows come",
                                        GAPS.stream().map(Gap::name).toList()),
                                Axis.linear("frames"),
                                List.of(ChartSeries.bars("dx", dx), ChartSeries.bars("dctcp", dctcp))),
                        new Chart(
                                "Mean window, forty flows in 100 us",
                                Chart.Kind.CURVES,
                                Axis.linear("time (ms)"),
                                Axis.linear("window (segments)"),
                                PROTOCOLS.stream()
                                        .map(variant -> windows(variant, sweep.at(results, variant, SHOWN)))
                                        .toList())),
                List.of());
    }

    private static ChartSeries windows(Variant variant, Onset onset) {
        return ChartSeries.overTime(variant.name(), onset.intervalMillis(), onset.windows());
    }
}
