package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.Windows;
import org.junit.jupiter.api.Test;

/** {@link Cubic} behaves as RFC 9438 says, in virtual time. Windows are in segments. */
class CubicTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;

    @Test
    void window_afterALossInALargePipe_followsTheCubic() {
        long stepNanos = 50 * MILLISECOND;
        Shape shape = new Shape(1, GBPS, GBPS / 4, 100 * MILLISECOND, 5_000, 0);
        try (Bottleneck run = new Bottleneck(shape, Cubic.KIND.usual(), 1).startAll(0)) {
            run.loseEveryOther(1, 800 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 14_000 * MILLISECOND, stepNanos);
            int cut = windows.indexOfMin(17);
            double lossSegments = windows.at(cut) / 0.7;
            double flatSeconds = Math.cbrt(lossSegments * 0.3 / 0.4);
            assertEquals(1, windows.cuts().size());
            assertTrue(lossSegments > 500, lossSegments + " segments");
            assertTrue(windows.max() > lossSegments * 1.02, "the convex part must be seen too");
            // The first acknowledgement after the repair, a round trip later, begins the epoch.
            int begin = cut + 2;
            for (int i = begin; i < windows.count(); i++) {
                double seconds = (i - begin) * stepNanos / 1e9;
                double expected = 0.4 * Math.pow(seconds - flatSeconds, 3) + lossSegments;
                assertEquals(1, windows.at(i) / expected, 0.05, "after " + seconds + " s");
            }
        }
    }

    @Test
    void window_inASmallPipe_growsAsRenosFriend() {
        Shape shape = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 10, 0);
        try (Bottleneck run = new Bottleneck(shape, Cubic.KIND.usual(), 1).startAll(0)) {
            run.run(200 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 400 * MILLISECOND, MILLISECOND);
            windows.cuts().forEach(cut -> assertEquals(0.7, cut, 0.01));
            int from = windows.indexOfMin(0) + 3;
            int to = from;
            while (windows.at(to) < shape.pipeSegments()) {
                to++;
            }
            // alpha_cubic = 3 x 0.3 / 1.7 segments per round trip, each 1 ms and a little.
            double growth = (windows.at(to) - windows.at(from)) / (to - from);
            assertEquals(3 * 0.3 / 1.7, growth, 0.03);
        }
    }

    @Test
    void fastConvergence_ofAFlowThatJoins_bringsItsShareSooner() {
        assertEquals(0.5, shareOfALateFlow(true), 0.02);
        assertTrue(shareOfALateFlow(false) < 0.45, "without it, the first flow keeps more");
    }

    /** {@return the second flow's share from 8 s to 18 s after it has joined} */
    private static double shareOfALateFlow(boolean fastConvergence) {
        Shape shape = new Shape(2, GBPS, GBPS / 10, 20 * MILLISECOND, 60, 0);
        long second = 1_000 * MILLISECOND;
        try (Bottleneck run =
                new Bottleneck(shape, Cubic.KIND.usual().with(Cubic.FAST_CONVERGENCE, fastConvergence), 1)) {
            run.start(0);
            run.start(8 * second);
            run.run(16 * second);
            long[] before = run.received();
            run.run(26 * second);
            long[] after = run.received();
            double late = after[1] - before[1];
            return late / (late + after[0] - before[0]);
        }
    }
}
