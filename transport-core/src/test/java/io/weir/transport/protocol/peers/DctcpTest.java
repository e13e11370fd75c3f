package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.switching.QueueMeter;
import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.WatchedProtocol;
import io.weir.transport.testing.Windows;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Dctcp} behaves as RFC 8257 and the analysis in its paper (section 3.3) say, in virtual time. */
class DctcpTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;
    private static final long RTT_NANOS = 100_000;

    private static Shape shape(int flows, int gbps, int markFrames) {
        return new Shape(flows, gbps * GBPS, gbps * GBPS, RTT_NANOS, 250, markFrames);
    }

    private static WatchedProtocol<Dctcp> watched() {
        return new WatchedProtocol<>(Dctcp.KIND.id(), context -> new Dctcp(Dctcp.KIND.usual(), context));
    }

    @ParameterizedTest
    @CsvSource({"10, 65", "1, 20"})
    void queue_ofTwoFlows_isWithinATenthOfTheAnalysis(int gbps, int markFrames) {
        int flows = 2;
        Shape shape = shape(flows, gbps, markFrames);
        try (Bottleneck run = new Bottleneck(shape, Dctcp.KIND.usual(), 1).startAll(1_000)) {
            run.run(200 * MILLISECOND);
            double[] queue = {Double.MAX_VALUE, 0};
            run.run(300 * MILLISECOND, 1_000, now -> {
                queue[0] = Math.min(queue[0], run.queue());
                queue[1] = Math.max(queue[1], run.queue());
            });
            // Q_max = K + N; A = 1/2 sqrt(2 N (C RTT + K)), in whole frames here
            double swing = 0.5 * Math.sqrt(2 * flows * (shape.pipeSegments() + markFrames));
            assertEquals(1, queue[1] / (markFrames + flows), 0.1, "largest queue");
            assertEquals(swing, queue[1] - queue[0], Math.max(1, 0.1 * swing), "amplitude");
        }
    }

    @Test
    void alpha_ofTwoFlowsInStep_isWithinATenthOfTheAnalysis() {
        Shape shape = shape(2, 10, 65);
        WatchedProtocol<Dctcp> dctcp = watched();
        try (Bottleneck run = new Bottleneck(shape, dctcp, 1).startAll(1_000)) {
            run.run(200 * MILLISECOND);
            double[] sum = {0, 0};
            run.run(300 * MILLISECOND, 10_000, now -> {
                sum[0] += senders(dctcp).stream()
                        .mapToDouble(Dctcp::alpha)
                        .average()
                        .orElse(0);
                sum[1]++;
            });
            // W* = (C RTT + K) / N; alpha^2 (1 - alpha/4) = (2 W* + 1) / (W* + 1)^2
            double expected = alphaOf((shape.pipeSegments() + shape.markFrames()) / shape.flows());
            assertEquals(1, sum[0] / sum[1] / expected, 0.1, "alpha " + sum[0] / sum[1]);
        }
    }

    private static double alphaOf(double windowSegments) {
        double alpha = Math.sqrt(2 / windowSegments);
        for (int i = 0; i < 20; i++) {
            alpha = Math.sqrt((2 * windowSegments + 1) / Math.pow(windowSegments + 1, 2) / (1 - alpha / 4));
        }
        return alpha;
    }

    /** Only the senders' ends see marks. */
    private static List<Dctcp> senders(WatchedProtocol<Dctcp> dctcp) {
        return dctcp.controls().stream().filter(control -> control.alpha() < 1).toList();
    }

    @ParameterizedTest
    @CsvSource({"2, 10, 65", "4, 10, 65", "10, 10, 65", "2, 1, 20", "4, 1, 20", "10, 1, 20"})
    void steadyState_ofSeveralFlows_keepsTheQueueAtKAndTheLinkFullAndIsFair(int flows, int gbps, int markFrames) {
        try (Bottleneck run = new Bottleneck(shape(flows, gbps, markFrames), Dctcp.KIND.usual(), 1).startAll(1_000)) {
            run.run(150 * MILLISECOND);
            QueueMeter meter = run.meter();
            long sent = run.sentBytes();
            long[] before = run.received();
            run.run(250 * MILLISECOND);
            meter.settle(250 * MILLISECOND);
            assertEquals(1, meter.bytesMean() / Bottleneck.WIRE_BYTES / markFrames, 0.1);
            assertEquals(1, run.share(run.sentBytes() - sent, 100 * MILLISECOND), 0.001);
            assertTrue(run.jain(before) > 0.98, "jain " + run.jain(before));
            assertEquals(0, run.drops());
        }
    }

    @Test
    void slowStart_firstMark_endsIt() {
        Shape shape = new Shape(1, 40 * GBPS, 10 * GBPS, RTT_NANOS, 250, 65);
        try (Bottleneck run = new Bottleneck(shape, Dctcp.KIND.usual(), 1).startAll(0)) {
            Windows windows = Windows.of(run, 0, 6 * MILLISECOND, RTT_NANOS);
            assertEquals("[10.0, 20.0, 40.0, 80.0]", windows.toString(2, 6));
            int lowest = windows.indexOfMin(8);
            assertTrue(windows.at(lowest) < 0.6 * windows.max(), windows.toString());
            for (int i = lowest + 1; i < 30; i++) {
                assertTrue(windows.at(i) - windows.at(i - 1) <= 1, windows.toString());
            }
            assertEquals(0, run.drops());
        }
    }

    /** The paper's testbed: 70 ms; the authors' simulator with the first alpha of 1: 64 ms. */
    @Test
    void convergence_ofASecondFlow_takesHundredsOfRoundTrips() {
        try (Bottleneck run = new Bottleneck(shape(2, 10, 65), Dctcp.KIND.usual(), 1)) {
            long joinNanos = 20 * MILLISECOND;
            run.start(0);
            run.start(joinNanos);
            run.run(joinNanos);
            double fairMillis = 0;
            long[] before = run.received();
            for (int i = 1; i <= 200 && fairMillis == 0; i++) {
                run.run(joinNanos + i * MILLISECOND);
                long[] after = run.received();
                double late = after[1] - before[1];
                fairMillis = late / (late + after[0] - before[0]) >= 0.45 ? i : 0;
                before = after;
            }
            assertTrue(fairMillis >= 32 && fairMillis <= 128, fairMillis + " ms");
        }
    }
}
