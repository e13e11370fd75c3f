package io.weir.papers.tfc;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Extracts;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.PortResult;
import java.util.ArrayList;
import java.util.List;

/** Figure 8: queue length. */
public final class JoiningQueues implements Figure {
    private static final String ID = "tfc/fig08";
    private static final double TFC_MAX = 12_000;
    private static final double TFC_MEAN = 3_000;
    private static final double DCTCP_THRESHOLD = 32_000;
    private static final double DCTCP_TOLERANCE = 0.2;
    private static final double TCP_SHARE = 0.9;

    public JoiningQueues() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Queue while four flows come one after the other";
    }

    @Override
    public Setting setting(Scale scale) {
        return Joining.setting(scale);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.copyOf(Joining.runs(scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Joining tfc = results.get(Joining.run(Testbed.TFC, scale));
        PortResult dctcp = results.get(Joining.run(Testbed.DCTCP, scale)).port();
        PortResult newReno = results.get(Joining.run(Testbed.NEWRENO, scale)).port();
        List<Claim> claims = List.of(
                Claim.about(ID + "/tfc-max", "TFC's largest queue", "9 KB")
                        .atMost((double) tfc.port().queueBytesMax(), TFC_MAX, Unit.BYTES),
                Claim.about(ID + "/tfc-mean", "TFC's mean queue", "near 0")
                        .atMost(tfc.port().queueBytesMean(), TFC_MEAN, Unit.BYTES),
                Claim.about(ID + "/dctcp-mean", "DCTCP's mean queue is about its threshold", "30 KB")
                        .within(
                                dctcp.queueBytesMean(),
                                DCTCP_THRESHOLD * (1 - DCTCP_TOLERANCE),
                                DCTCP_THRESHOLD * (1 + DCTCP_TOLERANCE),
                                Unit.BYTES),
                Claim.about(ID + "/tcp-max", "TCP fills the buffer: its largest queue", "256 KB")
                        .atLeast((double) newReno.queueBytesMax(), TCP_SHARE * Testbed.BUFFER_BYTES, Unit.BYTES),
                Extracts.noDrops(ID, tfc.dataDrops()));
        List<ChartSeries> series = new ArrayList<>();
        for (Variant variant : Testbed.ALL) {
            Joining joining = results.get(Joining.run(variant, scale));
            series.add(ChartSeries.overTime(
                    variant.name(),
                    joining.intervalMillis(),
                    joining.queueBytes().stream().map(bytes -> bytes / 1e3).toList()));
        }
        Chart chart = new Chart(
                "Longest queue in 20 ms",
                Chart.Kind.CURVES,
                Axis.linear("time (ms)"),
                Axis.linear("queue (KB)"),
                series);
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(chart), List.of());
    }
}
