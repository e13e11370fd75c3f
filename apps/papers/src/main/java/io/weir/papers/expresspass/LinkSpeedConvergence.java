package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Extracts;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Statistics;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Figure 16: a second flow joins at 10 and at 100 Gbps, and has its share after the same number of round trips. */
public final class LinkSpeedConvergence implements Figure {
    private static final String ID = "expresspass/fig16";
    private static final int SEEDS = 20;
    private static final double FIRST_RTTS_MAX = 5;
    private static final double SETTLED_RTTS_MAX = 20;
    private static final double RATIO_MAX = 1.6;
    private static final double PEER_TIMES = 80;

    /**
     * What is demanded is demanded of alpha = 1, Weir's default; the authors' script has 1/2 for this figure, which
     * stands next to.
     */
    private static final List<Variant> VARIANTS = List.of(
            Variant.WEIR,
            Variant.AUTHORS.with("authors", "protocol.alpha=1"),
            Variant.AUTHORS.with("authors, alpha 1/2"));

    /** DCTCP as RFC 8257 has it, and as the authors' scripts have it. One run each: their seeds do not differ. */
    private static final List<Variant> PEERS = List.of(Peers.dctcpOfRfc(1), Peers.dctcp(1));

    private static final Variant PEER_AT_100G = Peers.dctcpOfRfc(10)
            .with(
                    "dctcp-rfc",
                    "protocol={preset: dctcp, gain: 0.01976}",
                    "topology.ecn={threshold: 999700B}",
                    "topology.dataQueue=3845000B");
    private static final int PEER_JOIN_MILLIS = 20;

    public LinkSpeedConvergence() {}

    /** How fast the links are. */
    private enum Speed {
        TEN("10 Gbps", "expresspass/fig16-convergence-10g.yaml"),
        HUNDRED("100 Gbps", "expresspass/fig16-convergence-100g.yaml");

        private final String label;
        private final String file;

        Speed(String label, String file) {
            this.label = label;
            this.file = file;
        }
    }

    /**
     * Medians over seeds, in round trips.
     *
     * @param first until the new flow first has 80 % of its share in one
     * @param settled until it has its share within a tenth, over five
     */
    record Medians(double first, double settled) {
        static Medians of(List<JoiningFlow> flows) {
            return new Medians(
                    Statistics.median(
                            flows.stream().map(JoiningFlow::roundTripsToShare).toList()),
                    Statistics.median(
                            flows.stream().map(JoiningFlow::roundTripsToSettle).toList()));
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Convergence at 10 and at 100 Gbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Round trips of 100 us, links of 10 and of 100 Gbps. One flow sends, a second joins; goodput for every round trip. Round"
                        + " trips count from the second flow's opening on, which takes the first. Medians of 20 seeds.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : "the second flow joins after 3 ms in place of 10, and the end comes 4 ms later: twice the round trips in which"
                                + " flows may settle. DCTCP at 10 Gbps only: at 100 Gbps it takes seconds of this computer.");
    }

    private static PaperRun<JoiningFlow> run(Variant variant, Speed speed, int seed, Scale scale) {
        int joinMillis = scale == Scale.FULL ? 10 : 3;
        int endMillis = scale == Scale.FULL ? 20 : 7;
        return variant.run(
                speed.file,
                speed.label + " seed " + seed,
                JoiningFlow.of("second", joinMillis),
                JoiningFlow.settings("second", joinMillis, endMillis, seed));
    }

    private static List<PaperRun<JoiningFlow>> runs(Variant variant, Speed speed, Scale scale) {
        return IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> run(variant, speed, seed, scale))
                .toList();
    }

    private static PaperRun<JoiningFlow> peer(Variant variant, Speed speed, int endMillis) {
        return variant.run(
                speed.file,
                speed.label,
                JoiningFlow.of("second", PEER_JOIN_MILLIS),
                JoiningFlow.settings("second", PEER_JOIN_MILLIS, endMillis, 1));
    }

    private static PaperRun<JoiningFlow> slowPeer(Variant variant) {
        return peer(variant, Speed.TEN, 120);
    }

    private static PaperRun<JoiningFlow> fastPeer() {
        return peer(PEER_AT_100G, Speed.HUNDRED, 520);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : VARIANTS) {
            for (Speed speed : Speed.values()) {
                runs.addAll(runs(variant, speed, scale));
            }
        }
        PEERS.forEach(variant -> runs.add(slowPeer(variant)));
        if (scale == Scale.FULL) {
            runs.add(fastPeer());
        }
        return runs;
    }

    private static List<JoiningFlow> flows(RunResults results, Variant variant, Speed speed, Scale scale) {
        return runs(variant, speed, scale).stream().map(results::get).toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        long drops = 0;
        for (Variant variant : VARIANTS) {
            List<JoiningFlow> slowFlows = flows(results, variant, Speed.TEN, scale);
            List<JoiningFlow> fastFlows = flows(results, variant, Speed.HUNDRED, scale);
            Medians slow = Medians.of(slowFlows);
            Medians fast = Medians.of(fastFlows);
            drops += drops(slowFlows) + drops(fastFlows);
            claims.addAll(claims(variant, slow, fast));
            rows.add(row(variant, Speed.TEN, slow));
            rows.add(row(variant, Speed.HUNDRED, fast));
        }
        claims.addAll(peers(results, scale));
        claims.add(Extracts.noDrops(ID, drops));
        for (Speed speed : Speed.values()) {
            charts.add(chart(speed, flows(results, Variant.WEIR, speed, scale).get(0)));
        }
        List<String> columns = List.of("", "first 80 % of its share (RTTs)", "within 10 % over five (RTTs)");
        return new Findings(claims, charts, List.of(new Table("Medians of 20 seeds", columns, rows)));
    }

    private static long drops(List<JoiningFlow> flows) {
        return flows.stream().mapToLong(JoiningFlow::dataDrops).sum();
    }

    private static List<Claim> peers(RunResults results, Scale scale) {
        double own = Medians.of(flows(results, Variant.WEIR, Speed.TEN, scale)).first();
        double rfc = results.get(slowPeer(PEERS.get(0))).roundTripsToShareOverTen();
        double ns2 = results.get(slowPeer(PEERS.get(1))).roundTripsToShareOverTen();
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(
                        ID + "/dctcp",
                        "DCTCP takes many times as long at 10 Gbps until it has 80 % of its share, over ten round trips",
                        "more than 80 times")
                .atLeast(rfc / own, PEER_TIMES, Unit.TIMES));
        claims.add(Claim.about(ID + "/dctcp-ns2", "The same by DCTCP as in the authors' scripts", "more than 80 times")
                .reported(Unit.TIMES.print(ns2 / own)));
        if (scale == Scale.FULL) {
            double fast = results.get(fastPeer()).roundTripsToShareOverTen();
            claims.add(Claim.about(
                            ID + "/dctcp-100g", "At 100 Gbps DCTCP takes longer in proportion to the link", "10 times")
                    .reported(Unit.TIMES.print(fast / rfc)));
        }
        return claims;
    }

    /** {@return what is demanded with alpha = 1; what the authors' alpha of 1/2 gives is only reported} */
    static List<Claim> claims(Variant variant, Medians slow, Medians fast) {
        String id = ID + "/" + variant.name().replace(", alpha 1/2", "-half");
        String by = " (" + variant.name() + ")";
        Claim.Draft first10 = Claim.about(id + "-10g", "A new flow has its share at once at 10 Gbps" + by, "3 RTTs");
        Claim.Draft first100 = Claim.about(id + "-100g", "and at 100 Gbps" + by, "3 RTTs");
        if (id.endsWith("-half")) {
            return List.of(
                    first10.reported(Unit.ROUND_TRIPS.print(slow.first())),
                    first100.reported(Unit.ROUND_TRIPS.print(fast.first())));
        }
        return List.of(
                first10.atMost(slow.first(), FIRST_RTTS_MAX, Unit.ROUND_TRIPS),
                first100.atMost(fast.first(), FIRST_RTTS_MAX, Unit.ROUND_TRIPS),
                Claim.about(
                                id + "-ratio",
                                "It takes no longer on faster links" + by + ": 100 Gbps against 10",
                                "unchanged")
                        .atMost(fast.first() / slow.first(), RATIO_MAX, Unit.TIMES),
                Claim.about(
                                id + "-settled",
                                "It stays there" + by + ": within a tenth over five round trips, the slower",
                                "3 RTTs")
                        .atMost(Math.max(slow.settled(), fast.settled()), SETTLED_RTTS_MAX, Unit.ROUND_TRIPS));
    }

    private static List<String> row(Variant variant, Speed speed, Medians medians) {
        return List.of(
                variant.name() + ", " + speed.label,
                Unit.NUMBER.print(medians.first()),
                Unit.NUMBER.print(medians.settled()));
    }

    private static Chart chart(Speed speed, JoiningFlow flow) {
        List<Double> first = new ArrayList<>();
        for (int i = 0; i < flow.totalBps().size(); i++) {
            first.add((flow.totalBps().get(i) - flow.joiningBps().get(i)) / 1e9);
        }
        List<Double> second = flow.joiningBps().stream().map(bps -> bps / 1e9).toList();
        return new Chart(
                "Two flows at " + speed.label + " (weir)",
                Chart.Kind.CURVES,
                Axis.linear("time (us)"),
                Axis.linear("goodput (Gbps)"),
                List.of(
                        ChartSeries.overTime("first", JoiningFlow.INTERVAL_MICROS, first),
                        ChartSeries.overTime("second", JoiningFlow.INTERVAL_MICROS, second)));
    }
}
