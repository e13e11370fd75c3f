package io.weir.papers.live;

import io.weir.cli.unit.Fractions;
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

/** Figure 10 of DX: what burst control and the calibration of stamps take off the noise of round-trip times. */
public final class NoiseReduction implements LiveFigure {
    private static final String ID = "dx/fig10";
    private static final List<String> NAMES = List.of("raw", "+ burst control", "+ calibration");

    public NoiseReduction() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Noise of round-trip times with each technique added";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Saturating flow at 10 Gbps between two machines back to back, software stamps above DPDK.",
                DelayMeasurement.scaling(
                        scale,
                        "64 KB in flight at 1 Gbps, one loop for both hosts; samples that a loop's absence from its core may have"
                                + " delayed do not count; next to it the same stacks in virtual time, whose hosts look at their ports as often as the live loop did"));
    }

    /**
     * What was measured with one setting.
     *
     * @param micros the round trips
     * @param stalledShare the share of samples left out, because a loop was off its core
     * @param cycleMicros how long the loop's cycles were on average
     * @param twinMicros the round trips in virtual time, with cycles as long
     */
    record Part(List<Double> micros, double stalledShare, double cycleMicros, List<Double> twinMicros) {
        Part {
            micros = List.copyOf(micros);
            twinMicros = List.copyOf(twinMicros);
        }

        static Part of(Stamping stamping, List<BackToBack.Measured> rounds) {
            List<Double> micros = new ArrayList<>();
            rounds.forEach(measured -> micros.addAll(measured.samples().roundTripsMicros()));
            BackToBack.Measured last = rounds.get(rounds.size() - 1);
            return new Part(
                    micros,
                    rounds.stream()
                            .mapToDouble(measured -> measured.samples().stalledShare())
                            .average()
                            .orElse(0),
                    last.cycles().meanMicros(),
                    last.twinMicros(stamping));
        }
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        List<Part> parts = new ArrayList<>();
        List<PortInfo> ports = new ArrayList<>();
        try (BackToBack hosts = new BackToBack()) {
            hosts.warmUp();
            List<List<BackToBack.Measured>> rounds = new ArrayList<>();
            for (int round = 0; round < DelayMeasurement.ROUNDS; round++) {
                List<BackToBack.Measured> settings = new ArrayList<>();
                for (Stamping stamping : Stamping.values()) {
                    BackToBack.Measured measured = hosts.measure(
                            stamping,
                            DelayMeasurement.WINDOW_SEGMENTS,
                            DelayMeasurement.LINK_RATE_BPS,
                            DelayMeasurement.nanos(scale));
                    settings.add(measured);
                    ports.add(measured.port());
                }
                rounds.add(settings);
            }
            for (Stamping stamping : Stamping.values()) {
                parts.add(Part.of(
                        stamping,
                        rounds.stream()
                                .map(round -> round.get(stamping.ordinal()))
                                .toList()));
            }
        }
        return judge(parts, ports);
    }

    static Findings judge(List<Part> parts, List<PortInfo> ports) {
        List<Double> deviations = new ArrayList<>();
        List<Double> simulated = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Noise noise = Noise.of(parts.get(i).micros());
            deviations.add(noise.deviation());
            List<String> row = DelayMeasurement.row(NAMES.get(i), noise);
            row.add(Fractions.print(parts.get(i).stalledShare()));
            rows.add(row);
            Noise twin = Noise.of(parts.get(i).twinMicros());
            simulated.add(twin.deviation());
            row = DelayMeasurement.row(
                    String.format(
                            Locale.ROOT,
                            "simulated, a look each %.1f us",
                            parts.get(i).cycleMicros()),
                    twin);
            row.add("-");
            rows.add(row);
        }
        List<String> columns = new ArrayList<>(DelayMeasurement.columns("setting"));
        columns.add("left out");
        Claim calibrated = Claim.about(
                        ID + "/software", "with all techniques the standard deviation is small", "1.98 us")
                .reported(Unit.NANOS.print(Math.rint(deviations.get(2) * 1e3)));
        Claim reduced = Claim.about(
                        ID + "/reduced", "burst control and calibration take noise away", "23.8 times by burst control")
                .atLeast(deviations.get(0) / deviations.get(2), 1, Unit.TIMES);
        return new Findings(
                List.of(calibrated, reduced),
                List.of(new Chart(
                        "Standard deviation of RTTs",
                        Chart.Kind.BARS,
                        Axis.of("setting", NAMES),
                        Axis.linear("standard deviation (us)"),
                        List.of(
                                ChartSeries.bars("software stamps", deviations),
                                ChartSeries.bars("simulated", simulated)))),
                List.of(new Table("RTT", columns, rows), DelayMeasurement.ports(ports)));
    }
}
