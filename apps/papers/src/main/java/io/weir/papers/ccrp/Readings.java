package io.weir.papers.ccrp;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Algorithm 1: Figure 5 under each reading of what the print leaves open. */
public final class Readings implements Figure {
    private static final String ID = "ccrp/alg1";
    private static final String USUAL = "as in ccrp-paper";
    private static final String AS_PRINTED = "line 5 with >=, as printed";
    private static final String AUTHORS_RECOVERY = "recovery as in the authors' code, the default";
    private static final double TOO_SMALL = 0.03;
    private static final double SHARE_MIN = 0.4;
    private static final double SHARE_MAX = 0.6;

    /** The readings: what each sets next to w_max. */
    private static final Map<String, String> READINGS = new LinkedHashMap<>();

    static {
        READINGS.put(USUAL, "");
        READINGS.put(AS_PRINTED, "cutAtTarget: true, ");
        READINGS.put("the same, and lines 8 to 10 do nothing", "cutAtTarget: true, recovery: 0, ");
        READINGS.put("line 5's block ends at line 19", "creditsNeedMarks: true, ");
        READINGS.put("tmp_rate stays", "keepTmpRate: true, ");
        READINGS.put("lines 8 to 10 do nothing", "recovery: 0, ");
        READINGS.put("lines 8 to 10 after quiet periods", "recovery: 2, ");
        READINGS.put(AUTHORS_RECOVERY, "towardsHighest: true, targetEachPeriod: true, ");
        READINGS.put("later raises go towards max_rate", "towardsHighest: true, ");
        READINGS.put("the target rate is that of each period", "targetEachPeriod: true, ");
        READINGS.put("ECN_alpha falls with time", "alphaDecays: true, ");
        READINGS.put("both as the authors' code", "alphaDecays: true, towardsHighest: true, targetEachPeriod: true, ");
        READINGS.put("ECN_alpha falls with time, as fast as DCQCN's", "alphaDecays: true, alphaTimer: 55us, ");
        READINGS.put("g 1/16", "gain: 1/16, ");
    }

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
        Setting usual = Mixes.setting("Two flows, each reading with each w_max and next to each DCQCN, once.", scale);
        return new Setting(
                usual.paper(),
                scale == Scale.FULL
                        ? "1 s, the last 100 ms of which count; one seed"
                        : "600 ms, the last 100 of which count, one seed, and w_max of 0.03, 0.04 and 0.07 alone: the rest lies between.");
    }

    private static List<Double> omegas(Scale scale) {
        return scale == Scale.FULL ? List.of(TOO_SMALL, 0.04, 0.05, 0.06, 0.07) : List.of(TOO_SMALL, 0.04, 0.07);
    }

    private static PaperRun<Mix> run(String dcqcn, String reading, double omega, Scale scale) {
        String protocol = "{preset: ccrp-paper, " + READINGS.get(reading) + "omegaMax: " + omega + "}";
        return Mixes.once(reading + ", w_max " + omega + " next to " + dcqcn, dcqcn, protocol, scale);
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
        List<List<String>> rows = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            READINGS.keySet().forEach(reading -> rows.add(row(results, dcqcn, reading, scale)));
        }
        List<String> columns = new ArrayList<>(List.of("reading", "next to"));
        omegas(scale).forEach(omega -> columns.add("w_max " + omega));
        columns.add("as in Figure 5");
        List<List<String>> far = new ArrayList<>();
        for (String reading : READINGS.keySet()) {
            far.add(List.of(reading, Unit.SHARE.printDistance(farthest(results, reading, scale))));
        }
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/line-5",
                                "Line 5 means >, not >= as printed: CCRP comes nearer to half; points of the farthest share from half,"
                                        + " with w_max 0.04 to 0.07 and next to either DCQCN, and those of >=",
                                "CCRP converges")
                        .atMost(farthest(results, USUAL, scale), farthest(results, AS_PRINTED, scale), Unit.SHARE),
                Claim.about(
                                ID + "/recovery",
                                "\"Feedback control of DCQCN\" in line 9 means DCQCN's own, not that of the authors' code: CCRP comes"
                                        + " nearer to half; the same points",
                                "CCRP converges")
                        .atMost(
                                farthest(results, USUAL, scale),
                                farthest(results, AUTHORS_RECOVERY, scale),
                                Unit.SHARE));
        return Mixes.findings(
                claims,
                List.of(),
                List.of(
                        new Table("CCRP's share", columns, rows),
                        new Table(
                                "The farthest share from half, w_max 0.04 to 0.07, next to both",
                                List.of("reading", "distance"),
                                far)));
    }

    private static List<String> row(RunResults results, String dcqcn, String reading, Scale scale) {
        int held = 0;
        List<String> row = new ArrayList<>(List.of(reading, dcqcn));
        for (double omega : omegas(scale)) {
            double share = results.get(run(dcqcn, reading, omega, scale)).creditsShare();
            held += isAsInFigure5(omega, share) ? 1 : 0;
            row.add(Unit.SHARE.print(share));
        }
        row.add(held + " of " + omegas(scale).size());
        return row;
    }

    private static double farthest(RunResults results, String reading, Scale scale) {
        double farthest = 0;
        for (String dcqcn : Mixes.DCQCNS) {
            for (double omega : omegas(scale)) {
                double share = results.get(run(dcqcn, reading, omega, scale)).creditsShare();
                farthest = omega == TOO_SMALL ? farthest : Math.max(farthest, Math.abs(share - 0.5));
            }
        }
        return farthest;
    }

    private static boolean isAsInFigure5(double omega, double share) {
        return omega == TOO_SMALL ? share < 0.5 : share >= SHARE_MIN && share <= SHARE_MAX;
    }
}
