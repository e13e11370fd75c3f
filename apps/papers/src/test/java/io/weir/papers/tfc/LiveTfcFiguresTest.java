package io.weir.papers.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cli.lab.LabFigures;
import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.Verdict;
import io.weir.papers.live.BothWorlds;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.Series;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what TFC's figures on real ports make of runs made up. */
class LiveTfcFiguresTest {
    private static final LabFigures LAB =
            new LabFigures(1_100_000_000, true, true, 1_000, 100_000_000, 0.09, 30_000, 0, List.of());

    private static <R> BothWorlds<R> both(String name, R simulated, R live) {
        return new BothWorlds<>(name, simulated, live, LAB);
    }

    private static PortResult port(double mean, long max) {
        return new PortResult("switch", "h3", max, mean, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.97, 0, max, null);
    }

    private static Verdict verdict(Findings findings, String id) {
        return findings.claims().stream()
                .filter(claim -> claim.id().endsWith("/" + id))
                .map(Claim::verdict)
                .findFirst()
                .orElseThrow();
    }

    private static Joining joining(double bps, double mean, long max) {
        List<Series.FlowSeries> flows =
                Collections.nCopies(4, new Series.FlowSeries("flow", Collections.nCopies(40, bps / 4)));
        return new Joining(20, flows, Collections.nCopies(40, max), port(mean, max), 0);
    }

    private static Findings joining(double tfcBps, double tfcQueue) {
        Joining simulated = joining(900e6, 1_600, 8_000);
        return LiveJoining.judge(List.of(
                both("tfc", simulated, joining(tfcBps, tfcQueue, 30_000)),
                both("dctcp", simulated, joining(900e6, 30_000, 70_000)),
                both("newreno", simulated, joining(900e6, 200_000, 256_000))));
    }

    @Test
    void joining_shortQueueAndTheTwinsGoodput_isMet() {
        Findings findings = joining(880e6, 6_000);
        assertEquals(Verdict.MET, verdict(findings, "queue"));
        assertEquals(Verdict.MET, verdict(findings, "goodput"));
        assertEquals(18, findings.tables().get(0).rows().size());
    }

    @Test
    void joining_longQueueOrLessGoodput_fails() {
        assertEquals(Verdict.FAILED, verdict(joining(880e6, 16_000), "queue"));
        assertEquals(Verdict.FAILED, verdict(joining(700e6, 6_000), "goodput"));
    }

    private static BothWorlds<WorkConserving.Course> bottlenecks(double secondBps) {
        WorkConserving.Course simulated = new WorkConserving.Course(449e6, 441e6, port(1, 1), port(1, 1), 0);
        return both(
                "tfc",
                simulated,
                new WorkConserving.Course(449e6, secondBps, port(2_000, 9_000), port(4_000, 9_000), 0));
    }

    @Test
    void workConserving_secondBottleneckIsFull_isMet() {
        Findings findings = LiveWorkConserving.judge(bottlenecks(445e6), bottlenecks(300e6));
        assertEquals(Verdict.MET, verdict(findings, "s2"));
        assertEquals(Verdict.MET, verdict(findings, "queues"));
        assertEquals(Verdict.FAILED, verdict(LiveWorkConserving.judge(bottlenecks(400e6), bottlenecks(300e6)), "s2"));
    }

    private static List<BothWorlds<IncastRounds>> incast(double bps, long drops) {
        IncastRounds simulated = new IncastRounds(890e6, 10, 1_000, 20_000, 0);
        return List.of(2, 8, 16, 24).stream()
                .map(senders ->
                        both("tfc " + senders + " senders", simulated, new IncastRounds(bps, 10, 4_000, 60_000, drops)))
                .toList();
    }

    @Test
    void incast_fullLinkWithoutDrops_isMet() {
        Findings findings = LiveIncast.judge(List.of(incast(850e6, 0)));
        assertEquals(Verdict.MET, verdict(findings, "tfc-least"));
        assertEquals(Verdict.MET, verdict(findings, "tfc-8-senders"));
        assertEquals(Verdict.FAILED, verdict(LiveIncast.judge(List.of(incast(700e6, 0))), "tfc-least"));
        assertEquals(Verdict.FAILED, verdict(LiveIncast.judge(List.of(incast(850e6, 1))), "drops"));
    }
}
