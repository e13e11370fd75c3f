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
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import java.util.ArrayList;
import java.util.List;

/** Figure 8 (a): how long a new flow takes to its share, by its initial rate. */
public final class InitialRateConvergence implements Figure {
    private static final String ID = "expresspass/fig8a";
    private static final String FILE = "expresspass/fig08a-convergence.yaml";
    private static final List<Integer> SHARES = List.of(1, 2, 4, 8, 16, 32);

    private static final int SEEDS = 20;

    public InitialRateConvergence() {}

    /**
     * A point of the figure.
     *
     * @param share alpha is one over it
     * @param seed what the run's randomness comes from
     */
    private record Start(int share, int seed) {
        @Override
        public String toString() {
            return "alpha 1/" + share + " seed " + seed;
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Time to convergence against the initial rate";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "10 Gbps, round trips of 100 us, w_init 1/2; one flow sends, another joins with an initial rate of 1/32 to 1 of the"
                        + " highest. Round trips, that of the opening included, until it first has 80 % of its fair share in one;"
                        + " medians over seeds.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER + "; 20 seeds"
                        : "4 ms before and 6 ms after the second flow in place of 10 and 20: the longest"
                                + " convergence takes 2 ms.");
    }

    private static List<Variant> variants() {
        return List.of(Variant.AUTHORS, Variant.WEIR);
    }

    private static PaperRun<JoiningFlow> run(Variant variant, Start start, Scale scale) {
        int joinMillis = scale == Scale.FULL ? 10 : 4;
        int endMillis = scale == Scale.FULL ? 30 : 10;
        String alpha = "alpha: 1/" + start.share();
        List<String> settings = new ArrayList<>();
        if (variant.equals(Variant.WEIR)) {
            settings.add("protocol={preset: weir, " + alpha + "}");
            settings.add(Variant.WEIR_METER);
        } else {
            settings.add("protocol.alpha=1/" + start.share());
        }
        settings.addAll(JoiningFlow.settings("new", joinMillis, endMillis, start.seed()));
        return new PaperRun<>(variant.name() + " " + start, FILE, settings, JoiningFlow.of("new", joinMillis));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : variants()) {
            for (int share : SHARES) {
                for (int seed = 1; seed <= SEEDS; seed++) {
                    runs.add(run(variant, new Start(share, seed), scale));
                }
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Curves curves = new Curves();
        long drops = 0;
        for (Variant variant : variants()) {
            for (int share : SHARES) {
                List<Double> roundTrips = new ArrayList<>();
                for (int seed = 1; seed <= SEEDS; seed++) {
                    JoiningFlow flow = results.get(run(variant, new Start(share, seed), scale));
                    roundTrips.add(flow.roundTripsToShare());
                    drops += flow.dataDrops();
                }
                curves.add(variant.name(), 1.0 / share, Statistics.median(roundTrips));
            }
        }
        List<Claim> claims = new ArrayList<>(claims(curves));
        claims.add(Extracts.noDrops(ID, drops));
        Chart chart = new Chart(
                "Time to convergence",
                Chart.Kind.LINES,
                Axis.logarithmic("alpha"),
                Axis.linear("round trips"),
                curves.series());
        return new Findings(claims, List.of(chart), List.of());
    }

    private static List<Claim> claims(Curves curves) {
        List<Double> authors = curves.values(Variant.AUTHORS.name());
        List<Double> weir = curves.values(Variant.WEIR.name());
        int last = SHARES.size() - 1;
        return List.of(
                Claim.about(
                                ID + "/authors-1",
                                "A flow that begins at the highest rate converges at once (authors)",
                                "2 RTTs")
                        .atMost(authors.get(0), 10, Unit.ROUND_TRIPS),
                Claim.about(ID + "/authors-32", "One that begins at 1/32 of it takes longer (authors)", "14 RTTs")
                        .within(authors.get(last), 5, 20, Unit.ROUND_TRIPS),
                Claim.about(
                                ID + "/authors-trend",
                                "The lower the initial rate, the longer it takes (authors): by how much a halving shortens it, at most",
                                "never")
                        .atMost(largestFall(authors), 0, Unit.ROUND_TRIPS)
                        .explained(),
                Claim.about(ID + "/weir-1", "A flow that begins at the highest rate converges at once (weir)", "2 RTTs")
                        .atMost(weir.get(0), 5, Unit.ROUND_TRIPS),
                Claim.about(ID + "/weir-32", "One that begins at 1/32 of it takes longer (weir)", "14 RTTs")
                        .reported(Unit.ROUND_TRIPS.print(weir.get(last))));
    }

    /** {@return by how much a value lies below the one before it, at most; 0 if none does} */
    static double largestFall(List<Double> values) {
        double fall = 0;
        for (int i = 1; i < values.size(); i++) {
            fall = Math.max(fall, values.get(i - 1) - values.get(i));
        }
        return fall;
    }
}
