package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what windows of a queue show, one of a millisecond after the other. */
class QueueSamplerTest {
    private static final long WINDOW = QueueSampler.WINDOW_NANOS;
    private static final int FRAME_BYTES = 1538;
    private static final int PAYLOAD = 1424;
    private static final int OUT = 1;

    private long nowNanos;
    private final FramePool pool = new FramePool(64, 2048, true);
    private final Path path =
            Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1).to(TestNetwork.mac(2), TestNetwork.address(2), 2);
    private final PeerFrames host = new PeerFrames(pool, path, 1, new UnsafeBuffer(new byte[12]), 2);
    private final SwitchPortConfig port =
            SwitchPortConfig.builder(1_000_000_000L).build();
    private final SwitchPipeline pipeline = new SwitchPipeline(List.of(port, port), pool, 1);
    private final QueueSampler sampler = new QueueSampler(pipeline.port(OUT));
    private final EventLoop loop = EventLoop.invokedBy(
            () -> nowNanos, "sampled", List.of(new NodeBinding(sampler, List.of())), pipeline::close);

    QueueSamplerTest() {
        pipeline.addRoute(TestNetwork.mac(2), OUT);
        sampler.watch(List.of(loop.monitor()));
        loop.start();
        loop.runOnce();
    }

    @AfterEach
    void requireWholePool() {
        loop.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    private void arrive(int frames) {
        for (int i = 0; i < frames; i++) {
            pipeline.onFrame(0, host.data(1, 0, PAYLOAD), nowNanos);
        }
    }

    /** The loop comes round every 50 us, which is no pause. */
    private void runUntil(long untilNanos) {
        while (nowNanos < untilNanos) {
            nowNanos += 50_000;
            loop.runOnce();
        }
    }

    @Test
    void take_queueForHalfOfAWindow_hasItsMaximumAndItsMean() {
        runUntil(WINDOW / 2);
        arrive(4);
        runUntil(WINDOW);
        long bytes = pipeline.port(OUT).dataQueueBytes();
        assertEquals(4 * FRAME_BYTES, bytes);
        QueueStats first = sampler.take();
        assertEquals(1, first.windows());
        assertEquals(bytes, first.bytesMax());
        assertEquals(bytes / 2, first.bytesMean());
        runUntil(2 * WINDOW);
        assertEquals(bytes, sampler.take().bytesMean());
    }

    @Test
    void take_loopWasAway_setsItsWindowAndTheNextApart() {
        arrive(4);
        nowNanos += WINDOW / 2;
        runUntil(2 * WINDOW);
        QueueStats stalled = sampler.take();
        assertEquals(2, stalled.windowsStalled());
        assertEquals(4 * FRAME_BYTES, stalled.bytesMaxStalled());
        assertNull(stalled.bytesMean());
        runUntil(3 * WINDOW);
        assertEquals(0, sampler.take().windowsStalled());
    }

    @Test
    void take_noWindow_hasNoFigures() {
        QueueStats none = sampler.take();
        assertNull(none.bytesMean());
        assertNull(none.bytesMax());
    }

    @Test
    void meanBytes_ofKeptWindows_areThoseOfTheirTimes() {
        long apartNanos = 7_000;
        QueueSampler keeping = new QueueSampler(pipeline.port(OUT), 5, () -> nowNanos + apartNanos);
        for (int window = 0; window < 3; window++) {
            keeping.onTimeout(nowNanos);
            arrive(2);
            nowNanos += WINDOW;
        }
        nowNanos += 2 * WINDOW;
        keeping.onTimeout(nowNanos);
        assertEquals(0, keeping.windowOf(apartNanos));
        assertEquals(2 * FRAME_BYTES, keeping.meanBytes(0));
        assertEquals(4 * FRAME_BYTES, keeping.meanBytes(keeping.windowOf(2 * WINDOW)));
        assertTrue(Double.isNaN(keeping.meanBytes(3)), "nobody sampled it by itself");
        assertTrue(Double.isNaN(keeping.meanBytes(1_000)));
    }
}
