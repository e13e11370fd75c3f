package io.weir.papers.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.MadeUp;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Judges DX's figures by made-up results: each claim both ways. */
class FiguresTest {
    private static SharedPort port(double utilization, double mean) {
        return new SharedPort(utilization, mean);
    }

    private static Feedback feedback(List<Double> marked, List<Double> delay) {
        List<Double> truth = new ArrayList<>();
        List<Long> frames = new ArrayList<>();
        for (int i = 0; i < marked.size(); i++) {
            truth.add(10.0 * i);
            frames.add(5L);
        }
        return new Feedback(truth, truth, marked, Collections.nCopies(marked.size(), 50.0), delay, frames);
    }

    @Test
    void fiveFlows_steadierThanDctcp_isMet() {
        assertEquals(Verdict.MET, fiveFlows(10, 20));
        assertEquals(Verdict.FAILED, fiveFlows(15, 20));
    }

    private static Verdict fiveFlows(double dxBps, double dctcpBps) {
        return MadeUp.verdicts(new FiveFlowsThroughput(), run -> course(run.equals("dx") ? dxBps : dctcpBps))
                .get("deviation");
    }

    private static FiveFlowsThroughput.Course course(double swingBps) {
        List<Double> goodput = new ArrayList<>();
        for (int i = 0; i < 180; i++) {
            goodput.add(1e9 + (i % 2 == 0 ? swingBps : -swingBps));
        }
        return new FiveFlowsThroughput.Course(Collections.nCopies(5, goodput), 5);
    }

    @Test
    void fiveFlows_unevenInTheSecondHalfOfATime_failsJoined() {
        assertEquals(Verdict.MET, joined(60, 70));
        assertEquals(Verdict.FAILED, joined(70, 80));
        assertEquals(Verdict.MET, joined(110, 120), "one has left");
    }

    /** {@return the verdict where the first flow has twice as much as the others from one interval to another} */
    private static Verdict joined(int from, int to) {
        List<List<Double>> flows = new ArrayList<>();
        for (int flow = 0; flow < 5; flow++) {
            List<Double> goodput = new ArrayList<>(Collections.nCopies(180, 1e9));
            if (flow == 0) {
                Collections.fill(goodput.subList(from, to), 2e9);
            }
            flows.add(goodput);
        }
        return MadeUp.verdicts(new FiveFlowsThroughput(), run -> new FiveFlowsThroughput.Course(flows, 5))
                .get("joined");
    }

    @Test
    void latencyNoise_leastHeadroomThatFills_countsAtEachLevel() {
        Map<String, Verdict> verdicts = noise(4, 1);
        assertEquals(Verdict.MET, verdicts.get("utilization"));
        assertEquals(Verdict.MET, verdicts.get("headroom"));
        assertEquals(Verdict.MET, verdicts.get("queue"));
    }

    @Test
    void latencyNoise_noHeadroomFills_fails() {
        assertEquals(Verdict.FAILED, noise(7, 1).get("utilization"));
    }

    @Test
    void latencyNoise_ownMeasureMissesOneLevel_fails() {
        Map<String, Verdict> verdicts =
                MadeUp.verdicts(new LatencyNoise(), run -> port(run.equals("noise 3, measured") ? 0.899 : 0.99, 5));
        assertEquals(Verdict.FAILED, verdicts.get("own"));
        assertEquals(Verdict.MET, noise(4, 1).get("own"));
    }

    @Test
    void latencyNoise_queueFalls_fails() {
        assertEquals(Verdict.FAILED, noise(0, -1).get("queue"));
    }

    @Test
    void latencyNoise_lessHeadroomAtMoreNoise_fails() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(
                new LatencyNoise(), run -> port(run.equals("noise 3, headroom 0") ? 0.99 : filled(run, 2), 5));
        assertEquals(Verdict.FAILED, verdicts.get("headroom"));
    }

    /** The link is full from so many deviations on, and queues grow by so many frames a level. */
    private static Map<String, Verdict> noise(int deviations, double rise) {
        return MadeUp.verdicts(
                new LatencyNoise(), run -> port(filled(run, deviations), 10 + rise * MadeUp.number(run, "noise")));
    }

    private static double filled(String run, int deviations) {
        boolean isFull =
                run.startsWith("noise 0") || run.endsWith("measured") || MadeUp.number(run, "headroom") >= deviations;
        return isFull ? 0.98 : 0.97;
    }

    @Test
    void incast_oneRateNotBelow_fails() {
        assertEquals(Verdict.MET, incast(99));
        assertEquals(Verdict.FAILED, incast(100));
    }

    private static Verdict incast(double dxFrames) {
        return MadeUp.verdicts(
                        new Incast(),
                        run -> new Incast.Onset(
                                run.equals("dx at once") ? dxFrames : run.startsWith("dx") ? 10 : 100, List.of(1.0), 1))
                .get("peak");
    }

    @Test
    void twoFlows_distances_decide() {
        Map<String, Verdict> verdicts = MadeUp.verdicts(new TwoFlows(), run -> trajectory(run.equals("dx") ? 5 : 60));
        assertEquals(Verdict.MET, verdicts.get("distance"));
        assertEquals(Verdict.MET, verdicts.get("dctcp"));
        assertEquals(
                Verdict.FAILED,
                MadeUp.verdicts(new TwoFlows(), run -> trajectory(-11)).get("distance"));
    }

    private static TwoFlows.Trajectory trajectory(double off) {
        return new TwoFlows.Trajectory(Collections.nCopies(300, 80 + off), Collections.nCopies(300, 80.0), 160);
    }

    @Test
    void vegasQueue_growthAndBase_decide() {
        assertEquals(Verdict.MET, vegas(4, 30).get("growth"));
        assertEquals(Verdict.MET, vegas(4, 30).get("queue"));
        assertEquals(Verdict.FAILED, vegas(7, 30).get("queue"));
        assertEquals(Verdict.FAILED, vegas(-1, 0).get("growth"));
        assertEquals(Verdict.FAILED, vegas(4, 0).get("base"));
    }

    private static Map<String, Verdict> vegas(double each, long inflationNanos) {
        List<Double> queue = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            queue.add(each * (i / 10 + 1));
        }
        return MadeUp.verdicts(
                new VegasQueue(), run -> new VegasQueue.Course(queue, 1, 200_000, 200_000 + inflationNanos));
    }

    @Test
    void accuracy_exactDelays_areMetAndMarksJudged() {
        Feedback exact = feedback(List.of(0.0, 20.0, 20.0, 100.0, 100.0), List.of(1.0, 11.0, 21.0, 31.0, 41.0));
        Map<String, Verdict> delays = MadeUp.verdicts(new DelayAccuracy(), run -> exact);
        assertEquals(Verdict.MET, delays.get("correlation"));
        assertEquals(Verdict.MET, delays.get("error"));
        Map<String, Verdict> marks = MadeUp.verdicts(new EcnAccuracy(), run -> exact);
        assertEquals(Verdict.MET, marks.get("zeros"));
        assertEquals(Verdict.MET, marks.get("hundreds"));
        assertEquals(Verdict.FAILED, marks.get("correlation"));
    }

    @Test
    void accuracy_delaysOff_areShort() {
        Feedback off = feedback(List.of(0.0, 0.0, 0.0, 0.0), List.of(40.0, 0.0, 30.0, 10.0));
        Map<String, Verdict> delays = MadeUp.verdicts(new DelayAccuracy(), run -> off);
        assertEquals(Verdict.FAILED, delays.get("correlation"));
        assertEquals(Verdict.FAILED, delays.get("error"));
    }
}
