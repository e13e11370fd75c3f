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
import io.weir.transport.scenario.plan.PortBound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Figure 5: the largest buffer of a top-of-rack switch's port, by what makes it necessary. */
public final class TorBuffer implements Figure {
    private static final String ID = "expresspass/fig5";
    private static final long GIGABIT = 1_000_000_000L;
    private static final List<String> SPEEDS = List.of("10/40", "40/100", "100/100");
    private static final List<Long> RATES_BPS = List.of(10 * GIGABIT, 40 * GIGABIT, 100 * GIGABIT);
    private static final List<Double> PAPER_BYTES = List.of(577_300.0, 1_060_000.0);

    public TorBuffer() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "The largest buffer of a ToR switch in a 32-ary fat tree, by what makes it necessary";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "32-ary fat tree of 8192 hosts; links of 10/40, 40/100 and 100/100 Gbps. (a) Credit queues of 8 and hosts with a delay"
                        + " spread of 5.1 us; (b) credit queues of 4 and 1 us. All links at the hosts' rate, as for Table 1.",
                Setting.AS_IN_THE_PAPER);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<PortBound> software = bounds(8, 5_100);
        List<PortBound> hardware = bounds(4, 1_000);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < PAPER_BYTES.size(); i++) {
            double paper = PAPER_BYTES.get(i);
            claims.add(Claim.about(id("a", i), "(a) at " + SPEEDS.get(i), Unit.BYTES.print(paper))
                    .within((double) software.get(i).equationBytes(), paper / 2, paper * 2, Unit.BYTES));
        }
        for (int i = 0; i < SPEEDS.size(); i++) {
            double share = ratio(hardware.get(i), software.get(i));
            claims.add(Claim.about(id("b", i), "(b) needs less than (a) at " + SPEEDS.get(i) + ": its share", "less")
                    .atMost(share, 1, Unit.SHARE));
        }
        growth(claims, "a", software);
        growth(claims, "b", hardware);
        List<Chart> charts = List.of(chart("(a) 8 credits, 5.1 us", software), chart("(b) 4 credits, 1 us", hardware));
        return new Findings(claims, charts, List.of(table(software, hardware)));
    }

    private static List<PortBound> bounds(int credits, long hostSpreadNanos) {
        return RATES_BPS.stream()
                .map(rateBps -> new BufferCase(BufferCase.FAT_TREE, rateBps, rateBps, credits, hostSpreadNanos)
                        .bounds()
                        .torDown())
                .toList();
    }

    private static String id(String part, int speed) {
        return ID + "/" + part + "-" + SPEEDS.get(speed).replace('/', '-');
    }

    private static double ratio(PortBound one, PortBound other) {
        return (double) one.equationBytes() / other.equationBytes();
    }

    private static void growth(List<Claim> claims, String part, List<PortBound> bounds) {
        for (int i = 1; i < bounds.size(); i++) {
            double faster = (double) RATES_BPS.get(i) / RATES_BPS.get(i - 1);
            String change = SPEEDS.get(i - 1) + " to " + SPEEDS.get(i);
            claims.add(Claim.about(
                            ID + "/" + part + "-grows-" + i,
                            "(" + part + ") grows less than the links' rate from " + change,
                            "sub-linear")
                    .atMost(ratio(bounds.get(i), bounds.get(i - 1)), faster, Unit.TIMES));
        }
    }

    private static Chart chart(String title, List<PortBound> bounds) {
        return new Chart(
                title,
                Chart.Kind.STACKED_BARS,
                Axis.of("host / core links (Gbps)", SPEEDS),
                Axis.linear("buffer (KB)"),
                List.of(
                        bars("host delay", bounds, PortBound::hostBytes),
                        bars("credit queue", bounds, PortBound::creditBytes),
                        bars("paths and data", bounds, PortBound::pathBytes)));
    }

    private static ChartSeries bars(String name, List<PortBound> bounds, ToLongFunction<PortBound> bytes) {
        return ChartSeries.bars(
                name,
                bounds.stream().map(bound -> bytes.applyAsLong(bound) / 1e3).toList());
    }

    private static Table table(List<PortBound> software, List<PortBound> hardware) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < SPEEDS.size(); i++) {
            rows.add(row("(a) " + SPEEDS.get(i), software.get(i)));
        }
        for (int i = 0; i < SPEEDS.size(); i++) {
            rows.add(row("(b) " + SPEEDS.get(i), hardware.get(i)));
        }
        return new Table(
                "Buffer of a port to a host", List.of("", "host delay", "credit queue", "paths and data", "all"), rows);
    }

    private static List<String> row(String name, PortBound bound) {
        return List.of(
                name,
                Unit.BYTES.print((double) bound.hostBytes()),
                Unit.BYTES.print((double) bound.creditBytes()),
                Unit.BYTES.print((double) bound.pathBytes()),
                Unit.BYTES.print((double) bound.equationBytes()));
    }
}
