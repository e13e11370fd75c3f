package io.weir.papers.dx;

import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.Claim;
import io.weir.papers.Curves;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Sweep;
import io.weir.papers.Unit;
import io.weir.papers.Variant;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.List;

/** Figure 18: how long flows of 1 KB take beside long ones. */
public final class ShortFlows implements Figure {
    private static final String ID = "dx/fig18";
    private static final String FILE = "dx/fig18-short-flows.yaml";
    private static final int FEW = 10;
    private static final int MANY = 30;
    private static final double GAIN_MIN = 0.08;
    private static final double GAIN_MAX = 0.30;
    private static final int FIRST_RECEIVER = 32;

    /** Creates the figure. */
    public ShortFlows() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Completion of short flows beside long ones";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "10, 20 and 30 long flows over one link of 10 Gbps, round trips of 200 us, and a thousand flows of 1 KB at random times. DCTCP"
                        + " with K = 65, HULL with phantom queues of 95 % and 15 KB. Each flow opens a connection first, so that it takes two"
                        + " round trips where the paper's takes one, and meets the queue twice.",
                Setting.AS_IN_THE_PAPER);
    }

    private static Sweep<Integer, Double> sweep() {
        return new Sweep<>(
                FILE,
                List.of(Protocols.DX, Protocols.DCTCP, Protocols.HULL),
                List.of(FEW, 20, MANY),
                flows -> List.of(
                        "traffic[long].from=h1..h" + flows,
                        "traffic[long].to=h" + FIRST_RECEIVER + "..h" + (FIRST_RECEIVER + flows - 1)),
                ShortFlows::p99Nanos);
    }

    private static double p99Nanos(ScenarioResult result) {
        List<Long> times = result.flows().stream()
                .filter(flow -> flow.id().startsWith("short") && flow.completionNanos() != null)
                .map(FlowResult::completionNanos)
                .sorted()
                .toList();
        return times.get((int) Math.ceil(0.99 * times.size()) - 1);
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return sweep().runs();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Sweep<Integer, Double> sweep = sweep();
        double dxSlope = sweep.at(results, Protocols.DX, MANY) - sweep.at(results, Protocols.DX, FEW);
        double dctcpSlope = sweep.at(results, Protocols.DCTCP, MANY) - sweep.at(results, Protocols.DCTCP, FEW);
        double gain = 1 - sweep.at(results, Protocols.DX, FEW) / sweep.at(results, Protocols.DCTCP, FEW);
        double hullGain = 1 - sweep.at(results, Protocols.DX, FEW) / sweep.at(results, Protocols.HULL, FEW);
        Curves curves = new Curves();
        for (Variant variant : sweep.variants()) {
            for (int flows : sweep.points()) {
                curves.add(variant.word(), flows, sweep.at(results, variant, flows) / 1e3);
            }
        }
        return new Findings(
                List.of(
                        Claim.about(
                                        ID + "/dctcp",
                                        "Beside ten long flows short ones of DX are faster than DCTCP's at the 99th percentile, by",
                                        "18 %")
                                .within(gain, GAIN_MIN, GAIN_MAX, Unit.SHARE)
                                .explained(),
                        Claim.about(
                                        ID + "/slope",
                                        "More long flows slow them no more than DCTCP's: from 10 to 30, of DX",
                                        "6 to 8 us of DX, more of DCTCP")
                                .atMost(dxSlope, dctcpSlope, Unit.NANOS)
                                .explained(),
                        Claim.about(ID + "/hull", "and faster than HULL's by", "2 %")
                                .reported(Unit.SHARE.print(hullGain))),
                List.of(new Chart(
                        "99th percentile of completion times",
                        Chart.Kind.LINES,
                        Axis.linear("long flows"),
                        Axis.linear("completion time (us)"),
                        curves.series())),
                List.of());
    }
}
