package io.weir.cli.paper.ccrp;

import io.weir.cli.paper.Claim;
import io.weir.cli.paper.Figure;
import io.weir.cli.paper.Findings;
import io.weir.cli.paper.PaperRun;
import io.weir.cli.paper.RunResults;
import io.weir.cli.paper.Scale;
import io.weir.cli.paper.Setting;
import io.weir.cli.paper.Table;
import io.weir.cli.paper.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Algorithm 1: what becomes of Figure 5 under each reading of what the print leaves open. */
public final class Readings implements Figure {
    private static final String ID = "ccrp/alg1";
    private static final String USUAL = "as here";
    private static final double TOO_SMALL = 0.03;
    private static final double SHARE_MIN = 0.4;
    private static final double SHARE_MAX = 0.6;

    /** The readings: what each sets beside w_max. */
    private static final Map<String, String> READINGS = new LinkedHashMap<>();

    static {
        READINGS.put(USUAL, "");
        READINGS.put("line 5 with >=, as printed", "cutAtTarget: true, ");
        READINGS.put("the same, no recovery, no decay", "cutAtTarget: true, recovery: 0, alphaDecays: false, ");
        READINGS.put("line 5's block ends at line 19", "creditsNeedMarks: true, ");
        READINGS.put("tmp_rate stays", "keepTmpRate: true, ");
        READINGS.put("lines 8 to 10 do nothing", "recovery: 0, ");
        READINGS.put("lines 8 to 10 after quiet periods", "recovery: 2, ");
        READINGS.put("recovery as DCQCN's", "towardsHighest: false, targetEachPeriod: false, ");
        READINGS.put("target rate from cuts alone", "targetEachPeriod: false, ");
        READINGS.put("ECN_alpha by line 6 alone", "alphaDecays: false, ");
        READINGS.put("ECN_alpha falls as DCQCN's", "alphaTimer: 55us, ");
        READINGS.put("g 1/16", "gain: 1/16, ");
    }

    /** Creates the figure. */
    public Readings() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Readings of Algorithm 1, by the shares of Figure 5";
    }

    @Override
    public Setting setting(Scale scale) {
        Setting usual = Mixes.setting("Two flows, each reading with each w_max and beside each DCQCN.", scale);
        return scale == Scale.FULL
                ? usual
                : new Setting(
                        usual.paper(),
                        "120 ms, the last 60 of which count, and w_max of 0.03, 0.04 and 0.07 alone: the rest lies between.");
    }

    private static List<Double> omegas(Scale scale) {
        return scale == Scale.FULL ? List.of(TOO_SMALL, 0.04, 0.05, 0.06, 0.07) : List.of(TOO_SMALL, 0.04, 0.07);
    }

    private static PaperRun<Mix> run(String dcqcn, String reading, double omega, Scale scale) {
        List<String> times = scale == Scale.FULL
                ? List.of("duration=1s", "measure.warmUp=500ms")
                : List.of("duration=120ms", "measure.warmUp=60ms");
        String protocol = "{id: ccrp, " + READINGS.get(reading) + "omegaMax: " + omega + "}";
        return Mixes.two(reading + ", w_max " + omega + " beside " + dcqcn, dcqcn, protocol, times);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            for (String reading : READINGS.keySet()) {
                omegas(scale).forEach(omega -> runs.add(run(dcqcn, reading, omega, scale)));
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            int most = 0;
            for (String reading : READINGS.keySet()) {
                int held = 0;
                List<String> row = new ArrayList<>(List.of(reading, dcqcn));
                for (double omega : omegas(scale)) {
                    double share =
                            results.get(run(dcqcn, reading, omega, scale)).creditsShare();
                    held += isAsInFigure5(omega, share) ? 1 : 0;
                    row.add(Unit.SHARE.print(share));
                }
                most = Math.max(most, held);
                row.add(held + " of " + omegas(scale).size());
                rows.add(row);
            }
            claims.add(best(results, dcqcn, most, scale));
        }
        List<String> columns = new ArrayList<>(List.of("reading", "beside"));
        omegas(scale).forEach(omega -> columns.add("w_max " + omega));
        columns.add("as in Figure 5");
        return Mixes.findings(claims, List.of(), List.of(new Table("CCRP's share", columns, rows)));
    }

    private static Claim best(RunResults results, String dcqcn, int most, Scale scale) {
        long own = omegas(scale).stream()
                .filter(omega -> isAsInFigure5(
                        omega, results.get(run(dcqcn, USUAL, omega, scale)).creditsShare()))
                .count();
        return Claim.about(
                        ID + "/" + dcqcn,
                        "No reading has more shares of Figure 5 beside " + dcqcn
                                + " than the one chosen; values of w_max",
                        "")
                .atLeast((double) own, most, Unit.NUMBER);
    }

    private static boolean isAsInFigure5(double omega, double share) {
        return omega == TOO_SMALL ? share < 0.5 : share >= SHARE_MIN && share <= SHARE_MAX;
    }
}
