package io.weir.papers.expresspass;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figure 12 and equations 2 to 6: where Algorithm 1 settles when the periods of all flows are one. */
public final class SteadyState implements Figure {
    private static final String ID = "expresspass/fig12";
    private static final List<Integer> FLOWS = List.of(2, 4, 8, 32, 100);
    private static final double W_MIN = 0.02;
    private static final int PERIODS = 4_000;
    private static final int DRAWN_PERIODS = 60;
    private static final double TOLERANCE = 0.01;

    public SteadyState() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "The steady state of the feedback control, for flows whose periods are one";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "N flows of Algorithm 1 on one link that passes the most credits and drops the same part of everybody's. In units of C ="
                        + " (1 + target_loss) x the most; target_loss 10 %, w_max 0.5; w_min 0.02 in place of 0.01, with which two flows"
                        + " exceed the link by so little that they are not cut each time, as the analysis supposes.",
                Setting.AS_IN_THE_PAPER);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (int flows : FLOWS) {
            claims.addAll(claims(flows));
        }
        return new Findings(claims, List.of(chart()), List.of());
    }

    private static List<Claim> claims(int flows) {
        DiscreteModel model = new DiscreteModel(flows, W_MIN);
        model.step(PERIODS);
        if (model.isRaised()) {
            model.step(1);
        }
        double even = model.rate(0);
        model.step(1);
        double odd = model.rate(0);
        String of = " with " + flows + " flows";
        double fair = 1.0 / flows;
        double raised = fair * (1 + (flows - 1) * W_MIN);
        double distance = W_MIN * (1 - fair);
        return List.of(
                claim("even-" + flows, "R(2k) comes to C/N" + of, fair, even),
                claim("odd-" + flows, "R(2k+1) comes to (C/N)(1 + (N-1) w_min)" + of, raised, odd),
                claim("distance-" + flows, "D* is C w_min (1 - 1/N)" + of, distance, odd - even));
    }

    private static Claim claim(String name, String statement, double paper, double measured) {
        return Claim.about(ID + "/" + name, statement, Unit.SHARE.print(paper) + " of C")
                .holds(
                        Math.abs(measured - paper) <= TOLERANCE * paper,
                        String.format(Locale.ROOT, "%.4f C", measured),
                        String.format(Locale.ROOT, "%.4f C, within 1 %%", paper),
                        String.format(Locale.ROOT, "%.3f %% off", 100 * Math.abs(measured / paper - 1)));
    }

    private static Chart chart() {
        DiscreteModel model = new DiscreteModel(4, W_MIN);
        List<List<Double>> rates = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int period = 0; period < DRAWN_PERIODS; period++) {
            for (int flow = 0; flow < rates.size(); flow++) {
                rates.get(flow).add(model.rate(flow));
            }
            model.step(1);
        }
        List<ChartSeries> series = new ArrayList<>();
        for (int flow = 0; flow < rates.size(); flow++) {
            series.add(ChartSeries.overTime("flow " + (flow + 1), 1, rates.get(flow)));
        }
        return new Chart(
                "Four flows that begin at different rates",
                Chart.Kind.CURVES,
                Axis.linear("update period"),
                Axis.linear("credit rate (C)"),
                series);
    }
}
