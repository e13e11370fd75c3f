package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Extracts;
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
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figure 15: utilisation, fairness and the longest queue with 4 to 1024 long flows. */
public final class ManyFlows implements Figure {
    private static final String ID = "expresspass/fig15";
    private static final String FILE = "expresspass/fig15-many-flows.yaml";
    private static final double LINK_RATE_BPS = 10e9;
    private static final double UTILIZATION_MIN = 0.90;
    private static final double UTILIZATION_MAX = 0.955;
    private static final double JAIN_MIN = 0.97;
    private static final double QUEUE_BYTES_MAX = 5_000;

    /** The authors' rule with its random sizes; its acknowledgements and openings are on the wire here. */
    private static final List<Variant> CREDITS = List.of(Variant.AUTHORS, Variant.WEIR);

    /** A queue of twice K needs more than the 100 frames that the file has. */
    private static final String QUEUE_OF_PEERS = "topology.dataQueue=384500B";

    private static final Variant DCTCP = Peers.dctcp(1).and(QUEUE_OF_PEERS);
    private static final Variant RCP = Peers.rcp().and(QUEUE_OF_PEERS);
    private static final List<Variant> PEERS = List.of(DCTCP, RCP);

    private static final double DCTCP_UTILIZATION_MIN = 0.99;
    private static final double DCTCP_JAIN_MAX = 0.9;
    private static final int DCTCP_COLLAPSES = 256;
    private static final int DCTCP_OVERFULL = 128;
    private static final double DCTCP_QUEUE_BYTES_MIN = 2.0 * 65 * 1538;
    private static final int RCP_OVERFLOWS = 32;

    /** Creates the figure. */
    public ManyFlows() {}

    /**
     * What remains of a run.
     *
     * @param utilization what data takes of the link between the switches; requests that flows repeat while they wait
     *     for a credit, 2 % of it with 1024 flows, are not data
     * @param jain Jain's index over 100 ms, the mean of those after the warm-up
     * @param queueBytesMax the longest data queue
     * @param dataDrops frames dropped
     */
    record Crowd(double utilization, double jain, double queueBytesMax, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Utilisation, fairness and queue with many flows";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "N pairs of hosts over one link of 10 Gbps, links of 10 us; 4 to 1024 long flows whose starts are spread over time. Jain's"
                        + " index over 100 ms. DCTCP and RCP behind queues of 250 frames, ExpressPass of 100.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER + ": starts within 100 ms, 3 intervals of 100 ms from 200 ms on"
                        : "without 8 and 512 flows; starts within 50 ms, one interval of 100 ms from 100 ms on.");
    }

    private static Sweep<Integer, Crowd> sweep(Scale scale) {
        boolean isFull = scale == Scale.FULL;
        List<Variant> variants = new ArrayList<>(CREDITS);
        variants.addAll(PEERS);
        return new Sweep<>(
                FILE,
                variants,
                isFull ? List.of(4, 8, 16, 32, 64, 128, 256, 512, 1024) : List.of(4, 16, 32, 64, 128, 256, 1024),
                flows -> List.of(
                        "topology.pairs=" + flows,
                        isFull ? "duration=500ms" : "duration=200ms",
                        isFull ? "traffic[flow].start={spread: 100ms}" : "traffic[flow].start={spread: 50ms}",
                        "measure={interval: 100ms, warmUp: " + (isFull ? 200 : 100) + "ms, perFlow: true}"),
                isFull ? result -> crowd(result, 2) : result -> crowd(result, 1));
    }

    /** {@return the frames that RCP drops: it gives each new flow the rate of those that are there} */
    private static PaperRun<Long> rcpTogether() {
        return RCP.run(
                FILE,
                RCP_OVERFLOWS + " together",
                result -> result.summary().dataDrops(),
                List.of(
                        "topology.pairs=" + RCP_OVERFLOWS,
                        "duration=20ms",
                        "traffic[flow].start={spread: 250us}",
                        "measure={warmUp: 0ms}"));
    }

    private static Crowd crowd(ScenarioResult result, int intervalsOfWarmUp) {
        return new Crowd(
                result.summary().goodputBps() * Variant.WIRE_BYTES_PER_PAYLOAD_BYTE / LINK_RATE_BPS,
                Extracts.jainOverIntervals(result, intervalsOfWarmUp),
                Extracts.queueBytesMax(result),
                result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>(sweep(scale).runs());
        runs.add(rcpTogether());
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, Crowd> sweep = sweep(scale);
        List<Claim> claims = new ArrayList<>();
        long drops = 0;
        for (Variant variant : CREDITS) {
            List<Crowd> crowds = sweep.all(results, variant);
            claims.addAll(claims(variant.word(), crowds));
            drops += crowds.stream().mapToLong(Crowd::dataDrops).sum();
        }
        claims.addAll(dctcp(
                sweep.all(results, DCTCP),
                sweep.at(results, DCTCP, DCTCP_COLLAPSES),
                sweep.at(results, DCTCP, DCTCP_OVERFULL)));
        claims.add(Claim.about(
                        ID + "/rcp",
                        "RCP overflows the queue with 32 flows that start within 250 us: frames dropped",
                        "drops with 32")
                .atLeast((double) (long) results.get(rcpTogether()), 1, Unit.NUMBER));
        claims.add(Extracts.noDrops(ID, drops));
        return new Findings(
                claims,
                List.of(
                        chart(sweep, results, "utilisation (% of the link)", crowd -> 100 * crowd.utilization()),
                        chart(sweep, results, "Jain's index over 100 ms", Crowd::jain),
                        chart(sweep, results, "longest queue (KB)", crowd -> crowd.queueBytesMax() / 1e3)),
                List.of());
    }

    private static List<Claim> dctcp(List<Crowd> all, Crowd collapsing, Crowd overfull) {
        return List.of(
                Claim.about(
                                ID + "/dctcp-utilization",
                                "DCTCP fills the link: the least of all numbers of flows",
                                "100 %")
                        .atLeast(
                                Statistics.min(
                                        all.stream().map(Crowd::utilization).toList()),
                                DCTCP_UTILIZATION_MIN,
                                Unit.SHARE),
                Claim.about(ID + "/dctcp-jain", "DCTCP becomes unfair with many flows: 256", "collapses")
                        .atMost(collapsing.jain(), DCTCP_JAIN_MAX, Unit.NUMBER),
                Claim.about(ID + "/dctcp-queue", "DCTCP's queue grows with the flows: 128, against K = 100 KB", "grows")
                        .atLeast(overfull.queueBytesMax(), DCTCP_QUEUE_BYTES_MIN, Unit.BYTES));
    }

    static List<Claim> claims(String word, List<Crowd> crowds) {
        String id = ID + "/" + word;
        String by = " (" + word + "): ";
        List<Double> utilizations = crowds.stream().map(Crowd::utilization).toList();
        List<Double> indices = crowds.stream().map(Crowd::jain).toList();
        List<Double> queues = crowds.stream().map(Crowd::queueBytesMax).toList();
        return List.of(
                Claim.about(
                                id + "-least",
                                "Data fills what credits leave" + by + "the least of all numbers of flows",
                                "95 %")
                        .within(Statistics.min(utilizations), UTILIZATION_MIN, UTILIZATION_MAX, Unit.SHARE),
                Claim.about(id + "-most", "and no more" + by + "the most of all numbers of flows", "95 %")
                        .within(Statistics.max(utilizations), UTILIZATION_MIN, UTILIZATION_MAX, Unit.SHARE),
                Claim.about(
                                id + "-jain",
                                "Flows share fairly" + by + "the least fair of all numbers of flows",
                                "near 1")
                        .atLeast(Statistics.min(indices), JAIN_MIN, Unit.NUMBER),
                Claim.about(
                                id + "-queue",
                                "The queue stays short" + by + "the longest of all numbers of flows",
                                "1.34 KB")
                        .atMost(Statistics.max(queues), QUEUE_BYTES_MAX, Unit.BYTES));
    }

    private static Chart chart(
            Sweep<Integer, Crowd> sweep, RunResults results, String what, ToDoubleFunction<Crowd> value) {
        Curves curves = new Curves();
        for (Variant variant : sweep.variants()) {
            for (int flows : sweep.points()) {
                curves.add(variant.word(), flows, value.applyAsDouble(sweep.at(results, variant, flows)));
            }
        }
        return new Chart(
                "Many flows: " + what, Chart.Kind.LINES, Axis.logarithmic("flows"), Axis.linear(what), curves.series());
    }
}
