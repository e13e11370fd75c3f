package io.weir.papers.tfc;

import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.live.BothWorlds;
import java.io.IOException;
import java.util.List;

/** Figure 10 on real ports: how soon a flow that joins has its share. */
public final class LiveConvergence implements LiveFigure {
    private static final String ID = "tfc/live-convergence";
    private static final double DCTCP_TIMES = 5;

    public LiveConvergence() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Figure 10 on real ports: round trips until the third flow has its share";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.live("1 Gbps; round trips of 60 us are counted, which here are of 60 to 200 us.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.copyOf(JoiningConvergence.firstRuns(Scale.QUICK));
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        return judge(BothWorlds.ofAll(JoiningConvergence.firstRuns(Scale.QUICK), simulated));
    }

    /** {@return what both worlds have of TFC, DCTCP and NewReno} */
    static Findings judge(List<BothWorlds<JoiningConvergence.Course>> worlds) {
        double tfc = Math.max(1, worlds.get(0).live().rounds());
        double dctcp = worlds.get(1).live().rounds();
        List<Claim> claims =
                List.of(Claim.about(ID + "/dctcp", "A DCTCP flow takes many times as long as one of TFC", "about 20")
                        .atLeast(dctcp / tfc, DCTCP_TIMES, Unit.TIMES));
        BothWorlds.Comparison table = new BothWorlds.Comparison();
        worlds.forEach(
                world -> table.row(world, "until it has its share", Unit.ROUND_TRIPS, JoiningConvergence.Course::rounds)
                        .time(world));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(), List.of(table.table()));
    }
}
