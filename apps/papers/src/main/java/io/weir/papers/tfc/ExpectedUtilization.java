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
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;

/** Figure 14: the impact of rho0. */
public final class ExpectedUtilization implements Figure {
    private static final String ID = "tfc/fig14";
    private static final String FILE = "tfc/fig14-rho0.yaml";
    private static final List<Integer> PERCENTS = List.of(90, 92, 94, 96, 97, 98, 99, 100);
    private static final double QUEUE_BYTES = 2_000;

    /** Creates the figure. */
    public ExpectedUtilization() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Goodput and queue by the expected utilization";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(scale, "0.4 s, 5,000 round trips.");
    }

    /**
     * What remains of a run.
     *
     * @param goodputBps the goodput of all flows
     * @param queueBytesMean the mean queue
     */
    record Course(double goodputBps, double queueBytesMean) {}

    private static PaperRun<Course> run(int percent, Scale scale) {
        List<String> settings = new ArrayList<>(List.of("topology.tfc={rho0: " + percent + "%}"));
        if (scale == Scale.FULL) {
            settings.add("duration=10s");
        }
        return new PaperRun<>(
                "rho0 " + percent + " %",
                FILE,
                settings,
                result -> new Course(
                        result.summary().goodputBps(),
                        Testbed.port(result, "switch", "h6").queueBytesMean()));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        PERCENTS.forEach(percent -> runs.add(run(percent, scale)));
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Course> courses = PERCENTS.stream()
                .map(percent -> results.get(run(percent, scale)))
                .toList();
        double lowBps = courses.get(0).goodputBps();
        double highBps = courses.get(courses.size() - 1).goodputBps();
        boolean isMonotone = true;
        double queueBytes = 0;
        for (int i = 0; i < courses.size(); i++) {
            isMonotone &=
                    i == 0 || courses.get(i).goodputBps() > courses.get(i - 1).goodputBps();
            queueBytes =
                    PERCENTS.get(i) <= 98 ? Math.max(queueBytes, courses.get(i).queueBytesMean()) : queueBytes;
        }
        double last = courses.get(courses.size() - 1).queueBytesMean();
        List<Claim> claims = List.of(
                Claim.about(ID + "/low", "Goodput at a rho0 of 0.90", "880 Mbps")
                        .within(lowBps, 850e6, 885e6, Unit.BPS),
                Claim.about(ID + "/high", "Goodput at a rho0 of 1", "940 Mbps").within(highBps, 930e6, 950e6, Unit.BPS),
                Claim.about(
                                ID + "/payload",
                                "The same two in the paper's frames, which carry 1460 B",
                                "880 and 940 Mbps")
                        .reported(Unit.BPS.print(lowBps * Testbed.PAPER_PAYLOAD_TIMES) + " and "
                                + Unit.BPS.print(highBps * Testbed.PAPER_PAYLOAD_TIMES)),
                Claim.about(ID + "/monotone", "Goodput rises with rho0", "rises")
                        .holds(isMonotone, isMonotone ? "rises" : "falls somewhere", "rises", ""),
                Claim.about(ID + "/queue", "The mean queue up to a rho0 of 0.98; the largest", "less than 1 KB")
                        .atMost(queueBytes, QUEUE_BYTES, Unit.BYTES),
                Claim.about(ID + "/queue-rises", "The queue is larger at a rho0 of 1", "6 KB")
                        .atLeast(last, queueBytes, Unit.BYTES));
        List<Double> places = PERCENTS.stream().map(percent -> percent / 100.0).toList();
        List<Chart> charts = List.of(
                chart(
                        "Goodput (Mbps)",
                        places,
                        courses.stream().map(each -> each.goodputBps() / 1e6).toList()),
                chart(
                        "Mean queue (KB)",
                        places,
                        courses.stream()
                                .map(each -> each.queueBytesMean() / 1e3)
                                .toList()));
        return new Findings(claims.stream().map(Claim::explained).toList(), charts, List.of());
    }

    private static Chart chart(String title, List<Double> places, List<Double> values) {
        return new Chart(
                title,
                Chart.Kind.LINES,
                Axis.linear("rho0"),
                Axis.linear(title),
                List.of(new ChartSeries("tfc", places, values)));
    }
}
