package io.weir.transport.protocol.reactive.newreno;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.Windows;
import org.junit.jupiter.api.Test;

/** {@link NewReno} behaves as RFC 5681 and RFC 6582 say, in virtual time. */
class NewRenoTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;
    /** 81 segments fill the pipe; the queue adds ten. */
    private static final Shape SHORT_QUEUE = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 10, 0);
    /** Nothing is lost by itself. */
    private static final Shape LONG_QUEUE = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 5_000, 0);

    private static Bottleneck started(Shape shape) {
        return new Bottleneck(shape, NewReno.KIND.usual(), 1).startAll(0);
    }

    /** Loses {@code count} frames of flow 0, every other one, from {@code fromNanos} on. */
    private static void lose(Bottleneck run, long fromNanos, int count) {
        int[] seen = new int[1];
        run.network().host(1).link(0).setFilter((frame, now) -> {
            boolean isLost = now >= fromNanos && frame.wireBytes() > 1_000 && seen[0]++ < 2 * count && seen[0] % 2 == 1;
            return !isLost;
        });
    }

    @Test
    void window_inSlowStart_doublesEachRoundTrip() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            Windows windows = Windows.of(run, 0, 8 * MILLISECOND, MILLISECOND);
            System.out.println("PROBE slow " + windows);
        }
    }

    @Test
    void window_afterALoss_halvesAndGrowsByOneSegmentARoundTrip() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            lose(run, 5 * MILLISECOND, 1);
            Windows windows = Windows.of(run, 0, 30 * MILLISECOND, MILLISECOND);
            System.out.println("PROBE loss " + windows + run.timeouts(0));
        }
    }

    @Test
    void window_ofSeveralLossesInOne_isReducedOnceWithoutATimeout() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            lose(run, 5 * MILLISECOND, 12);
            Windows windows = Windows.of(run, 0, 30 * MILLISECOND, MILLISECOND / 10);
            System.out.println("PROBE several " + windows.cuts() + " rep " + run.repeatedBytes(0) / 1424 + " to " + run.timeouts(0));
        }
    }

    @Test
    void window_afterATimeout_isOneSegment() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            run.network().host(1).link(0).setFilter((frame, now) -> now < 6 * MILLISECOND || now > 40 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 100 * MILLISECOND, MILLISECOND);
            System.out.println("PROBE timeout " + windows + run.timeouts(0));
        }
    }

    @Test
    void window_inSteadyState_averagesThreeQuartersOfItsPeak() {
        try (Bottleneck run = started(SHORT_QUEUE)) {
            run.run(200 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 700 * MILLISECOND, MILLISECOND / 10);
            System.out.println("PROBE saw mean/max " + windows.mean() / windows.max() + " max " + windows.max() + " min " + windows.min() + " " + windows.cuts() + run.timeouts(0));
        }
    }
}
