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
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.expresspass.BufferCase.Bounds;
import io.weir.transport.scenario.topology.ClosShape;
import java.util.ArrayList;
import java.util.List;

/** Table 1: how much a port must be able to queue so that no data is lost. */
public final class BufferTable implements Figure {
    private static final String ID = "expresspass/table1";
    private static final int CREDITS = 8;
    private static final long HOST_SPREAD_NANOS = 5_100;
    private static final double TOR_UP_TOLERANCE = 0.03;
    private static final double RATIO = 1.84;
    private static final double RATIO_TOLERANCE = 0.3;

    private static final List<Speed> SPEEDS = List.of(
            new Speed("10/40", 10_000_000_000L, 40_000_000_000L, 577_300, 19_000, 131_100),
            new Speed("40/100", 40_000_000_000L, 100_000_000_000L, 1_060_000, 37_200, 221_800));

    public BufferTable() {}

    /** The speeds of a half of the table, and the bytes that the paper has there. */
    private record Speed(String name, long hostBps, long coreBps, double torDown, double torUp, double core) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "The buffer that each port needs so that no data is lost";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "32-ary fat tree, and a Clos network of 16, 128 and 1024 switches, of 8192 hosts each; links of 10 and 40, or 40 and"
                        + " 100 Gbps (hosts and racks / core), 5 us long at the core and 1 us elsewhere; credit queues of 8; hosts with"
                        + " a delay spread of 5.1 us. The printed numbers follow from equation 1 if every link, the core's too, has the"
                        + " hosts' rate; so the claims are examined with that. What core links of another rate give is reported.",
                Setting.AS_IN_THE_PAPER);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Claim> claims = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        List<Bounds> uniform = new ArrayList<>();
        for (Speed speed : SPEEDS) {
            Bounds bounds = bounds(BufferCase.FAT_TREE, speed.hostBps(), speed.hostBps());
            Bounds own = bounds(BufferCase.FAT_TREE, speed.hostBps(), speed.coreBps());
            Bounds clos = bounds(BufferCase.CLOS, speed.hostBps(), speed.hostBps());
            uniform.add(bounds);
            examine(claims, speed, bounds);
            claims.add(equal(speed, bounds, clos));
            claims.add(ownRates(speed, own));
            rows.add(row(speed.name() + ", paper", speed.torDown(), speed.torUp(), speed.core()));
            rows.add(row(speed.name() + ", links at the hosts' rate", bounds));
            rows.add(row(speed.name() + ", links at their own rates", own));
        }
        double ratio = down(uniform.get(1)) / down(uniform.get(0));
        claims.add(Claim.about(ID + "/ratio", "ToR down at 40/100 over ToR down at 10/40", "1.84")
                .within(ratio, RATIO - RATIO_TOLERANCE, RATIO + RATIO_TOLERANCE, Unit.TIMES));
        Table table = new Table("Buffer of a port by equation 1", List.of("", "ToR down", "ToR up", "core"), rows);
        return new Findings(claims, List.of(chart(uniform)), List.of(table));
    }

    private static Bounds bounds(ClosShape shape, long hostBps, long coreBps) {
        return new BufferCase(shape, hostBps, coreBps, CREDITS, HOST_SPREAD_NANOS).bounds();
    }

    private static void examine(List<Claim> claims, Speed speed, Bounds bounds) {
        double up = speed.torUp();
        claims.add(Claim.about(id(speed, "tor-up"), "ToR up at " + speed.name(), Unit.BYTES.print(up))
                .within(up(bounds), up * (1 - TOR_UP_TOLERANCE), up * (1 + TOR_UP_TOLERANCE), Unit.BYTES));
        claims.add(Claim.about(id(speed, "core"), "Core at " + speed.name(), Unit.BYTES.print(speed.core()))
                .within(core(bounds), speed.core() / 2, speed.core() * 2, Unit.BYTES));
        claims.add(Claim.about(id(speed, "tor-down"), "ToR down at " + speed.name(), Unit.BYTES.print(speed.torDown()))
                .within(down(bounds), speed.torDown() / 2, speed.torDown() * 2, Unit.BYTES));
        boolean isOrdered = down(bounds) > core(bounds) && core(bounds) > up(bounds);
        claims.add(Claim.about(
                        id(speed, "order"),
                        "ToR down needs most, ToR up least, at " + speed.name(),
                        "ToR down > core > ToR up")
                .holds(isOrdered, text(bounds), "ToR down > core > ToR up", isOrdered ? "it is so" : "another order"));
    }

    private static Claim equal(Speed speed, Bounds tree, Bounds clos) {
        boolean isEqual = text(tree).equals(text(clos));
        return Claim.about(id(speed, "topologies"), "Both topologies need the same at " + speed.name(), "equal")
                .holds(isEqual, text(clos) + " in the Clos network", "equal", isEqual ? "equal" : text(tree));
    }

    private static Claim ownRates(Speed speed, Bounds own) {
        return Claim.about(
                        id(speed, "own-rates"),
                        "With core links at their own rate, at " + speed.name() + ": ToR down, core, ToR up",
                        "not printed")
                .reported(text(own));
    }

    private static String id(Speed speed, String what) {
        return ID + "/" + what + "-" + speed.name().replace('/', '-');
    }

    private static String text(Bounds bounds) {
        return Unit.BYTES.print(down(bounds)) + ", " + Unit.BYTES.print(core(bounds)) + ", "
                + Unit.BYTES.print(up(bounds));
    }

    private static double down(Bounds bounds) {
        return (double) bounds.torDown().equationBytes();
    }

    private static double up(Bounds bounds) {
        return (double) bounds.torUp().equationBytes();
    }

    private static double core(Bounds bounds) {
        return (double) bounds.core().equationBytes();
    }

    private static List<String> row(String name, Bounds bounds) {
        return row(name, down(bounds), up(bounds), core(bounds));
    }

    private static List<String> row(String name, double down, double up, double core) {
        return List.of(name, Unit.BYTES.print(down), Unit.BYTES.print(up), Unit.BYTES.print(core));
    }

    private static Chart chart(List<Bounds> uniform) {
        List<ChartSeries> series = new ArrayList<>();
        for (int i = 0; i < SPEEDS.size(); i++) {
            Speed speed = SPEEDS.get(i);
            Bounds bounds = uniform.get(i);
            series.add(bars(speed.name() + ", paper", speed.torDown(), speed.core(), speed.torUp()));
            series.add(bars(speed.name() + ", here", down(bounds), core(bounds), up(bounds)));
        }
        Axis ports = Axis.of("port", List.of("ToR down", "core", "ToR up"));
        return new Chart("Buffer of a port", Chart.Kind.BARS, ports, Axis.linear("buffer (KB)"), series);
    }

    private static ChartSeries bars(String name, double down, double core, double up) {
        return ChartSeries.bars(name, List.of(down / 1e3, core / 1e3, up / 1e3));
    }
}
