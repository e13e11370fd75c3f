package io.weir.papers.dx;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.ArrayList;
import java.util.List;

/** Figures 19 and 20: completion times of realistic traffic by class of size. */
public final class RealisticTraffic implements Figure {
    private static final String FILE = "dx/fig19-web-search.yaml";
    private static final double SMALL_MAX = 0.5;
    private static final double LARGE_MIN = 1.0;
    private static final double LARGE_MAX = 1.4;
    private static final long[] BOUNDS = {0, 10_000, 100_000, 10_000_000, Long.MAX_VALUE};
    private static final int SMALL = 0;
    private static final int LARGE = 3;
    private static final List<String> CLASSES =
            List.of("below 10 KB", "10 to 100 KB", "100 KB to 10 MB", "10 MB and more");
    private static final List<Variant> PROTOCOLS = List.of(Protocols.DX, Protocols.DCTCP, Protocols.HULL);

    private final boolean isSearch;

    private RealisticTraffic(boolean isSearch) {
        this.isSearch = isSearch;
    }

    /** {@return Figure 19: Web Search} */
    public static RealisticTraffic webSearch() {
        return new RealisticTraffic(true);
    }

    /** {@return Figure 20: Data Mining} */
    public static RealisticTraffic dataMining() {
        return new RealisticTraffic(false);
    }

    /**
     * Completion times of a class of size.
     *
     * @param flows how many came to their end
     * @param meanNanos their mean
     * @param p99Nanos 99 % of them took no longer
     */
    record Times(int flows, double meanNanos, double p99Nanos) {}

    @Override
    public String id() {
        return isSearch ? "dx/fig19" : "dx/fig20";
    }

    @Override
    public String title() {
        return "Completion times of " + (isSearch ? "Web Search" : "Data Mining");
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "192 hosts below 32 top-of-rack, 16 aggregation and 8 core switches, all links of 10 Gbps; 100,000 flows between random hosts as"
                        + " a Poisson process at 15 % of the hosts' links. DCTCP with K = 65, HULL with phantom queues of 95 % and 15 KB. Weir's"
                        + " distribution for Web Search has 1.7 MB on average, the paper's 654 KB. Each flow opens a connection first, which"
                        + " takes a round trip.",
                scale == Scale.FULL
                        ? Setting.AS_IN_THE_PAPER
                        : isSearch
                                ? "1,500 flows. Every protocol has the same flows at the same times, so that ratios need fewer of them."
                                : "1,000 flows within 60 ms, and what is not done after that counts nowhere: the longest, of up to a"
                                        + " gigabyte. Every protocol has the same flows at the same times.");
    }

    private PaperRun<List<Times>> run(Variant variant, Scale scale) {
        List<String> settings = new ArrayList<>();
        if (!isSearch) {
            settings.add("traffic[0].sizes=xpass_datamining");
        }
        if (scale == Scale.QUICK) {
            settings.add("traffic[0].count=" + (isSearch ? 1_500 : 1_000));
            if (!isSearch) {
                settings.add("duration=60ms");
            }
        }
        return variant.run(FILE, "", RealisticTraffic::times, settings);
    }

    static List<Times> times(ScenarioResult result) {
        List<Times> times = new ArrayList<>();
        for (int i = 0; i < CLASSES.size(); i++) {
            long from = BOUNDS[i];
            long to = BOUNDS[i + 1];
            List<Long> nanos = result.flows().stream()
                    .filter(flow -> flow.completionNanos() != null && flow.bytes() >= from && flow.bytes() < to)
                    .map(FlowResult::completionNanos)
                    .sorted()
                    .toList();
            double mean = nanos.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
            double p99 = nanos.isEmpty() ? Double.NaN : nanos.get((int) Math.ceil(0.99 * nanos.size()) - 1);
            times.add(new Times(nanos.size(), mean, p99));
        }
        return times;
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return PROTOCOLS.stream()
                .<PaperRun<?>>map(variant -> run(variant, scale))
                .toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Times> dx = results.get(run(Protocols.DX, scale));
        List<Times> dctcp = results.get(run(Protocols.DCTCP, scale));
        List<Times> hull = results.get(run(Protocols.HULL, scale));
        List<Claim> claims = new ArrayList<>();
        claims.add(Claim.about(
                        id() + "/small",
                        "Flows below 10 KB are faster with DX at the 99th percentile: its time over DCTCP's",
                        isSearch ? "4.9 times faster: 0.204" : "6.0 times faster: 0.167")
                .atMost(dx.get(SMALL).p99Nanos() / dctcp.get(SMALL).p99Nanos(), SMALL_MAX, Unit.TIMES));
        if (isSearch) {
            claims.add(Claim.about(
                            id() + "/large",
                            "Flows of 10 MB and more are slower with DX on average: its time over DCTCP's",
                            "1.209 times")
                    .within(
                            dx.get(LARGE).meanNanos() / dctcp.get(LARGE).meanNanos(),
                            LARGE_MIN,
                            LARGE_MAX,
                            Unit.TIMES));
        }
        claims.add(Claim.about(
                        id() + "/hull",
                        "DX's time over HULL's: flows below 10 KB at the 99th percentile, of 10 MB and more on average",
                        isSearch ? "0.526 and 0.923 times" : "0.526 times, and below 1")
                .reported(Unit.TIMES.print(
                                dx.get(SMALL).p99Nanos() / hull.get(SMALL).p99Nanos()) + " and "
                        + Unit.TIMES.print(
                                dx.get(LARGE).meanNanos() / hull.get(LARGE).meanNanos())));
        return new Findings(
                claims.stream().map(Claim::explained).toList(), List.of(), List.of(table(List.of(dx, dctcp, hull))));
    }

    private static Table table(List<List<Times>> all) {
        List<String> columns = new ArrayList<>(List.of("flows of", "number"));
        PROTOCOLS.forEach(variant -> columns.add(variant.word()));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < CLASSES.size(); i++) {
            int index = i;
            List<String> row = new ArrayList<>(
                    List.of(CLASSES.get(i), Integer.toString(all.get(0).get(i).flows())));
            all.forEach(times -> row.add(Unit.NANOS.print(times.get(index).meanNanos()) + " / "
                    + Unit.NANOS.print(times.get(index).p99Nanos())));
            rows.add(row);
        }
        return new Table("Completion times, average / 99th percentile", columns, rows);
    }
}
