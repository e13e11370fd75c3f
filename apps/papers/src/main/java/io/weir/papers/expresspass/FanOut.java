package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.LinearFit;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Figure 1: the queue at the port of a master whose workers have always something to answer, by the number of workers.
 */
public final class FanOut implements Figure {
    private static final String ID = "expresspass/fig1";
    private static final String FILE = "expresspass/fig01-fan-out.yaml";
    private static final int FEW = 128;
    private static final double KILO = 1_000;
    private static final double FRAME_BYTES = 1_538;
    private static final double BOUND_BYTES = 60_000;
    private static final int MANY = 512;
    private static final double FRAMES_OF_MANY_MIN = 200;

    private static final Variant IDEAL =
            new Variant("ideal", 1, List.of("protocol=ideal", "topology.credits={model: off}"));
    private static final Variant DCTCP = new Variant(
            "dctcp", 1, List.of("protocol={preset: dctcp-ns2, initialSegments: 2}", "topology.ecn={threshold: 99970}"));
    private static final List<Variant> PROTOCOLS = List.of(IDEAL, DCTCP, Variant.AUTHORS, Variant.WEIR);

    public FanOut() {}

    /**
     * The queue at the master's port.
     *
     * @param min the least
     * @param p25 25 % of the time there was no more
     * @param p50 the median over time
     * @param p75 75 % of the time there was no more
     * @param max the most
     * @param dataDrops frames dropped anywhere
     */
    record Queue(double min, double p25, double p50, double p75, double max, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Data queue at the port of a master, by fan-out";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "8-ary fat tree of 128 hosts, 10 Gbps, 5 us a link; 32 to 2,048 workers, several on a host, have always something to"
                        + " send to one master. Queues have no limit that matters. DCTCP: K = 65 frames, g = 1/16. The paper's"
                        + " requests are not there, but the times at which they would arrive; its answers of 1,000 B fill frames.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "Fan-outs of 32, 128, 512 and 2,048, each for 20 ms, of which the first five, with the openings of the connections, do not count: hundreds of round trips, and of the largest fan-out"
                                + " eight answers from each worker.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant protocol : PROTOCOLS) {
            fanOuts(scale).forEach(fanOut -> runs.add(run(protocol, fanOut, scale)));
        }
        return runs;
    }

    private static List<Integer> fanOuts(Scale scale) {
        return scale == Scale.FULL ? List.of(32, 64, 128, 256, 512, 1_024, 2_048) : List.of(32, 128, 512, 2_048);
    }

    private static PaperRun<Queue> run(Variant protocol, int fanOut, Scale scale) {
        List<String> settings = new ArrayList<>();
        settings.add("traffic[0].count=" + fanOut);
        if (scale == Scale.FULL) {
            settings.add("duration=200ms");
        }
        return protocol.run(FILE, Integer.toString(fanOut), FanOut::queue, settings);
    }

    private static Queue queue(ScenarioResult result) {
        PortResult port = result.ports().stream()
                .filter(candidate -> candidate.port().equals("h1"))
                .findFirst()
                .orElseThrow();
        return new Queue(
                port.queueBytesMin(),
                port.queueBytesP25(),
                port.queueBytesP50(),
                port.queueBytesP75(),
                port.queueBytesMax(),
                result.summary().dataDrops());
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Integer> fanOuts = fanOuts(scale);
        List<List<Queue>> queues = PROTOCOLS.stream()
                .map(protocol -> fanOuts.stream()
                        .map(fanOut -> results.get(run(protocol, fanOut, scale)))
                        .toList())
                .toList();
        List<Queue> ideal = queues.get(0);
        List<Claim> claims = new ArrayList<>(ideal(fanOuts, ideal));
        claims.addAll(dctcp(fanOuts, ideal, queues.get(1)));
        long drops = 0;
        for (int i = PROTOCOLS.indexOf(Variant.AUTHORS); i < PROTOCOLS.size(); i++) {
            claims.addAll(bounded(PROTOCOLS.get(i).name(), queues.get(i)));
            drops += queues.get(i).stream().mapToLong(Queue::dataDrops).sum();
        }
        claims.add(TreeRuns.noDrops(ID, drops));
        List<Chart> charts = new ArrayList<>();
        for (int i = 0; i < PROTOCOLS.size(); i++) {
            charts.add(chart(PROTOCOLS.get(i).name(), fanOuts, queues.get(i)));
        }
        return TreeRuns.findings(claims, charts, List.of(table(fanOuts, queues)));
    }

    /** {@return what (a) says: even paced at their exact shares, flows queue in proportion to their number} */
    static List<Claim> ideal(List<Integer> fanOuts, List<Queue> queues) {
        List<Double> most = queues.stream().map(Queue::max).toList();
        LinearFit fit = LinearFit.of(fanOuts.stream().map(Integer::doubleValue).toList(), most);
        double frames = 0;
        for (int i = 0; i < most.size(); i++) {
            frames = Math.max(frames, most.get(i) / FRAME_BYTES / fanOuts.get(i));
        }
        return List.of(
                Claim.about(
                                ID + "/ideal-grows",
                                "Ideal rate control: the largest queue grows with the fan-out; at the largest over that at 32",
                                "in proportion: 64 times")
                        .atLeast(most.get(most.size() - 1) / most.get(0), 8, Unit.TIMES),
                Claim.about(
                                ID + "/ideal-line",
                                "Ideal rate control: on a line, the share of the variance that it explains",
                                "a line")
                        .atLeast(fit.rSquared(), 0.9, Unit.NUMBER),
                Claim.about(
                                ID + "/ideal-frames",
                                "Ideal rate control: never more than a frame for each flow; the most frames per flow",
                                "one")
                        .atMost(frames, 1, Unit.NUMBER));
    }

    /** {@return what (b) says: DCTCP's queues are longer still} */
    static List<Claim> dctcp(List<Integer> fanOuts, List<Queue> ideal, List<Queue> dctcp) {
        double median = Double.POSITIVE_INFINITY;
        double max = Double.POSITIVE_INFINITY;
        double frames = Double.POSITIVE_INFINITY;
        for (int i = 0; i < fanOuts.size(); i++) {
            if (fanOuts.get(i) >= FEW) {
                // An empty queue is longer than nothing by any factor: a frame stands for it.
                median = Math.min(
                        median, dctcp.get(i).p50() / Math.max(ideal.get(i).p50(), FRAME_BYTES));
                max = Math.min(max, dctcp.get(i).max() / ideal.get(i).max());
            }
            if (fanOuts.get(i) >= MANY) {
                frames = Math.min(frames, dctcp.get(i).max() / FRAME_BYTES);
            }
        }
        return List.of(
                Claim.about(
                                ID + "/dctcp-median",
                                "DCTCP's median queue is longer than the ideal's from 128 workers on; the least ratio",
                                "much longer")
                        .atLeast(median, 1, Unit.TIMES),
                Claim.about(
                                ID + "/dctcp-max",
                                "DCTCP's largest queue is longer than the ideal's from 128 workers on; the least ratio",
                                "much longer")
                        .atLeast(max, 1, Unit.TIMES),
                Claim.about(
                                ID + "/dctcp-frames",
                                "DCTCP's largest queue is of hundreds of frames from 512 workers on; the least",
                                "hundreds")
                        .atLeast(frames, FRAMES_OF_MANY_MIN, Unit.NUMBER));
    }

    /** {@return what (c) says: with credits the queue does not depend on the fan-out} */
    static List<Claim> bounded(String preset, List<Queue> queues) {
        double most = queues.stream().mapToDouble(Queue::max).max().orElse(Double.NaN);
        return List.of(
                Claim.about(
                                ID + "/" + preset + "-bounded",
                                "ExpressPass (" + preset
                                        + "): the largest queue at the largest fan-out over that at 32",
                                "bounded")
                        .atMost(
                                queues.get(queues.size() - 1).max()
                                        / queues.get(0).max(),
                                2,
                                Unit.TIMES),
                Claim.about(
                                ID + "/" + preset + "-max",
                                "ExpressPass (" + preset + "): the largest queue of all fan-outs",
                                "below its bound")
                        .atMost(most, BOUND_BYTES, Unit.BYTES));
    }

    private static Chart chart(String preset, List<Integer> fanOuts, List<Queue> queues) {
        List<Double> x = fanOuts.stream().map(Integer::doubleValue).toList();
        return new Chart(
                "Data queue at the master's port: " + preset,
                Chart.Kind.LINES,
                Axis.logarithmic("fan-out"),
                Axis.linear("queue (KB)"),
                List.of(
                        series("minimum", x, queues, Queue::min),
                        series("25 %", x, queues, Queue::p25),
                        series("median", x, queues, Queue::p50),
                        series("75 %", x, queues, Queue::p75),
                        series("maximum", x, queues, Queue::max)));
    }

    private static ChartSeries series(String name, List<Double> x, List<Queue> queues, ToDoubleFunction<Queue> value) {
        return new ChartSeries(
                name,
                x,
                queues.stream().map(queue -> value.applyAsDouble(queue) / KILO).toList());
    }

    private static Table table(List<Integer> fanOuts, List<List<Queue>> queues) {
        List<List<String>> rows = new ArrayList<>();
        for (int protocol = 0; protocol < PROTOCOLS.size(); protocol++) {
            for (int i = 0; i < fanOuts.size(); i++) {
                Queue queue = queues.get(protocol).get(i);
                rows.add(List.of(
                        PROTOCOLS.get(protocol).name(),
                        Integer.toString(fanOuts.get(i)),
                        Unit.BYTES.print(queue.min()),
                        Unit.BYTES.print(queue.p25()),
                        Unit.BYTES.print(queue.p50()),
                        Unit.BYTES.print(queue.p75()),
                        Unit.BYTES.print(queue.max()),
                        Long.toString(queue.dataDrops())));
            }
        }
        return new Table(
                "Data queue at the master's port",
                List.of("protocol", "fan-out", "minimum", "25 %", "median", "75 %", "maximum", "data drops"),
                rows);
    }
}
