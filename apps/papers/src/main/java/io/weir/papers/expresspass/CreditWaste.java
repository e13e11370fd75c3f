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
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 8 (b): credits that a flow of one packet wastes, by its initial rate. */
public final class CreditWaste implements Figure {
    private static final String ID = "expresspass/fig8b";
    private static final String FILE = "expresspass/fig08b-waste.yaml";
    private static final List<Integer> SHARES = List.of(1, 2, 4, 8, 16, 32);

    /** Credits of a round trip of 100 us at the highest rate, and what the round trip is longer than 100 us. */
    private static final double CREDITS_PER_RTT = 77 * 1.02;

    private static final double TOLERANCE_CREDITS = 2;

    /** Creates the figure. */
    public CreditWaste() {}

    /**
     * What remains of a run.
     *
     * @param creditsPerFlow wasted credits a flow
     * @param dataDrops frames dropped
     */
    record Waste(double creditsPerFlow, long dataDrops) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Credits wasted by a flow of one packet";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "An idle network of 10 Gbps with round trips of 100 us; flows of one packet, one after the other; initial rates of"
                        + " 1/32 to 1 of the highest.",
                Setting.AS_IN_THE_PAPER + "; the mean of 100 flows");
    }

    private static List<Variant> variants() {
        return List.of(Variant.AUTHORS, Variant.PAPER, Variant.WEIR);
    }

    private static PaperRun<Waste> run(Variant variant, int share) {
        String alpha = "alpha: 1/" + share;
        List<String> settings = new ArrayList<>();
        if (variant.equals(Variant.AUTHORS)) {
            settings.add("protocol.alpha=1/" + share);
        } else {
            settings.add("protocol={preset: " + variant.word() + ", " + alpha + "}");
        }
        if (variant.equals(Variant.WEIR)) {
            settings.add(Variant.WEIR_METER);
        }
        return new PaperRun<>(variant.word() + " 1/" + share, FILE, settings, CreditWaste::waste);
    }

    private static Waste waste(ScenarioResult result) {
        double wasted = result.flows().stream()
                .map(FlowResult::credits)
                .mapToLong(FlowResult.Credits::wasted)
                .average()
                .orElseThrow();
        return new Waste(wasted, result.summary().dataDrops());
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (Variant variant : variants()) {
            SHARES.forEach(share -> runs.add(run(variant, share)));
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Curves curves = new Curves();
        long drops = 0;
        for (Variant variant : variants()) {
            for (int share : SHARES) {
                Waste waste = results.get(run(variant, share));
                curves.add(variant.word(), 1.0 / share, waste.creditsPerFlow());
                drops += waste.dataDrops();
            }
        }
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(
                        ID + "/authors",
                        "Waste is proportional to the initial rate (authors): the farthest of six initial rates from alpha x "
                                + Unit.NUMBER.print(CREDITS_PER_RTT) + " credits",
                        "about 80 credits at alpha = 1, 2 to 3 at 1/32")
                .atMost(largestDistance(curves.values(Variant.AUTHORS.word())), TOLERANCE_CREDITS, Unit.NUMBER));
        claims.add(reported(curves, Variant.PAPER, "waits 100 us before it stops credits"));
        claims.add(reported(curves, Variant.WEIR, "credits follow the backlog"));
        claims.add(Extracts.noDrops(ID, drops));
        return new Findings(claims, List.of(chart(curves)), List.of());
    }

    private static Claim reported(Curves curves, Variant variant, String why) {
        List<Double> credits = curves.values(variant.word());
        return Claim.about(
                        ID + "/" + variant.word(),
                        "The same by " + variant.word() + " (" + why + "), at alpha = 1 and at 1/32",
                        "about 80 and 2 to 3")
                .reported(Unit.NUMBER.print(credits.get(0)) + " and "
                        + Unit.NUMBER.print(credits.get(credits.size() - 1)));
    }

    /** {@return how far the farthest is from what the initial rate makes of a round trip's credits} */
    static double largestDistance(List<Double> credits) {
        double largest = 0;
        for (int i = 0; i < credits.size(); i++) {
            largest = Math.max(largest, Math.abs(credits.get(i) - CREDITS_PER_RTT / SHARES.get(i)));
        }
        return largest;
    }

    private static Chart chart(Curves curves) {
        return new Chart(
                "Wasted credits",
                Chart.Kind.LINES,
                Axis.logarithmic("alpha"),
                Axis.linear("credits wasted by a flow"),
                curves.series());
    }
}
