package io.weir.papers.tfc;

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
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ExchangeResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 6: the round-trip time that a port measures. */
public final class BaseRtt implements Figure {
    private static final String ID = "tfc/fig06";
    private static final String PORT_FILE = "tfc/fig06-base-rtt.yaml";
    private static final String REFERENCE_FILE = "tfc/fig06-reference.yaml";
    private static final List<Integer> PHASES = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    private static final double GAP_DEVIATION_MAX = 0.2;

    public BaseRtt() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "The port's round-trip time without queues next to that of single frames";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "minima of 20 to 40 ms in place of a second, over 1.6 s, in ten runs whose flows start at ten places of two windows; medians of"
                        + " the ten; 5000 single frames.");
    }

    private static final PaperRun<ExchangeResult> REFERENCE =
            new PaperRun<>("single frames", REFERENCE_FILE, List.of(), result -> result.exchanges()
                    .get(0));

    private static List<PaperRun<List<Long>>> ports(Scale scale) {
        return PHASES.stream()
                .map(phase -> {
                    List<String> settings = new ArrayList<>(
                            List.of("seed=" + (phase + 1), "traffic[flow].start=" + start(phase, scale)));
                    settings.addAll(
                            scale == Scale.FULL
                                    ? List.of(
                                            "duration=30s",
                                            "topology.tfc={window: 500ms}",
                                            "measure={interval: 1s, warmUp: 2s, perPort: true}")
                                    : List.of(
                                            "duration=1600ms",
                                            "topology.tfc={window: 20ms}",
                                            "measure={interval: 40ms, warmUp: 160ms, perPort: true}"));
                    return new PaperRun<>("port, phase " + phase, PORT_FILE, settings, BaseRtt::minima);
                })
                .toList();
    }

    /** {@return when flows start: later by a tenth of two windows with each phase} */
    private static String start(int phase, Scale scale) {
        return scale == Scale.FULL ? 100 * phase + "ms" : 4 * phase + "ms";
    }

    private static List<Long> minima(ScenarioResult result) {
        List<Long> all = Joining.portSeries(result).gauge("tfcBaseRttNanos");
        // The first windows have the guess that the port begins with.
        return all.subList(all.size() / 10, all.size());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>(ports(scale));
        runs.add(REFERENCE);
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<List<Double>> phases = ports(scale).stream()
                .map(run -> results.get(run).stream().map(Long::doubleValue).toList())
                .toList();
        double reference = results.get(REFERENCE).roundNanos().mean();
        double mean = Statistics.median(phases.stream().map(Statistics::mean).toList());
        double deviation = Statistics.median(phases.stream()
                .map(minima -> deviation(minima) / (reference - Statistics.mean(minima)))
                .toList());
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/below",
                                "The port's round-trip time is below the mean of single frames', "
                                        + Unit.NANOS.print(reference),
                                "59 us next to 65 us")
                        .atMost(mean, reference, Unit.NANOS),
                Claim.about(
                                ID + "/constant",
                                "The difference of the two is constant: its standard deviation as a share of it",
                                "relatively constant")
                        .atMost(deviation, GAP_DEVIATION_MAX, Unit.SHARE));
        List<Double> micros = phases.get(0).stream().map(nanos -> nanos / 1e3).toList();
        Chart chart = new Chart(
                "Least round-trip time, interval by interval",
                Chart.Kind.CURVES,
                Axis.linear("interval"),
                Axis.linear("round-trip time (us)"),
                List.of(
                        ChartSeries.overTime("port", 1, micros),
                        ChartSeries.overTime(
                                "single frames, mean",
                                1,
                                micros.stream().map(each -> reference / 1e3).toList())));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of());
    }

    private static double deviation(List<Double> values) {
        double mean = Statistics.mean(values);
        return Math.sqrt(Statistics.mean(
                values.stream().map(value -> (value - mean) * (value - mean)).toList()));
    }
}
