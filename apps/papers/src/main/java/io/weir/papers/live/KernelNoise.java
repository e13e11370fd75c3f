package io.weir.papers.live;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Figure 3 of DX: how much the round-trip time varies that the kernel's TCP measures, although nothing queues in the
 * network.
 */
public final class KernelNoise implements LiveFigure {
    private static final String ID = "dx/fig3";
    /** What the twin's hosts do. */
    static final String SIMULATED = "simulated, a look each 10 to 365 us";

    public KernelNoise() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Round-trip time of a saturating flow, as the kernel's TCP measures it";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "TCP at 10 Gbps between two machines back to back, RTT as the sender's kernel measures it.",
                DelayMeasurement.scaling(
                        scale,
                        "read by ss(8), which shows it smoothed over about eight acknowledgements: less noise"
                                + " than the paper's; below, Weir's raw stamps between simulated hosts whose looks at their"
                                + " ports are so far apart that round trips vary as in the paper"));
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        try (BackToBack hosts = new BackToBack()) {
            return judge(
                    KernelRtt.measure(
                            hosts.left(), hosts.right(), DelayMeasurement.ROUNDS * DelayMeasurement.nanos(scale)),
                    VirtualBackToBack.kernelLike());
        }
    }

    static Findings judge(List<Double> kernelMicros, List<Double> twinMicros) {
        Noise noise = Noise.of(kernelMicros);
        List<Double> smoothed = VirtualBackToBack.smoothed(twinMicros);
        Claim range = Claim.about(ID + "/range", "the kernel's RTT varies by hundreds of us", "23 to 733 us")
                .reported(String.format(Locale.ROOT, "%.0f to %.0f us", noise.min(), noise.max()));
        Claim middle = Claim.about(ID + "/middle", "so does the middle half of the samples", "111 us")
                .reported(String.format(Locale.ROOT, "%.1f us", noise.middleHalf()));
        return new Findings(
                List.of(range, middle),
                List.of(new Chart(
                        "RTT as the kernel measures it",
                        Chart.Kind.CURVES,
                        Axis.linear("RTT (us)"),
                        Axis.linear("share of samples"),
                        List.of(
                                Noise.distribution("kernel TCP", kernelMicros),
                                Noise.distribution(SIMULATED, twinMicros),
                                Noise.distribution(SIMULATED + ", smoothed", smoothed)))),
                List.of(new Table(
                        "RTT",
                        DelayMeasurement.columns("stack"),
                        List.of(
                                DelayMeasurement.row("kernel TCP", noise),
                                DelayMeasurement.row(SIMULATED, Noise.of(twinMicros)),
                                DelayMeasurement.row(SIMULATED + ", smoothed", Noise.of(smoothed))))));
    }
}
