package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.TestNetwork;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steady state allocates nothing: hosts, switch and simulator, with loss, repetitions and acknowledgements. */
class SteadyStateAllocationTest {
    private static final int HOSTS = 4;
    private static final long FRAMES = 1_000_000;
    private static final int WINDOWS = 4;
    private static final long STEP_NANOS = 1_000_000;
    private static final int WARM_STEPS = 100;
    private static final int LOSS_PER_FRAMES = 997;
    /**
     * More is lost while everything warms up, so that the records of frames in flight have grown to their size by then.
     */
    private static final int LOSS_PER_FRAMES_AT_FIRST = 53;

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void run_millionFramesWithLoss_allocatesNothing(int creditFramesMax) {
        try (TestNetwork network = new TestNetwork(1, 10_000_000_000L, ExpressPass.weir(), 2_048)
                .hostOptions(builder -> builder.creditFramesMax(creditFramesMax))
                .star(HOSTS, 5_000, builder -> creditFramesMax > 1 ? builder.unmetered() : builder)) {
            for (int host = 1; host <= HOSTS; host++) {
                // As a transport's do.
                network.stack(host)
                        .setTrace(new TraceRing(
                                new UnsafeBuffer(ByteBuffer.allocateDirect(TraceRing.bytes(TraceRing.SLOTS_MIN)))));
            }
            List<BulkFlow> receivers = new ArrayList<>();
            for (int from = 1; from < HOSTS; from++) {
                BulkFlow receiver = BulkFlow.receiver();
                receivers.add(receiver);
                network.connect(0, from, HOSTS, BulkFlow.sender(), receiver);
                network.connect(0, HOSTS, from, BulkFlow.sender(), BulkFlow.receiver());
            }
            int[] lossPerFrames = {LOSS_PER_FRAMES_AT_FIRST};
            loseSome(network, lossPerFrames);
            long[] now = new long[1];
            Runnable step = () -> network.simulator().run(now[0] += STEP_NANOS);
            for (int i = 0; i < WARM_STEPS; i++) {
                step.run();
            }
            lossPerFrames[0] = LOSS_PER_FRAMES;
            long warmFrames = framesSent(network);
            for (int i = 0; i < WARM_STEPS; i++) {
                step.run();
            }
            long framesBefore = framesSent(network);
            long repeatedBefore = network.stack(1).counters().get(CounterId.BYTES_RETRANSMITTED);
            int steps = (int) (FRAMES * WARM_STEPS / (framesBefore - warmFrames)) + 10;
            assertEquals(0, Allocations.fewestOf(WINDOWS, steps / WINDOWS + 1, step));
            long frames = framesSent(network) - framesBefore;
            assertTrue(frames >= FRAMES, "frames: " + frames);
            assertTrue(network.stack(1).counters().get(CounterId.BYTES_RETRANSMITTED) > repeatedBefore);
            receivers.forEach(receiver -> assertTrue(receiver.receivedBytes() > 1_000_000));
        }
    }

    private static void loseSome(TestNetwork network, int[] lossPerFrames) {
        int[] count = new int[1];
        for (int host = 1; host <= HOSTS; host++) {
            network.host(host).link(0).setFilter((frame, now) -> ++count[0] % lossPerFrames[0] != 0);
        }
    }

    private static long framesSent(TestNetwork network) {
        long sum = 0;
        for (int host = 1; host <= HOSTS; host++) {
            sum += network.stack(host).counters().get(CounterId.FRAMES_SENT);
            sum += network.pipeline().port(host - 1).counters().get(CounterId.FRAMES_SENT);
        }
        return sum;
    }
}
