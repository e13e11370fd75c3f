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
import io.weir.papers.Table;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;

/** Figure 15: the headroom that noisy time stamps need, and the queue that it costs. */
public final class LatencyNoise implements Figure {
    private static final String ID = "dx/fig15";
    private static final String FILE = "dx/sec6c-many-flows.yaml";
    private static final int LEVELS = 5;
    private static final long LEVEL_NANOS = 1_200;
    private static final int DEVIATIONS_MAX = 6;
    /** What paced flows need without noise: two frames. */
    private static final long HEADROOM_NANOS_MIN = 2_461;

    private static final double FRAME_NANOS = 1_230.4;
    private static final double UTILIZATION_MIN = 0.98;
    private static final double OWN_UTILIZATION_MIN = 0.9;

    public LatencyNoise() {}

    /**
     * A level of noise and a headroom.
     *
     * @param level the noise, in 1.2 us
     * @param deviations the headroom beyond that of no noise, in standard deviations
     */
    private record Point(int level, int deviations) {
        long headroomNanos() {
            return HEADROOM_NANOS_MIN + level * LEVEL_NANOS * deviations;
        }

        PaperRun<SharedPort> run(Scale scale) {
            return LatencyNoise.run(
                    "noise " + level + ", headroom " + deviations,
                    level,
                    "{id: dx, headroomFrames: 0, measuresNoise: false, headroom: " + headroomNanos() + "ns}",
                    scale);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Headroom and queue with noise of time stamps";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Ten flows over one link of 10 Gbps, round trips of 200 us. Stamps of arrivals have Gaussian noise with a standard deviation"
                        + " of k times 1.2 us, k = 0 to 5, at both ends. The headroom is the least of two frames and 0, 1 .. 6 standard"
                        + " deviations that lets the link be used to 98 %. Hosts see frames four deviations after they came, so that"
                        + " no stamp is of the future. Own measure: no headroom is set. The paper says neither how many flows there are nor what full utilisation is.",
                scale == Scale.FULL
                        ? "One second, measured from 200 ms on: the paper does not say how long."
                        : "100 ms, measured from 50 ms on: 250 round trips.");
    }

    private static PaperRun<SharedPort> run(String name, int level, String protocol, Scale scale) {
        boolean isFull = scale == Scale.FULL;
        return new PaperRun<>(
                name,
                FILE,
                List.of(
                        "protocol=" + protocol,
                        "topology.host={stampNoise: " + level * LEVEL_NANOS + "ns}",
                        "duration=" + (isFull ? "1s" : "100ms"),
                        "measure.warmUp=" + (isFull ? "200ms" : "50ms")),
                SharedPort::of);
    }

    /** {@return DX that takes its headroom from its own measurements} */
    private static PaperRun<SharedPort> own(int level, Scale scale) {
        return run("noise " + level + ", measured", level, "dx", scale);
    }

    private static List<Point> points(int level) {
        List<Point> points = new ArrayList<>();
        // Without noise its deviations are nothing.
        for (int deviations = 0; deviations <= (level == 0 ? 0 : DEVIATIONS_MAX); deviations++) {
            points.add(new Point(level, deviations));
        }
        return points;
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (int level = 0; level <= LEVELS; level++) {
            points(level).forEach(point -> runs.add(point.run(scale)));
            runs.add(own(level, scale));
        }
        return runs;
    }

    /** {@return the point of the least headroom that fills the link, or that of the greatest if none does} */
    private static Point found(RunResults results, int level, Scale scale) {
        List<Point> points = points(level);
        return points.stream()
                .filter(point -> results.get(point.run(scale)).utilization() >= UTILIZATION_MIN)
                .findFirst()
                .orElse(points.get(points.size() - 1));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Double> headrooms = new ArrayList<>();
        List<Double> queues = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        Curves curves = new Curves();
        double utilization = 1;
        double ownUtilization = 1;
        for (int level = 0; level <= LEVELS; level++) {
            Point point = found(results, level, scale);
            SharedPort port = results.get(point.run(scale));
            utilization = Math.min(utilization, port.utilization());
            headrooms.add((double) point.headroomNanos());
            queues.add(port.mean() * FRAME_NANOS);
            SharedPort own = results.get(own(level, scale));
            ownUtilization = Math.min(ownUtilization, own.utilization());
            double noiseMicros = level * LEVEL_NANOS / 1e3;
            curves.add("headroom", noiseMicros, point.headroomNanos() / 1e3);
            curves.add("mean queue", noiseMicros, port.mean() * FRAME_NANOS / 1e3);
            curves.add("mean queue, own measure", noiseMicros, own.mean() * FRAME_NANOS / 1e3);
            rows.add(row(level, point, port, own));
        }
        return new Findings(
                claims(headrooms, queues, utilization, ownUtilization),
                List.of(new Chart(
                        "Headroom and queue",
                        Chart.Kind.LINES,
                        Axis.linear("standard deviation of noise (us)"),
                        Axis.linear("time (us)"),
                        curves.series())),
                List.of(new Table(
                        "Noise of stamps",
                        List.of(
                                "noise",
                                "headroom",
                                "use",
                                "mean queue",
                                "use, own measure",
                                "mean queue, own measure"),
                        rows)));
    }

    private static List<String> row(int level, Point point, SharedPort port, SharedPort own) {
        return List.of(
                Unit.NANOS.print((double) (level * LEVEL_NANOS)),
                Unit.NANOS.print((double) point.headroomNanos()),
                Unit.SHARE.print(port.utilization()),
                Unit.NANOS.print(port.mean() * FRAME_NANOS),
                Unit.SHARE.print(own.utilization()),
                Unit.NANOS.print(own.mean() * FRAME_NANOS));
    }

    private static List<Claim> claims(
            List<Double> headrooms, List<Double> queues, double utilization, double ownUtilization) {
        return List.of(
                Claim.about(ID + "/utilization", "A larger headroom makes up for noise: least use of the link", "full")
                        .atLeast(utilization, UTILIZATION_MIN, Unit.SHARE)
                        .explained(),
                Claim.about(
                                ID + "/own",
                                "DX that measures its noise itself fills the link: least use of it",
                                "headroom is determined by the level of measurement noise")
                        .atLeast(ownUtilization, OWN_UTILIZATION_MIN, Unit.SHARE),
                Claim.about(ID + "/headroom", "More noise needs more headroom: the least that a step adds", "grows")
                        .atLeast(leastRise(headrooms), 0, Unit.NANOS)
                        .explained(),
                Claim.about(ID + "/queue", "and costs more queue: the least that a step adds", "grows")
                        .atLeast(leastRise(queues), 0, Unit.NANOS)
                        .explained(),
                Claim.about(
                                ID + "/largest",
                                "Headroom and mean queue at noise of 6 us",
                                "the queue grows by the same amount as the headroom")
                        .reported(
                                Unit.NANOS.print(headrooms.get(LEVELS)) + ", " + Unit.NANOS.print(queues.get(LEVELS))));
    }

    private static double leastRise(List<Double> values) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 1; i < values.size(); i++) {
            least = Math.min(least, values.get(i) - values.get(i - 1));
        }
        return least;
    }
}
