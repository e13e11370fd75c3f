package io.weir.papers.tfc;

import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.live.BothWorlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Figure 7 on real ports: effective flows, and flows that become inactive. */
public final class LiveEffectiveFlows implements LiveFigure {
    private static final String ID = "tfc/live-effective-flows";
    /**
     * All times of the simulated figure five times as long: what the loop adds to round trips would change their ratio.
     */
    private static final PaperRun<List<Long>> RUN = EffectiveFlows.run(List.of(
            "network.links[0].delay=1425us",
            "network.links[1].delay=925us",
            "duration=4200ms",
            "traffic[far].start={at: 200ms, every: 200ms}",
            "traffic[far].stop={at: 2200ms, every: 200ms}",
            "measure={interval: 5ms, warmUp: 200ms, perPort: true}"));

    public LiveEffectiveFlows() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Figure 7 on real ports: effective flows while flows come and become inactive";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.live("1 Gbps; a flow comes or goes every 200 ms; round trips of 2 and 3 ms, since the loop adds"
                + " 0.1 to 0.3 ms to each, and of shorter ones the ratio would not be 1.5.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(RUN);
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        return judge(BothWorlds.of(RUN, simulated));
    }

    /** {@return what both worlds have of the port's figure} */
    static Findings judge(BothWorlds<List<Long>> world) {
        Findings live = EffectiveFlows.judge(ID, world.live());
        Findings twin = EffectiveFlows.judge(ID + "/simulated", world.simulated());
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < live.claims().size(); i++) {
            rows.add(List.of(
                    live.claims().get(i).statement(),
                    twin.claims().get(i).measured(),
                    live.claims().get(i).measured()));
        }
        return new Findings(live.claims(), live.charts(), List.of(BothWorlds.table(rows)));
    }
}
