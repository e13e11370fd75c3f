package io.weir.papers.tfc;

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
import java.util.List;

/** Section 4.6: windows below a frame. */
public final class ThousandSenders implements Figure {
    private static final String ID = "tfc/sec46";
    private static final String FILE = "tfc/sec46-thousand-senders.yaml";
    private static final double USE = 0.85;
    private static final Variant NO_ARBITER = new Variant("no delay", 1, List.of("topology.tfc={held: 0}"));

    /** Creates the figure. */
    public ThousandSenders() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "A thousand senders at once: drops and utilization";
    }

    @Override
    public Setting setting(Scale scale) {
        return Testbed.setting(
                scale, "0.2 s, twelve turns of each sender; a criterion of ours, the paper has no such run.");
    }

    /**
     * What remains of a run.
     *
     * @param use the utilization of the port
     * @param queueBytesMax the largest queue once connections stand
     * @param dataDrops frames dropped
     */
    record Course(double use, double queueBytesMax, long dataDrops) {}

    private static PaperRun<Course> run(Variant variant, Scale scale) {
        return variant.run(
                FILE,
                "",
                result -> {
                    PortResult port = Testbed.port(result, "switch", "h1001");
                    return new Course(
                            port.utilization(),
                            port.queueBytesMax(),
                            result.summary().dataDrops());
                },
                scale == Scale.QUICK ? List.of() : List.of("duration=2s"));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(Testbed.TFC, scale), run(NO_ARBITER, scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        Course tfc = results.get(run(Testbed.TFC, scale));
        Course without = results.get(run(NO_ARBITER, scale));
        List<Claim> claims = List.of(
                Claim.about(ID + "/use", "A thousand senders use the link", "high goodput")
                        .atLeast(tfc.use(), USE, Unit.SHARE),
                Extracts.noDrops(ID, tfc.dataDrops()),
                Claim.about(ID + "/queue", "The largest queue, once all connections stand", "near zero")
                        .reported(Unit.BYTES.print(tfc.queueBytesMax())),
                Claim.about(ID + "/without", "Without the delay function: largest queue, and drops", "not in the paper")
                        .reported(Unit.BYTES.print(without.queueBytesMax()) + ", " + without.dataDrops() + " drops"));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(), List.of());
    }
}
