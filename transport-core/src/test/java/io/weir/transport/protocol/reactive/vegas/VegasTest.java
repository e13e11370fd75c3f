package io.weir.transport.protocol.reactive.vegas;

import io.weir.transport.switching.QueueMeter;
import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.Windows;
import org.junit.jupiter.api.Test;

/** {@link Vegas} behaves as its paper says, in virtual time. */
class VegasTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;

    @Test
    void slow() {
        Shape shape = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 500, 0);
        try (Bottleneck run = new Bottleneck(shape, Vegas.KIND.usual(), 1).startAll(0)) {
            Windows windows = Windows.of(run, 0, 30 * MILLISECOND, MILLISECOND);
            System.out.println("PROBE vegas slow " + windows + run.timeouts(0));
        }
    }

    @Test
    void ten() {
        Shape shape = new Shape(10, 10 * GBPS, GBPS, MILLISECOND, 500, 0);
        try (Bottleneck run = new Bottleneck(shape, Vegas.KIND.usual(), 1)) {
            for (int i = 0; i < 9; i++) run.start(i * 100_000L);
            run.run(300 * MILLISECOND);
            QueueMeter meter = run.meter();
            long sent = run.sentBytes();
            run.run(500 * MILLISECOND);
            meter.settle(500 * MILLISECOND);
            System.out.println("PROBE vegas nine queue " + meter.bytesMean() / 1538 + " util " + run.share(run.sentBytes() - sent, 200 * MILLISECOND));
            for (int i = 0; i < 9; i++) System.out.print(run.window(i) + " ");
            run.start(500 * MILLISECOND + 1);
            run.run(800 * MILLISECOND);
            meter = run.meter();
            run.run(1000 * MILLISECOND);
            meter.settle(1000 * MILLISECOND);
            System.out.println("PROBE vegas ten queue " + meter.bytesMean() / 1538);
            for (int i = 0; i < 10; i++) System.out.print(run.window(i) + " ");
            System.out.println();
        }
    }
}
