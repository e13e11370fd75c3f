package io.weir.papers.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Claim;
import io.weir.papers.Findings;
import io.weir.papers.Verdict;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the figures about delays make of measurements that are made up. */
class LiveFiguresTest {
    private static final List<PortInfo> PORTS = List.of(new PortInfo(
            "weir0", "afxdp", "native/copy", "", StampSources.software("driver veth offers none"), 1, 1500, 0));

    /** Around 50 us, so much apart. */
    private static List<Double> around(double micros) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            values.add(50 + (i % 2 == 0 ? micros : -micros));
        }
        return values;
    }

    private static NoiseReduction.Part part(double micros) {
        return new NoiseReduction.Part(around(micros), 0.25, 1.5, around(micros / 2));
    }

    private static Verdict verdict(Findings findings, String id) {
        return findings.claims().stream()
                .filter(claim -> claim.id().equals(id))
                .map(Claim::verdict)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void noise_ofKnownValues_isTheirs() {
        Noise noise = Noise.of(around(4));
        assertEquals(46, noise.min());
        assertEquals(54, noise.max());
        assertEquals(8, noise.range());
        assertEquals(4, noise.deviation(), 1e-9);
        assertEquals(8, noise.middleHalf());
    }

    @Test
    void noise_ofNothing_isNoNumber() {
        assertTrue(Double.isNaN(Noise.of(List.of()).deviation()));
    }

    @Test
    void reduction_lessNoiseWithEachTechnique_isMet() {
        Findings findings = NoiseReduction.judge(List.of(part(20), part(3), part(2)), PORTS);
        assertEquals(Verdict.MET, verdict(findings, "dx/fig10/reduced"));
        assertEquals("10 times", findings.claims().get(1).measured());
    }

    @Test
    void reduction_moreNoiseThanRaw_fails() {
        Findings findings = NoiseReduction.judge(List.of(part(2), part(3), part(4)), PORTS);
        assertEquals(Verdict.FAILED, verdict(findings, "dx/fig10/reduced"));
    }

    @Test
    void reduction_saysWhichStampsWereUsed() {
        Findings findings = NoiseReduction.judge(List.of(part(20), part(3), part(2)), PORTS);
        assertEquals(
                List.of(List.of(
                        "weir0", "afxdp native/copy", "receive software, transmit software (driver veth offers none)")),
                findings.tables().get(1).rows());
    }

    @Test
    void comparison_lessNoiseThanTheKernel_isMet() {
        Findings findings = StackComparison.judge(List.of(around(40), around(2), around(30), around(1)), PORTS);
        assertEquals(Verdict.MET, verdict(findings, "dx/fig11/deviation"));
        assertEquals("20 times", findings.claims().get(0).measured());
    }

    @Test
    void comparison_moreNoiseThanTheKernel_fails() {
        Findings findings = StackComparison.judge(List.of(around(1), around(2), around(30), around(1)), PORTS);
        assertEquals(Verdict.FAILED, verdict(findings, "dx/fig11/deviation"));
    }

    @Test
    void kernel_rangeAndMiddle_areReported() {
        Findings findings = KernelNoise.judge(around(20), around(10));
        assertEquals("30 to 70 us", findings.claims().get(0).measured());
        assertEquals(Verdict.REPORTED, verdict(findings, "dx/fig3/middle"));
    }

    private static QueueSteps.Pairs pairs(double factor, double offset) {
        List<Double> seconds = new ArrayList<>();
        List<Double> queue = new ArrayList<>();
        List<Double> delay = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            seconds.add(i / 10.0);
            queue.add(i * 12.3);
            delay.add(i * 12.3 * factor + offset);
        }
        return new QueueSteps.Pairs(seconds, queue, delay);
    }

    @Test
    void steps_delayFollowsTheQueue_isMet() {
        Findings findings = QueueSteps.judge(pairs(1, 5), PORTS);
        assertEquals(Verdict.MET, verdict(findings, "dx/fig12/correlation"));
        assertEquals(Verdict.MET, verdict(findings, "dx/fig12/error"));
    }

    @Test
    void steps_delayAFrameOff_errorIsShort() {
        Findings findings = QueueSteps.judge(pairs(1, 13), PORTS);
        assertEquals(Verdict.MET, verdict(findings, "dx/fig12/correlation"));
        assertEquals(Verdict.FAILED, verdict(findings, "dx/fig12/error"));
    }

    @Test
    void steps_delayFallsAsTheQueueGrows_correlationIsShort() {
        Findings findings = QueueSteps.judge(pairs(-1, 500), PORTS);
        assertEquals(Verdict.FAILED, verdict(findings, "dx/fig12/correlation"));
    }

    @Test
    void samples_whileALoopWasAway_areCountedAndNotKept() {
        DelaySamples samples = new DelaySamples();
        samples.watch(() -> 1_000);
        samples.add(999, 10_000, 5);
        samples.add(1_000, 10_000, 5);
        samples.add(1_001, 0, 5);
        assertEquals(1, samples.count());
        assertEquals(0.5, samples.stalledShare());
    }
}
