package io.weir.papers.tfc;

import io.weir.papers.Claim;
import io.weir.papers.Extracts;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.papers.live.BothWorlds;
import java.io.IOException;
import java.util.List;

/** Figure 11 on real ports: work conservation. */
public final class LiveWorkConserving implements LiveFigure {
    private static final String ID = "tfc/live-two-bottlenecks";
    private static final double RATE_BPS = 500e6;
    /** Those of the simulated figure. */
    private static final double USE_SHARE = 0.88;

    private static final double QUEUE_BYTES = 8_000;
    private static final double NEAR = 0.1;
    private static final List<String> SETTINGS = List.of("network.defaults.rate=500Mbps", "duration=1s");

    public LiveWorkConserving() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Figure 11 on real ports: two bottlenecks of 500 Mbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.live(
                "two bottlenecks of 500 Mbps in place of 1 Gbps: one loop moves the frames of both; 1 s, the median of three laboratories.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(WorkConserving.run(Testbed.TFC, SETTINGS), WorkConserving.run(WorkConserving.PLAIN, SETTINGS));
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        return judge(median(Testbed.TFC, simulated), median(WorkConserving.PLAIN, simulated));
    }

    private static BothWorlds<WorkConserving.Course> median(Variant variant, RunResults simulated) throws IOException {
        return BothWorlds.medianOf3(WorkConserving.run(variant, SETTINGS), simulated, WorkConserving.Course::secondBps);
    }

    /** {@return what both worlds have of TFC, and of TFC that never adjusts its tokens} */
    static Findings judge(BothWorlds<WorkConserving.Course> tfc, BothWorlds<WorkConserving.Course> plain) {
        WorkConserving.Course live = tfc.live();
        List<Claim> claims = List.of(
                Claim.about(ID + "/s1", "Goodput over the first bottleneck", "high, a little less than S2")
                        .atLeast(live.firstBps(), USE_SHARE * RATE_BPS, Unit.BPS),
                Claim.about(ID + "/s2", "Goodput over the second, whose flows the first holds back", "high")
                        .atLeast(live.secondBps(), USE_SHARE * RATE_BPS, Unit.BPS),
                tfc.near(ID + "/s2-near", "The same", WorkConserving.Course::secondBps, NEAR),
                Claim.about(ID + "/queues", "Queues of a few frames; the larger mean", "2 KB")
                        .atMost(queueBytes(live), QUEUE_BYTES, Unit.BYTES),
                Extracts.noDrops(ID, live.dataDrops()));
        BothWorlds.Comparison table = new BothWorlds.Comparison();
        for (BothWorlds<WorkConserving.Course> world : List.of(tfc, plain)) {
            table.row(world, "goodput over the first", Unit.BPS, WorkConserving.Course::firstBps)
                    .row(world, "goodput over the second", Unit.BPS, WorkConserving.Course::secondBps)
                    .row(world, "larger mean queue", Unit.BYTES, LiveWorkConserving::queueBytes)
                    .time(world);
        }
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(), List.of(table.table()));
    }

    private static double queueBytes(WorkConserving.Course course) {
        return Math.max(course.first().queueBytesMean(), course.second().queueBytesMean());
    }
}
