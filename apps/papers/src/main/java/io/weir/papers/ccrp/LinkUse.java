package io.weir.papers.ccrp;

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

/** Section 4, utilisation: how much of the link is used by mixtures, and by DCQCN alone. */
public final class LinkUse implements Figure {
    private static final String ID = "ccrp/sec4-utilisation";
    private static final double MIXED_MIN = 0.93;
    private static final double MIXED_MAX = 0.96;
    private static final double ALONE_MIN = 0.97;

    public LinkUse() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Utilisation of mixtures, and of DCQCN alone";
    }

    @Override
    public Setting setting(Scale scale) {
        return Mixes.setting(
                "Two flows. Utilisation is that of the shared link in the direction of data, wire bytes.", scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            for (String second : List.of(Mixes.CCRP, Mixes.EXPRESSPASS, dcqcn)) {
                runs.addAll(Mixes.two(dcqcn, second, scale).runs());
            }
        }
        return runs;
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        for (String dcqcn : Mixes.DCQCNS) {
            for (String credits : List.of(Mixes.CCRP, Mixes.EXPRESSPASS)) {
                claims.add(Claim.about(
                                ID + "/" + credits + "-" + dcqcn,
                                "The link that " + credits + " and " + dcqcn
                                        + " share is used but for the credits' part",
                                "95 %")
                        .within(
                                Mixes.two(dcqcn, credits, scale).median(results, Mix::utilization),
                                MIXED_MIN,
                                MIXED_MAX,
                                Unit.SHARE));
            }
            claims.add(Claim.about(ID + "/" + dcqcn, "Two flows of " + dcqcn + " fill the link", "close to 100 %")
                    .atLeast(Mixes.two(dcqcn, dcqcn, scale).median(results, Mix::utilization), ALONE_MIN, Unit.SHARE));
        }
        return Mixes.findings(claims, List.of(), List.of());
    }
}
