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

/** Figure 16: what flows get that cross one bottleneck or two. */
public final class MultiBottleneck implements Figure {
    private static final String ID = "dx/fig16";
    private static final String FILE = "dx/fig16-multi-bottleneck.yaml";
    private static final int MARKED_FRAMES = 20;
    private static final double TOLERANCE = 0.1;
    private static final List<Group> GROUPS = List.of(
            new Group("first", "SG1", 50e6, "51.5 Mbps"),
            new Group("second", "SG2", 475e6, "477.7 Mbps"),
            new Group("third", "SG3", 50e6, "48.5 Mbps"));
    private static final Variant DCTCP =
            new Variant("dctcp", 1, List.of("protocol=dctcp", Protocols.marksFrom("network.defaults", MARKED_FRAMES)));

    /** Creates the figure. */
    public MultiBottleneck() {}

    /**
     * A group of senders.
     *
     * @param traffic what the scenario calls it
     * @param word what the paper calls it
     * @param fairBps what each of its flows should get on the wire
     * @param paper what they got by DX in the paper
     */
    private record Group(String traffic, String word, double fairBps, String paper) {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Shares of flows over one and two bottlenecks";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Ten hosts of SG1 and ten of SG3 send to one host over its link of 1 Gbps; twenty of SG2 to a host each; SG1 and SG2 share"
                        + " 10 Gbps between switches. Hosts have 1 Gbps, round trips of 100 us without queues, as in the testbed of [7]. Rates"
                        + " are on the wire. DCTCP with K = 20 frames at all ports. The paper gives neither times nor delays.",
                scale == Scale.FULL
                        ? "3 s, measured from 1 s on."
                        : "600 ms, measured from 200 ms on: 4,000 round trips.");
    }

    private static PaperRun<List<Double>> run(Variant variant, Scale scale) {
        return variant.run(
                FILE,
                "",
                MultiBottleneck::meansBps,
                scale == Scale.FULL ? List.of("duration=3s", "measure.warmUp=1s") : List.of());
    }

    private static List<Double> meansBps(ScenarioResult result) {
        List<Double> means = new ArrayList<>();
        for (Group group : GROUPS) {
            means.add(Variant.WIRE_BYTES_PER_PAYLOAD_BYTE
                    * result.flows().stream()
                            .filter(flow -> flow.id().startsWith(group.traffic()))
                            .mapToDouble(FlowResult::goodputBps)
                            .average()
                            .orElse(Double.NaN));
        }
        return means;
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(Protocols.DX, scale), run(DCTCP, scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Double> dx = results.get(run(Protocols.DX, scale));
        List<Double> dctcp = results.get(run(DCTCP, scale));
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < GROUPS.size(); i++) {
            Group group = GROUPS.get(i);
            claims.add(Claim.about(
                            ID + "/" + group.word(),
                            "A flow of " + group.word() + " gets its share, " + Unit.BPS.print(group.fairBps()),
                            group.paper())
                    .within(dx.get(i), (1 - TOLERANCE) * group.fairBps(), (1 + TOLERANCE) * group.fairBps(), Unit.BPS)
                    .explained());
        }
        claims.add(Claim.about(ID + "/dctcp", "What flows of SG1, SG2 and SG3 get by DCTCP", "46, 475 and 54 Mbps")
                .reported(String.join(", ", dctcp.stream().map(Unit.BPS::print).toList())));
        return new Findings(claims, List.of(), List.of(table(dx, dctcp)));
    }

    private static Table table(List<Double> dx, List<Double> dctcp) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < GROUPS.size(); i++) {
            rows.add(List.of(
                    GROUPS.get(i).word(),
                    Unit.BPS.print(GROUPS.get(i).fairBps()),
                    Unit.BPS.print(dx.get(i)),
                    Unit.BPS.print(dctcp.get(i))));
        }
        return new Table("Rate of a flow, on the wire", List.of("senders", "fair", "dx", "dctcp"), rows);
    }
}
