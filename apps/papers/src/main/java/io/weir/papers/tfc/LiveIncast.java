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
import io.weir.papers.Variant;
import io.weir.papers.live.BothWorlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Figure 12 on real ports: incast at 1 Gbps. */
public final class LiveIncast implements LiveFigure {
    private static final String ID = "tfc/live-incast";
    private static final List<Integer> SENDERS = List.of(2, 8, 16, 24);
    private static final int ROUNDS = 10;
    /** That of the simulated figure. */
    private static final double LOW_BPS = 0.78e9;

    private static final double NEAR = 0.15;

    public LiveIncast() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Figure 12 on real ports: incast at 1 Gbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.live(ROUNDS
                + " rounds of up to 24 senders, the median of three laboratories: with more hosts a turn of the loop takes longer than"
                + " its links can make up for.");
    }

    private static PaperRun<IncastRounds> run(Variant variant, int senders) {
        return IncastRounds.run(FanInBursts.FILE, variant, senders, ROUNDS);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        List<PaperRun<?>> runs = new ArrayList<>();
        Testbed.ALL.forEach(variant -> SENDERS.forEach(senders -> runs.add(run(variant, senders))));
        return runs;
    }

    @Override
    public Findings measure(RunResults simulated, Scale scale) throws IOException {
        List<List<BothWorlds<IncastRounds>>> worlds = new ArrayList<>();
        for (Variant variant : Testbed.ALL) {
            List<BothWorlds<IncastRounds>> line = new ArrayList<>();
            for (int senders : SENDERS) {
                line.add(BothWorlds.medianOf3(run(variant, senders), simulated, IncastRounds::goodputBps));
            }
            worlds.add(line);
        }
        return judge(worlds);
    }

    /** {@return what both worlds have of TFC, DCTCP and NewReno, each by the number of senders} */
    static Findings judge(List<List<BothWorlds<IncastRounds>>> worlds) {
        List<BothWorlds<IncastRounds>> tfc = worlds.get(0);
        double least = tfc.stream()
                .mapToDouble(world -> world.live().goodputBps())
                .min()
                .orElseThrow();
        long drops = tfc.stream().mapToLong(world -> world.live().dataDrops()).sum();
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(ID + "/tfc-least", "TFC's goodput with 2 to 24 senders: the least", "800 to 900 Mbps")
                .atLeast(least, LOW_BPS, Unit.BPS));
        claims.add(Extracts.noDrops(ID, drops));
        BothWorlds.Comparison table = new BothWorlds.Comparison();
        List<ChartSeries> series = new ArrayList<>();
        for (BothWorlds<IncastRounds> world : tfc) {
            claims.add(world.near(
                    ID + "/" + world.name().replace(' ', '-'), world.name(), IncastRounds::goodputBps, NEAR));
        }
        for (List<BothWorlds<IncastRounds>> line : worlds) {
            for (BothWorlds<IncastRounds> world : line) {
                table.row(world, "goodput", Unit.BPS, IncastRounds::goodputBps)
                        .row(world, "mean queue", Unit.BYTES, IncastRounds::queueBytesMean)
                        .row(world, "longest queue", Unit.BYTES, IncastRounds::queueBytesMax)
                        .row(world, "frames dropped", Unit.NUMBER, IncastRounds::dataDrops)
                        .time(world);
            }
            String protocol = line.get(0).name().split(" ", 2)[0];
            series.add(goodput(protocol, line.stream().map(BothWorlds::live).toList()));
            series.add(goodput(
                    protocol + ", simulated",
                    line.stream().map(BothWorlds::simulated).toList()));
        }
        Chart chart =
                new Chart("Goodput", Chart.Kind.LINES, Axis.linear("senders"), Axis.linear("goodput (Mbps)"), series);
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of(table.table()));
    }

    private static ChartSeries goodput(String name, List<IncastRounds> line) {
        return new ChartSeries(
                name,
                SENDERS.stream().map(Integer::doubleValue).toList(),
                line.stream().map(run -> run.goodputBps() / 1e6).toList());
    }
}
