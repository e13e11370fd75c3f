package io.weir.papers.tfc;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Extracts;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.live.BothWorlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Figures 8 and 9 on real ports: queue, goodput and fairness while flows join. */
public final class LiveJoining implements LiveFigure {
    private static final String ID = "tfc/live-joining";
    private static final double QUEUE_SHARE = 0.5;
    private static final double TOTAL_SHARE = 0.1;
    private static final double JAIN = 0.95;
    private static final double TCP_SHARE = 0.9;

    public LiveJoining() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Figures 8 and 9 on real ports: four flows come one after the other at 1 Gbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.live("1 Gbps; a flow comes every 400 ms.");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.copyOf(Joining.runs(Scale.QUICK));
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        return judge(BothWorlds.ofAll(Joining.runs(Scale.QUICK), simulated));
    }

    /** {@return what both worlds have of TFC, DCTCP and NewReno} */
    static Findings judge(List<BothWorlds<Joining>> worlds) {
        BothWorlds<Joining> tfc = worlds.get(0);
        double dctcpQueue = worlds.get(1).live().port().queueBytesMean();
        double tcpQueue = worlds.get(2).live().port().queueBytesMax();
        List<Claim> claims = List.of(
                Claim.about(ID + "/queue", "TFC's mean queue over DCTCP's", "near 0 to 30 KB")
                        .atMost(tfc.live().port().queueBytesMean() / dctcpQueue, QUEUE_SHARE, Unit.TIMES),
                Claim.about(ID + "/tcp-queue", "TCP fills the buffer: its largest queue", "256 KB")
                        .atLeast(tcpQueue, TCP_SHARE * Testbed.BUFFER_BYTES, Unit.BYTES),
                Claim.about(ID + "/jain", "TFC's flows are equal in every 20 ms: mean of Jain's index", "fair")
                        .atLeast(tfc.live().jain(), JAIN, Unit.NUMBER),
                tfc.near(ID + "/goodput", "TFC's goodput of all flows", Joining::totalBps, TOTAL_SHARE),
                Extracts.noDrops(ID, tfc.live().dataDrops()));
        BothWorlds.Comparison table = new BothWorlds.Comparison();
        List<ChartSeries> series = new ArrayList<>();
        for (BothWorlds<Joining> world : worlds) {
            table.row(world, "goodput of all", Unit.BPS, Joining::totalBps)
                    .row(world, "Jain's index in 20 ms", Unit.NUMBER, Joining::jain)
                    .row(world, "mean queue", Unit.BYTES, run -> run.port().queueBytesMean())
                    .row(world, "99th percentile of the queue", Unit.BYTES, run -> run.port()
                            .queueBytesP99())
                    .row(world, "longest queue", Unit.BYTES, run -> run.port().queueBytesMax())
                    .time(world);
            series.add(kilobytes(world.name(), world.live()));
            series.add(kilobytes(world.name() + ", simulated", world.simulated()));
        }
        Chart chart = new Chart(
                "Longest queue in 20 ms",
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("queue (KB)"),
                series);
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of(table.table()));
    }

    private static ChartSeries kilobytes(String name, Joining joining) {
        return ChartSeries.overTime(
                name,
                joining.intervalMillis(),
                joining.queueBytes().stream().map(bytes -> bytes / 1e3).toList());
    }
}
