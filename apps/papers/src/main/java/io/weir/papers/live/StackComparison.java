package io.weir.papers.live;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.transport.host.Stamping;
import io.weir.transport.node.PortInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figure 11 of DX: round-trip times as measured here next to those of the kernel, on the same link. */
public final class StackComparison implements LiveFigure {
    private static final String ID = "dx/fig11";
    private static final List<String> NAMES = List.of(
            "kernel TCP",
            "Weir, calibrated",
            KernelNoise.SIMULATED,
            "simulated, a look as often as the loop, calibrated");

    public StackComparison() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Round-trip times as Weir measures them, next to the kernel's";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Saturating flow at 10 Gbps back to back: the kernel's RTT, and the NIC's stamps with calibration.",
                DelayMeasurement.scaling(
                        scale,
                        "both stacks on the same veth pair; software stamps, because a veth has no others; next to them the simulated hosts of Figures 3 and 10"));
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        try (BackToBack hosts = new BackToBack()) {
            List<Double> kernel = KernelRtt.measure(
                    hosts.left(), hosts.right(), DelayMeasurement.ROUNDS * DelayMeasurement.nanos(scale));
            hosts.warmUp();
            BackToBack.Measured measured = hosts.measure(
                    Stamping.CALIBRATED,
                    DelayMeasurement.WINDOW_SEGMENTS,
                    DelayMeasurement.LINK_RATE_BPS,
                    DelayMeasurement.ROUNDS * DelayMeasurement.nanos(scale));
            return judge(
                    List.of(
                            kernel,
                            measured.samples().roundTripsMicros(),
                            VirtualBackToBack.kernelLike(),
                            measured.twinMicros(Stamping.CALIBRATED)),
                    List.of(measured.port()));
        }
    }

    /** Judges round trips in microseconds of what {@link #NAMES} says, in that order. */
    static Findings judge(List<List<Double>> micros, List<PortInfo> ports) {
        List<ChartSeries> curves = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < NAMES.size(); i++) {
            curves.add(Noise.distribution(NAMES.get(i), micros.get(i)));
            rows.add(DelayMeasurement.row(NAMES.get(i), Noise.of(micros.get(i))));
        }
        Noise kernel = Noise.of(micros.get(0));
        Noise weir = Noise.of(micros.get(1));
        Claim deviation = Claim.about(
                        ID + "/deviation",
                        "RTTs measured at the driver scatter less than the kernel's",
                        "80.7 us to 0.53 us, 152 times")
                .atLeast(kernel.deviation() / weir.deviation(), 1, Unit.TIMES);
        Claim range = Claim.about(ID + "/range", "their range is smaller, too", "710 us to 11.38 us, 62 times")
                .reported(String.format(Locale.ROOT, "%.1f us to %.1f us", kernel.range(), weir.range()));
        return new Findings(
                List.of(deviation, range),
                List.of(new Chart(
                        "RTTs of both stacks",
                        Chart.Kind.CURVES,
                        Axis.logarithmic("RTT (us)"),
                        Axis.linear("share of samples"),
                        curves)),
                List.of(new Table("RTT", DelayMeasurement.columns("stack"), rows), DelayMeasurement.ports(ports)));
    }
}
