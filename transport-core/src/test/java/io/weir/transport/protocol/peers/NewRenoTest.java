package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.Windows;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@link NewReno} behaves as RFC 5681 and RFC 6582 say, in virtual time. Windows are in segments, one a round trip of 1
 * ms.
 */
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

    @Test
    void window_inSlowStart_doublesEachRoundTrip() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            Windows windows = Windows.of(run, 0, 6 * MILLISECOND, MILLISECOND);
            assertEquals("[0.0, 0.0, 10.0, 20.0, 40.0, 80.0]", windows.toString());
        }
    }

    @Test
    void window_behindAHostLinkAsSlowAsTheBottleneck_doublesAllTheSame() {
        // Acknowledgements then come as fast as the host's link lets frames go, and never find it all sent.
        Shape shape = new Shape(2, 10 * GBPS, 10 * GBPS, MILLISECOND, 5_000, 0);
        try (Bottleneck run = new Bottleneck(shape, NewReno.KIND.usual(), 1)) {
            run.start(0);
            Windows windows = Windows.of(run, 0, 8 * MILLISECOND, MILLISECOND);
            assertEquals("[0.0, 0.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0]", windows.toString());
        }
    }

    @Test
    void window_afterALoss_halvesAndGrowsByOneSegmentARoundTrip() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            run.loseEveryOther(1, 5 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 36 * MILLISECOND, MILLISECOND);
            assertEquals(80, windows.at(5));
            assertEquals(40, windows.at(6));
            for (int i = 8; i < windows.count(); i++) {
                assertEquals(33 + i, windows.at(i));
            }
            assertEquals(Bottleneck.SEGMENT_BYTES, run.repeatedBytes(0));
            assertEquals(0, run.timeouts(0));
        }
    }

    @Test
    void window_ofSeveralLossesInOne_isHalvedOnceAndRepairedWithoutATimeout() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            run.loseEveryOther(12, 5 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 30 * MILLISECOND, MILLISECOND / 10);
            assertEquals(List.of(0.5), windows.cuts());
            assertEquals(12 * Bottleneck.SEGMENT_BYTES, run.repeatedBytes(0));
            assertEquals(0, run.timeouts(0));
        }
    }

    @Test
    void window_afterATimeout_isOneSegmentAndSlowStartsToHalfOfWhatWasInFlight() {
        try (Bottleneck run = started(LONG_QUEUE)) {
            run.network().host(1).link(0).setFilter((frame, now) -> now < 6 * MILLISECOND || now > 18 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 70 * MILLISECOND, MILLISECOND);
            assertEquals(1, windows.at(19));
            int ended = 20;
            while (windows.at(ended) < 10 || windows.at(ended + 1) > windows.at(ended) + 1) {
                ended++;
            }
            assertEquals(80, windows.at(ended), 1.5);
            assertTrue(run.timeouts(0) > 1, "time-outs in a row must not halve the threshold again");
        }
    }

    @Test
    void window_inSteadyState_averagesThreeQuartersOfItsPeak() {
        try (Bottleneck run = started(SHORT_QUEUE)) {
            run.run(200 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 700 * MILLISECOND, MILLISECOND / 10);
            assertEquals(SHORT_QUEUE.pipeSegments() + SHORT_QUEUE.queueFrames(), windows.max(), 4);
            assertEquals(0.75, windows.mean() / windows.max(), 0.02);
            windows.cuts().forEach(cut -> assertEquals(0.5, cut, 0.01));
            assertTrue(windows.cuts().size() >= 8, windows.cuts().size() + " teeth");
            assertEquals(0, run.timeouts(0));
        }
    }
}
