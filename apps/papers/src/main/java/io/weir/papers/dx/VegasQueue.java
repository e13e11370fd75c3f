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
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/** Figure 7: the queue of TCP Vegas grows with its flows. */
public final class VegasQueue implements Figure {
    private static final String ID = "dx/fig7";
    private static final String FILE = "dx/fig07-vegas.yaml";
    private static final int FLOWS = 10;
    private static final double QUEUE_MIN = 0.6 * 42;
    private static final double QUEUE_MAX = 1.4 * 42;

    public VegasQueue() {}

    /**
     * What remains of the run.
     *
     * @param queue the mean queue, interval by interval, in frames
     * @param intervalMillis the length of an interval
     * @param firstBaseRttNanos what the first flow takes for the shortest round trip
     * @param lastBaseRttNanos what the last one does
     */
    record Course(List<Double> queue, double intervalMillis, long firstBaseRttNanos, long lastBaseRttNanos) {
        static Course of(ScenarioResult result) {
            Series.Windows windows = result.series().windows();
            List<Double> bytes = windows.ports().stream()
                    .filter(port -> port.node().equals("left") && port.port().equals("right"))
                    .findFirst()
                    .orElseThrow()
                    .queueBytes();
            return new Course(
                    bytes.stream().map(mean -> mean / Protocols.FRAME_BYTES).toList(),
                    result.series().intervalNanos() / 1e6,
                    windows.flows().get(0).baseRttNanos(),
                    windows.flows().get(FLOWS - 1).baseRttNanos());
        }

        /** {@return the mean queue with 1 to 10 flows, each in the second half of its time} */
        List<Double> means() {
            int stage = queue.size() / FLOWS;
            List<Double> means = new ArrayList<>();
            for (int i = 0; i < FLOWS; i++) {
                means.add(Statistics.mean(queue.subList(i * stage + stage / 2, (i + 1) * stage)));
            }
            return means;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Queue with an increasing number of TCP Vegas flows";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Ten flows of TCP Vegas, one every 0.5 s, over one link of 10 Gbps, round trips of 200 us.",
                scale == Scale.FULL ? Setting.AS_IN_THE_PAPER : "One every 50 ms, which is 250 round trips.");
    }

    private static PaperRun<Course> run(Scale scale) {
        return new PaperRun<>(
                "vegas",
                FILE,
                scale == Scale.FULL ? List.of("duration=5s", "traffic[flow].start={every: 500ms}") : List.of(),
                Course::of);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Course course = results.get(run(scale));
        List<Double> means = course.means();
        double leastRise = Double.POSITIVE_INFINITY;
        for (int i = 1; i < means.size(); i++) {
            leastRise = Math.min(leastRise, means.get(i) - means.get(i - 1));
        }
        double inflationNanos = (double) course.lastBaseRttNanos() - course.firstBaseRttNanos();
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/growth",
                                "Each flow adds to the queue: the least that one adds, in frames",
                                "each does")
                        .atLeast(leastRise, 0, Unit.NUMBER),
                Claim.about(ID + "/queue", "The queue with ten flows, in frames", "42")
                        .within(means.get(FLOWS - 1), QUEUE_MIN, QUEUE_MAX, Unit.NUMBER),
                Claim.about(
                                ID + "/base",
                                "The last flow takes some of the queue for distance: its shortest round trip less the first's",
                                "238 - 205 us")
                        .atLeast(inflationNanos, 1, Unit.NANOS));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(new Chart(
                        "Queue of TCP Vegas",
                        Chart.Kind.CURVES,
                        Axis.linear("time (ms)"),
                        Axis.linear("queue (frames)"),
                        List.of(ChartSeries.overTime("queue", course.intervalMillis(), course.queue())))),
                List.of());
    }
}
