package io.weir.cli.paper.dx;

import io.weir.cli.paper.Axis;
import io.weir.cli.paper.Chart;
import io.weir.cli.paper.ChartSeries;
import io.weir.cli.paper.PaperRun;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.Setting;
import io.weir.cli.paper.Statistics;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * What DCTCP flows heard of a queue, one value a window, beside the mean queue that the window's frames met; all in percent of the
 * longest queue. The run that Figures 1 and 2 share.
 *
 * @param truth the mean of what was in the queue when the window's frames came to it
 * @param marked the share of the window's frames that were marked
 * @param averaged DCTCP's moving average of that
 * @param delay the mean round trip beyond the shortest
 * @param frames how many frames each window had
 */
record Feedback(List<Double> truth, List<Double> marked, List<Double> averaged, List<Double> delay, List<Long> frames) {
    private static final String FILE = "dx/sec6c-many-flows.yaml";
    private static final int FLOWS = 40;
    private static final int MARKED_FRAMES = 35;
    private static final int QUEUE_FRAMES = 100;
    private static final double GAIN = 1 / 16.0;
    private static final double FRAME_NANOS = 1_230.4;
    /** From leaving a host to the queue: a frame's transmission and the propagation of its link. */
    private static final long TO_QUEUE_NANOS = 1_231 + 33_333;

    static Setting setting(Scale scale) {
        return new Setting(
                "40 DCTCP flows over one link of 10 Gbps, round trips of 200 us, K = 35 frames, a queue of 100 frames. Per congestion"
                        + " window the share of marked frames, its moving average with g = 1/16, and the mean round trip beyond the"
                        + " shortest of all flows, whose paths are alike; the truth is the mean over the window's frames of the queue that each came to, averaged over 2 us.",
                scale == Scale.FULL
                        ? "One second, of which the last 900 ms count: the paper does not say how long."
                        : "150 ms, of which the last 50 ms count: 200 windows of each flow.");
    }

    static PaperRun<Feedback> run(Scale scale) {
        return Protocols.dctcp(MARKED_FRAMES)
                .run(
                        FILE,
                        "",
                        Feedback::of,
                        List.of(
                                "topology.pairs=" + FLOWS,
                                "topology.dataQueue=" + (long) (QUEUE_FRAMES * Protocols.FRAME_BYTES),
                                "duration=" + (scale == Scale.FULL ? "1s" : "150ms"),
                                "measure={warmUp: 100ms, interval: 2us, perWindow: true}"));
    }

    static Feedback of(ScenarioResult result) {
        Series series = result.series();
        List<Double> queue = series.windows().ports().stream()
                .filter(port -> port.node().equals("left") && port.port().equals("right"))
                .findFirst()
                .orElseThrow()
                .queueBytes();
        Feedback feedback = new Feedback(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        long baseRttNanos = series.windows().flows().stream()
                .mapToLong(Series.FlowWindows::baseRttNanos)
                .min()
                .orElseThrow();
        for (Series.FlowWindows flow : series.windows().flows()) {
            feedback.add(flow, baseRttNanos, queue, series.intervalNanos());
        }
        return feedback;
    }

    private void add(Series.FlowWindows flow, long baseRttNanos, List<Double> queue, long intervalNanos) {
        double average = Double.NaN;
        for (Series.Round round : flow.rounds()) {
            List<Double> met = met(round, queue, intervalNanos);
            if (round.frames() == 0 || met.isEmpty()) {
                continue;
            }
            double share = (double) round.markedFrames() / round.frames();
            average = Double.isNaN(average) ? share : (1 - GAIN) * average + GAIN * share;
            truth.add(Statistics.mean(met) / Protocols.FRAME_BYTES * 100 / QUEUE_FRAMES);
            marked.add(100 * share);
            averaged.add(100 * average);
            delay.add((round.rttNanos() - baseRttNanos) / FRAME_NANOS * 100 / QUEUE_FRAMES);
            frames.add(round.frames());
        }
    }

    /** {@return the queue of each interval in which a frame of the window came to it} */
    private static List<Double> met(Series.Round round, List<Double> queue, long intervalNanos) {
        return round.sentNanos().stream()
                .map(nanos -> (int) ((nanos + TO_QUEUE_NANOS) / intervalNanos))
                .filter(index -> index < queue.size())
                .map(queue::get)
                .toList();
    }

    /** {@return Pearson's coefficient of correlation with the truth} */
    double correlation(List<Double> measured) {
        double meanTruth = Statistics.mean(truth);
        double meanMeasured = Statistics.mean(measured);
        double product = 0;
        double squaresTruth = 0;
        double squaresMeasured = 0;
        for (int i = 0; i < truth.size(); i++) {
            double t = truth.get(i) - meanTruth;
            double m = measured.get(i) - meanMeasured;
            product += t * m;
            squaresTruth += t * t;
            squaresMeasured += m * m;
        }
        return product / Math.sqrt(squaresTruth * squaresMeasured);
    }

    /** {@return the root of the mean square of the distance from the truth} */
    double error(List<Double> measured) {
        double squares = 0;
        for (int i = 0; i < truth.size(); i++) {
            squares += (measured.get(i) - truth.get(i)) * (measured.get(i) - truth.get(i));
        }
        return Math.sqrt(squares / truth.size());
    }

    /** {@return the share of windows in which the marked share was {@code percent}} */
    double shareOf(double percent) {
        return (double) marked.stream().filter(value -> value == percent).count() / marked.size();
    }

    Chart chart(String title, List<ChartSeries> series) {
        List<ChartSeries> all = new ArrayList<>(series);
        all.add(new ChartSeries("ideal", List.of(0.0, 100.0), List.of(0.0, 100.0)));
        return new Chart(
                title, Chart.Kind.POINTS, Axis.linear("queue (% of its bound)"), Axis.linear("measured (%)"), all);
    }
}
