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
import io.weir.papers.Statistics;
import io.weir.papers.Sweep;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Section VI-C1: queueing delay and utilisation with 10 to 30 long flows. */
public final class LongFlowQueues implements Figure {
    private static final String ID = "dx/sec6c";
    private static final String FILE = "dx/sec6c-many-flows.yaml";
    private static final double UTILIZATION_MIN = 0.985;
    private static final double RATIO_MIN = 4;
    private static final double HULL_MIN = 0.88;
    private static final double HULL_MAX = 0.93;
    private static final double FRAME_MICROS = 1.2304;
    private static final List<Variant> PROTOCOLS = List.of(Protocols.DX, Protocols.DCTCP, Protocols.HULL);

    /** Creates the figure. */
    public LongFlowQueues() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Queueing delay and utilisation with many long flows";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Pairs of hosts over one link of 10 Gbps, round trips of 200 us, long flows; exact time stamps. DCTCP with K = 65 frames,"
                        + " HULL with phantom queues of 95 % and 15 KB.",
                scale == Scale.FULL
                        ? "10, 15, 20, 25 and 30 flows; half a second of each, measured from 100 ms on: the paper does not say how long."
                        : "10, 20 and 30 flows; 200 ms of each, of which the second half counts: 500 round trips.");
    }

    private static Sweep<Integer, SharedPort> sweep(Scale scale) {
        boolean isFull = scale == Scale.FULL;
        return new Sweep<>(
                FILE,
                PROTOCOLS,
                isFull ? List.of(10, 15, 20, 25, 30) : List.of(10, 20, 30),
                flows -> List.of("topology.pairs=" + flows, "duration=" + (isFull ? "500ms" : "200ms")),
                SharedPort::of);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep(scale).runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, SharedPort> sweep = sweep(scale);
        List<SharedPort> dx = sweep.all(results, Protocols.DX);
        List<SharedPort> dctcp = sweep.all(results, Protocols.DCTCP);
        List<SharedPort> hull = sweep.all(results, Protocols.HULL);
        List<Claim> claims = List.of(
                Claim.about(ID + "/utilization", "DX fills the link: the least of all numbers of flows", "99.9 %")
                        .atLeast(Statistics.min(utilizations(dx)), UTILIZATION_MIN, Unit.SHARE),
                Claim.about(
                                ID + "/mean",
                                "DCTCP's mean queueing delay is a multiple of DX's: the least of all numbers of flows",
                                "6.6 times with ten")
                        .atLeast(Statistics.min(ratios(dctcp, dx, SharedPort::mean)), RATIO_MIN, Unit.TIMES),
                Claim.about(ID + "/hull-least", "HULL gives up a tenth of the link: the least it uses", "about 90 %")
                        .within(Statistics.min(utilizations(hull)), HULL_MIN, HULL_MAX, Unit.SHARE),
                Claim.about(ID + "/hull-most", "and the most", "about 90 %")
                        .within(Statistics.max(utilizations(hull)), HULL_MIN, HULL_MAX, Unit.SHARE),
                Claim.about(
                                ID + "/hull-mean",
                                "DX's mean queueing delay is slightly above HULL's: HULL's over DX's, flow number by flow number",
                                "slightly below 1")
                        .reported(print(ratios(hull, dx, SharedPort::mean))),
                Claim.about(
                                ID + "/hull-p99",
                                "At the 99th percentile DX is better than HULL: HULL's over DX's, flow number by flow number",
                                "1.6 to 2.2 times")
                        .reported(print(ratios(hull, dx, SharedPort::p99))));
        return new Findings(
                claims.stream().map(Claim::explained).toList(),
                List.of(
                        chart(sweep, results, "mean queueing delay (us)", port -> FRAME_MICROS * port.mean()),
                        chart(
                                sweep,
                                results,
                                "99th percentile of the queueing delay (us)",
                                port -> FRAME_MICROS * port.p99()),
                        chart(sweep, results, "utilisation (% of the link)", port -> 100 * port.utilization())),
                List.of());
    }

    private static List<Double> utilizations(List<SharedPort> ports) {
        return ports.stream().map(SharedPort::utilization).toList();
    }

    private static List<Double> ratios(
            List<SharedPort> over, List<SharedPort> under, ToDoubleFunction<SharedPort> value) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < over.size(); i++) {
            ratios.add(value.applyAsDouble(over.get(i)) / value.applyAsDouble(under.get(i)));
        }
        return ratios;
    }

    private static String print(List<Double> ratios) {
        return String.join(", ", ratios.stream().map(Unit.TIMES::print).toList());
    }

    private static Chart chart(
            Sweep<Integer, SharedPort> sweep, RunResults results, String what, ToDoubleFunction<SharedPort> value) {
        Curves curves = new Curves();
        for (Variant variant : sweep.variants()) {
            for (int flows : sweep.points()) {
                curves.add(variant.word(), flows, value.applyAsDouble(sweep.at(results, variant, flows)));
            }
        }
        return new Chart(what, Chart.Kind.LINES, Axis.linear("flows"), Axis.linear(what), curves.series());
    }
}
