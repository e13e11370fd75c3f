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
import java.util.ArrayList;
import java.util.List;

/** Figure 7: the accuracy of the number of effective flows. */
public final class EffectiveFlows implements Figure {
    private static final String ID = "tfc/fig07";
    private static final String FILE = "tfc/fig07-effective-flows.yaml";
    private static final int NEAR = 5;
    private static final int FAR = 10;
    private static final double RTT_RATIO = 1.5;
    private static final double TOLERANCE = 0.1;
    private static final int STEP_QUICK = 40;

    public EffectiveFlows() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Effective flows when some have longer round trips and become inactive";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale,
                "a flow comes or goes every 40 ms in place of a second, samples every millisecond in place of 100; round"
                        + " trips of 400 and 600 us, so that windows are more than a frame: where acknowledgements are held, all round trips are alike.");
    }

    private static PaperRun<List<Long>> run(Scale scale) {
        List<String> settings = scale == Scale.QUICK
                ? List.of()
                : List.of(
                        "duration=21s",
                        "traffic[far].start={at: 1s, every: 1s}",
                        "traffic[far].stop={at: 11s, every: 1s}",
                        "measure={interval: 25ms, warmUp: 1s, perPort: true}");
        return run(settings);
    }

    static PaperRun<List<Long>> run(List<String> settings) {
        return new PaperRun<>(
                "tfc", FILE, settings, result -> Joining.portSeries(result).gauge("tfcEffectiveFlows"));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        return judge(ID, results.get(run(scale)));
    }

    /** {@return what the port's figure says, sample by sample} */
    static Findings judge(String id, List<Long> gauge) {
        List<Double> samples = gauge.stream().map(Long::doubleValue).toList();
        double worst = 0;
        List<Double> expected = new ArrayList<>();
        List<Double> found = new ArrayList<>();
        for (int step = 0; step <= 2 * FAR; step++) {
            int far = step <= FAR ? step : 2 * FAR - step;
            // The first tenth of a step is left out: the flow that comes or goes opens or ends its connection.
            int from = step * STEP_QUICK + STEP_QUICK / 10;
            double mean = Statistics.mean(samples.subList(from, Math.min(samples.size(), (step + 1) * STEP_QUICK)));
            double should = far / RTT_RATIO + NEAR;
            worst = Math.max(worst, Math.abs(mean / should - 1));
            expected.add(should);
            found.add(mean);
        }
        int last = 2 * FAR * STEP_QUICK;
        double after = Math.abs(samples.get(last + 1) / NEAR - 1);
        List<Claim> claims = List.of(
                Claim.about(
                                id + "/accuracy",
                                "The mean number of effective flows is n1/1.5 + n2; the largest distance of 21 steps",
                                "quite close")
                        .atMost(worst, TOLERANCE, Unit.SHARE),
                Claim.about(
                                id + "/inactive",
                                "Inactive flows are not counted: the distance from n2 two samples after the last has gone",
                                "within a slot")
                        .atMost(after, 1.0 / NEAR + TOLERANCE, Unit.SHARE));
        Chart chart = new Chart(
                "Effective flows, step by step",
                Chart.Kind.LINES,
                Axis.linear("step"),
                Axis.linear("effective flows"),
                List.of(ChartSeries.overTime("n1/1.5 + n2", 1, expected), ChartSeries.overTime("port", 1, found)));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of());
    }
}
