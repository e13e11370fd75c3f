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
import java.util.List;
import java.util.Locale;

/** Figure 13: the queue of a port to which two hosts send, by DX and by DCTCP. */
public final class TestbedQueues implements Figure {
    private static final String ID = "dx/fig13";
    private static final String FILE = "dx/fig13-two-senders.yaml";
    private static final double SLOW_MAX = 1 / 3.0;
    private static final double FAST_MAX = 0.7;
    private static final List<Integer> GIGABITS = List.of(1, 10);
    private static final int SLOW_MARKED_FRAMES = 20;
    private static final int FAST_MARKED_FRAMES = 65;

    /** Creates the figure. */
    public TestbedQueues() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "Queues of DX and DCTCP with two senders, at 1 and 10 Gbps";
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                "Two hosts send to a third through one switch for 15 s, at 1 Gbps (DCTCP: K = 20) and at 10 Gbps (K = 65); the paper's is a"
                        + " testbed with stamps in software and hardware. Here round trips are of 100 us, and stamps are exact.",
                scale == Scale.FULL
                        ? "15 s."
                        : "1 s at 1 Gbps and 300 ms at 10 Gbps, of which the last 80 % and a third count; the queue repeats itself each few"
                                + " round trips.");
    }

    private static PaperRun<SharedPort> run(boolean isDx, int gigabits, Scale scale) {
        Variant dctcp = Protocols.dctcp(gigabits == 1 ? SLOW_MARKED_FRAMES : FAST_MARKED_FRAMES);
        String duration = scale == Scale.FULL ? "15s" : gigabits == 1 ? "1s" : "300ms";
        return (isDx ? Protocols.DX : dctcp)
                .run(
                        FILE,
                        gigabits + " Gbps",
                        SharedPort::of,
                        List.of("topology.rate=" + gigabits + "Gbps", "duration=" + duration));
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return List.of(run(true, 1, scale), run(false, 1, scale), run(true, 10, scale), run(false, 10, scale));
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        SharedPort slowDx = results.get(run(true, 1, scale));
        SharedPort slowDctcp = results.get(run(false, 1, scale));
        SharedPort fastDx = results.get(run(true, 10, scale));
        SharedPort fastDctcp = results.get(run(false, 10, scale));
        List<Claim> claims = List.of(
                Claim.about(
                                ID + "/1g",
                                "At 1 Gbps DX's mean queue is a fraction of DCTCP's",
                                "37.8 of 183.4 us: 0.206 times")
                        .atMost(slowDx.mean() / slowDctcp.mean(), SLOW_MAX, Unit.TIMES),
                Claim.about(
                                ID + "/10g",
                                "At 10 Gbps DX's mean queue is a fraction of DCTCP's",
                                "26.0 (stamps in hardware) and 31.8 (in software) of 43.4 us: 0.60 and 0.73 times")
                        .atMost(fastDx.mean() / fastDctcp.mean(), FAST_MAX, Unit.TIMES),
                Claim.about(
                                ID + "/1g-frames",
                                "Median and largest queue at 1 Gbps, DX and DCTCP, in frames",
                                "3, 8; 16, 24")
                        .reported(print(slowDx.p50(), slowDx.max(), slowDctcp.p50(), slowDctcp.max())),
                Claim.about(
                                ID + "/10g-frames",
                                "99th percentile of the queue at 10 Gbps, DX and DCTCP, in frames",
                                "52 (stamps in hardware), 38 (in software); 78")
                        .reported(print(fastDx.p99(), fastDctcp.p99())));
        return new Findings(claims.stream().map(Claim::explained).toList(), List.of(), List.of(table(results, scale)));
    }

    private static String print(double... frames) {
        StringBuilder text = new StringBuilder();
        for (double each : frames) {
            text.append(text.isEmpty() ? "" : ", ").append(Math.round(each));
        }
        return text.toString();
    }

    private static Table table(RunResults results, Scale scale) {
        List<List<String>> rows = GIGABITS.stream()
                .flatMap(gigabits -> List.of(true, false).stream()
                        .map(isDx -> row(isDx, gigabits, results.get(run(isDx, gigabits, scale)))))
                .toList();
        return new Table(
                "Queues, in frames", List.of("link", "protocol", "mean", "median", "99 %", "most", "used"), rows);
    }

    private static List<String> row(boolean isDx, int gigabits, SharedPort port) {
        return List.of(
                gigabits + " Gbps",
                isDx ? "dx" : "dctcp",
                String.format(Locale.ROOT, "%.1f", port.mean()),
                print(port.p50()),
                print(port.p99()),
                print(port.max()),
                Unit.SHARE.print(port.utilization()));
    }
}
