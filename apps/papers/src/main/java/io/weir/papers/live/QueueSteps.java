package io.weir.papers.live;

import io.weir.pacer.RateMath;
import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.LinearFit;
import io.weir.papers.LiveFigure;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Unit;
import io.weir.transport.node.PortInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Figure 12 of DX: queueing delay as measured, against the switch's own queue, which grows a packet at a time. */
public final class QueueSteps implements LiveFigure {
    private static final String ID = "dx/fig12";
    private static final long LINK_RATE_BPS = 1_000_000_000L;
    private static final long FRAME_NANOS = RateMath.serializationNanosCeil(1538, LINK_RATE_BPS);
    private static final double CORRELATION_MIN = 0.9;
    private static final int STEPS = 20;
    private static final long QUICK_STEP_NANOS = 100_000_000;
    private static final long FULL_STEP_NANOS = 1_000_000_000;

    public QueueSteps() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Measured queueing delay against the switch's own queue";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "A port of 1 Gbps filled by one host; another adds a full packet at fixed intervals.",
                "the software switch between two network namespaces of one machine; a sender twice as fast as the port has a packet"
                        + " more in flight each "
                        + stepNanos(scale) / 1_000_000
                        + " ms; its queue and the delay are averaged over milliseconds in which no loop"
                        + " was off its core");
    }

    private static long stepNanos(Scale scale) {
        return scale == Scale.FULL ? FULL_STEP_NANOS : QUICK_STEP_NANOS;
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        try (StepNetwork bench = new StepNetwork()) {
            StepNetwork.Measured measured = bench.measure(LINK_RATE_BPS, STEPS, stepNanos(scale));
            return judge(Pairs.of(measured), measured.ports());
        }
    }

    /**
     * What both ends say of the same milliseconds, in microseconds.
     *
     * @param seconds when
     * @param queue how long the switch's queue takes to drain
     * @param delay the measured delay beyond the least
     */
    record Pairs(List<Double> seconds, List<Double> queue, List<Double> delay) {
        private static final int SAMPLES_MIN = 20;

        Pairs {
            seconds = List.copyOf(seconds);
            queue = List.copyOf(queue);
            delay = List.copyOf(delay);
        }

        static Pairs of(StepNetwork.Measured measured) {
            DelaySamples delays = measured.delays();
            List<Double> seconds = new ArrayList<>();
            List<Double> queue = new ArrayList<>();
            List<Double> delay = new ArrayList<>();
            // Connections and the compiler begin in the first second; the base is of what follows.
            int first = firstAfter(delays, 500_000_000);
            int least = Integer.MAX_VALUE;
            for (int i = first; i < delays.count(); i++) {
                least = Math.min(least, delays.oneWayNanos(i));
            }
            for (int i = first; i < delays.count(); ) {
                int millisecond = measured.queue().windowOf(delays.atNanos(i));
                double sum = 0;
                int begin = i;
                for (; i < delays.count() && measured.queue().windowOf(delays.atNanos(i)) == millisecond; i++) {
                    sum += delays.oneWayNanos(i) - least;
                }
                double bytes = measured.queue().meanBytes(millisecond);
                if (i - begin >= SAMPLES_MIN && Double.isFinite(bytes)) {
                    seconds.add(millisecond / 1e3);
                    queue.add(bytes * 8e6 / LINK_RATE_BPS);
                    delay.add(sum / (i - begin) / 1e3);
                }
            }
            return new Pairs(seconds, queue, delay);
        }

        private static int firstAfter(DelaySamples delays, long nanos) {
            int first = 0;
            while (first < delays.count() && delays.atNanos(first) - delays.atNanos(0) < nanos) {
                first++;
            }
            return first;
        }

        double correlation() {
            if (queue.size() < 2) {
                return Double.NaN;
            }
            LinearFit fit = LinearFit.of(queue, delay);
            return Math.signum(fit.slope()) * Math.sqrt(fit.rSquared());
        }

        double meanErrorMicros() {
            List<Double> errors = new ArrayList<>();
            for (int i = 0; i < queue.size(); i++) {
                errors.add(Math.abs(delay.get(i) - queue.get(i)));
            }
            return Statistics.mean(errors);
        }
    }

    static Findings judge(Pairs pairs, List<PortInfo> ports) {
        Claim correlation = Claim.about(
                        ID + "/correlation",
                        "the measured delay follows the switch's queue",
                        "matches packet by packet")
                .atLeast(pairs.correlation(), CORRELATION_MIN, Unit.NUMBER);
        Claim error = Claim.about(
                        ID + "/error", "the error is less than a packet's delay at 1 Gbps", "steps of 12 us are seen")
                .atMost(Math.rint(pairs.meanErrorMicros() * 1e3), (double) FRAME_NANOS, Unit.NANOS);
        Claim growth = Claim.about(ID + "/growth", "the queue grows by a packet at a time", "0 to about 150 us")
                .reported(Unit.NANOS.print(Math.rint(Statistics.max(pairs.queue()) * 1e3)) + " at most");
        return new Findings(
                List.of(correlation, error, growth),
                List.of(new Chart(
                        "Queueing delay",
                        Chart.Kind.CURVES,
                        Axis.linear("time (s)"),
                        Axis.linear("delay (us)"),
                        List.of(
                                new ChartSeries("measured", pairs.seconds(), pairs.delay()),
                                new ChartSeries("the switch's queue", pairs.seconds(), pairs.queue())))),
                List.of(DelayMeasurement.ports(ports)));
    }
}
