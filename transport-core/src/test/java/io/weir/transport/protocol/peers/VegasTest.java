package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.switching.QueueMeter;
import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.WatchedProtocol;
import io.weir.transport.testing.Windows;
import org.junit.jupiter.api.Test;

/** {@link Vegas} behaves as its paper says, in virtual time. */
class VegasTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;
    private static final int FLOWS = 10;

    @Test
    void window_inSlowStart_doublesEveryOtherRoundTripThenGrowsByOneSegment() {
        Shape shape = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 500, 0);
        try (Bottleneck run = new Bottleneck(shape, Vegas.KIND.usual(), 1).startAll(0)) {
            Windows windows = Windows.of(run, 0, 40 * MILLISECOND, MILLISECOND);
            assertEquals(2, windows.at(2));
            assertEquals(4, windows.at(4));
            assertEquals(8, windows.at(6));
            assertEquals(16, windows.at(8));
            assertEquals(32, windows.at(10));
            for (int i = 12; i < windows.count(); i++) {
                assertEquals(1, windows.at(i) - windows.at(i - 1), "round " + i);
            }
        }
    }

    @Test
    void queue_inSteadyState_hasTwoToFourSegmentsOfEachFlow() {
        WatchedProtocol<Vegas> vegas = watched();
        Shape shape = new Shape(FLOWS, 10 * GBPS, GBPS, MILLISECOND, 500, 0);
        try (Bottleneck run = new Bottleneck(shape, vegas, 1)) {
            run.startAll(MILLISECOND / 10);
            run.run(300 * MILLISECOND);
            QueueMeter meter = run.meter();
            long sent = run.sentBytes();
            long[] before = run.received();
            run.run(500 * MILLISECOND);
            meter.settle(500 * MILLISECOND);
            double queueOfEach = meter.bytesMean() / Bottleneck.WIRE_BYTES / FLOWS;
            assertTrue(queueOfEach >= 2 && queueOfEach <= 4, queueOfEach + " segments");
            assertTrue(run.share(run.sentBytes() - sent, 200 * MILLISECOND) > 0.999);
            assertTrue(run.jain(before) > 0.98, "jain " + run.jain(before));
            assertEquals(0, run.drops());
        }
    }

    /**
     * A flow that comes late takes the queue of the others for distance, and keeps more than its share (DX, Figure 7).
     */
    @Test
    void baseRtt_ofALateFlow_isInflatedByTheQueueOfTheOthers() {
        WatchedProtocol<Vegas> vegas = watched();
        Shape shape = new Shape(FLOWS, 10 * GBPS, GBPS, MILLISECOND, 500, 0);
        try (Bottleneck run = new Bottleneck(shape, vegas, 1)) {
            for (int i = 0; i < FLOWS - 1; i++) {
                run.start(i * 10L * MILLISECOND);
            }
            run.run(500 * MILLISECOND);
            double queueNanos = run.queue() * Bottleneck.WIRE_BYTES * 8;
            run.start(500 * MILLISECOND + 1);
            run.run(900 * MILLISECOND);
            long first = baseRttNanos(vegas, 0);
            long late = baseRttNanos(vegas, FLOWS - 1);
            assertEquals((double) MILLISECOND, (double) first, 0.05 * MILLISECOND);
            assertTrue(late - first > 0.7 * queueNanos, (late - first) + " of " + queueNanos + " ns");
            assertTrue(run.window(FLOWS - 1) > 1.3 * run.window(0), run.window(FLOWS - 1) + " and " + run.window(0));
        }
    }

    private static WatchedProtocol<Vegas> watched() {
        return new WatchedProtocol<>(Vegas.KIND.id(), context -> new Vegas(Vegas.KIND.usual(), context));
    }

    /** {@return the shortest round trip of the sender of flow {@code flow}; its receiver's control has none} */
    private static long baseRttNanos(WatchedProtocol<Vegas> vegas, int flow) {
        return vegas.controls().stream()
                .mapToLong(Vegas::baseRttNanos)
                .filter(nanos -> nanos < Long.MAX_VALUE)
                .skip(flow)
                .findFirst()
                .orElseThrow();
    }
}
