package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.Bottleneck.Shape;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Steady state of flows that react allocates nothing: windows that grow and shrink, marks, drops at a full queue,
 * repetitions.
 */
class ReactiveAllocationTest {
    private static final Shape SHAPE = new Shape(4, 10_000_000_000L, 10_000_000_000L, 100_000, 100, 65);
    private static final long STEP_NANOS = 1_000_000;
    private static final int WARM_STEPS = 300;
    private static final int STEPS = 50;
    private static final int WINDOWS = 4;

    static List<ProtocolKind> kinds() {
        return Catalogue.KINDS.stream()
                .filter(kind ->
                        kind != ExpressPass.KIND && kind.realPortObstacle().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void run_manyFrames_allocatesNothing(ProtocolKind kind) {
        try (Bottleneck run = new Bottleneck(SHAPE, kind.usual(), 1).startAll(0)) {
            long[] now = new long[1];
            Runnable step = () -> run.run(now[0] += STEP_NANOS);
            for (int i = 0; i < WARM_STEPS; i++) {
                step.run();
            }
            long sent = run.sentBytes();
            assertEquals(0, Allocations.fewestOf(WINDOWS, STEPS, step));
            long frames = (run.sentBytes() - sent) / Bottleneck.WIRE_BYTES;
            assertTrue(frames > 50_000, frames + " frames");
        }
    }
}
