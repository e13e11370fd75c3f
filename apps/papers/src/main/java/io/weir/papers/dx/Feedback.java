package io.weir.papers.dx;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.LinearFit;
import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * What DCTCP flows learned of a queue, one value per window, next to the mean queue that the window's frames met; all
 * in percent of the longest queue. The run that Figures 1 and 2 share.
 *
 * @param truth the mean of what was in the queue when the window's frames came to it
 * @param timeMean the mean of the queue over the window's time: from when its first frame came to when that of the next
 *     did
 * @param marked the share of the window's frames that were marked
 * @param averaged DCTCP's moving average of that
 * @param delay the mean round trip beyond the shortest
 * @param frames how many frames each window had
 */
record Feedback(
        List<Double> truth,
        List<Double> timeMean,
        List<Double> marked,
        List<Double> averaged,
        List<Double> delay,
        List<Long> frames) {
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
                        + " flow's shortest; the truth is the mean over the window's frames of the queue that each came to, averaged over 2 us.",
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
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
        for (Series.FlowWindows flow : series.windows().flows()) {
            feedback.add(flow, queue, series.intervalNanos());
        }
        return feedback;
    }

    private void add(Series.FlowWindows flow, List<Double> queue, long intervalNanos) {
        double average = Double.NaN;
        for (int i = 0; i + 1 < flow.rounds().size(); i++) {
            Series.Round round = flow.rounds().get(i);
            List<Double> met = met(round, queue, intervalNanos);
            List<Double> during = during(round, flow.rounds().get(i + 1), queue, intervalNanos);
            if (round.frames() == 0 || met.isEmpty() || during.isEmpty()) {
                continue;
            }
            double share = (double) round.markedFrames() / round.frames();
            average = Double.isNaN(average) ? share : (1 - GAIN) * average + GAIN * share;
            truth.add(percent(met));
            timeMean.add(percent(during));
            marked.add(100 * share);
            averaged.add(100 * average);
            delay.add((round.rttNanos() - flow.baseRttNanos()) / FRAME_NANOS * 100 / QUEUE_FRAMES);
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

    /** {@return the queue from when the window's first frame came to it to when the next window's did} */
    private static List<Double> during(Series.Round round, Series.Round next, List<Double> queue, long intervalNanos) {
        if (round.sentNanos().isEmpty() || next.sentNanos().isEmpty()) {
            return List.of();
        }
        int from = (int) ((round.sentNanos().get(0) + TO_QUEUE_NANOS) / intervalNanos);
        int to = (int) ((next.sentNanos().get(0) + TO_QUEUE_NANOS) / intervalNanos);
        return from < to && to <= queue.size() ? queue.subList(from, to) : List.of();
    }

    private static double percent(List<Double> queueBytes) {
        return Statistics.mean(queueBytes) / Protocols.FRAME_BYTES * 100 / QUEUE_FRAMES;
    }

    /** {@return Pearson's coefficient of correlation with the truth} */
    double correlation(List<Double> measured) {
        return correlation(truth, measured);
    }

    private static double correlation(List<Double> truth, List<Double> measured) {
        LinearFit fit = LinearFit.of(truth, measured);
        return Math.signum(fit.slope()) * Math.sqrt(fit.rSquared());
    }

    /** {@return the root of the mean square of the distance from the truth} */
    double error(List<Double> measured) {
        return error(truth, measured);
    }

    private static double error(List<Double> truth, List<Double> measured) {
        double squares = 0;
        for (int i = 0; i < truth.size(); i++) {
            squares += (measured.get(i) - truth.get(i)) * (measured.get(i) - truth.get(i));
        }
        return Math.sqrt(squares / truth.size());
    }

    /** {@return correlation and error of a measure, with the queue's mean over the window's time for the truth} */
    String besideTimeMean(List<Double> measured) {
        return Unit.NUMBER.print(correlation(timeMean, measured)) + ", " + Unit.NUMBER.print(error(timeMean, measured));
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
