package io.weir.transport.protocol.reactive.cubic;

import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import io.weir.transport.testing.Windows;
import org.junit.jupiter.api.Test;

/** {@link Cubic} behaves as RFC 9438 says, in virtual time. */
class CubicTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long GBPS = 1_000_000_000;

    @Test
    void curve() {
        Shape shape = new Shape(1, GBPS, GBPS / 4, 100 * MILLISECOND, 5_000, 0);
        try (Bottleneck run = new Bottleneck(shape, Cubic.KIND.usual(), 1).startAll(0)) {
            int[] seen = new int[1];
            run.network().host(1).link(0).setFilter((frame, now) -> !(frame.wireBytes() > 1_000 && ++seen[0] == 700));
            Windows windows = Windows.of(run, 0, 12_000 * MILLISECOND, 100 * MILLISECOND);
            System.out.println("PROBE cubic " + run.timeouts(0) + " " + run.repeatedBytes(0)/1424+ windows);
        }
    }

    @Test
    void friendly() {
        Shape shape = new Shape(1, 10 * GBPS, GBPS, MILLISECOND, 10, 0);
        try (Bottleneck run = new Bottleneck(shape, Cubic.KIND.usual(), 1).startAll(0)) {
            run.run(200 * MILLISECOND);
            Windows windows = Windows.of(run, 0, 300 * MILLISECOND, MILLISECOND );
            System.out.println("PROBE friendly " + windows + run.timeouts(0));
        }
    }
}
