package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.PassingFrame;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link HeldFrames} in a switch of two ports, the second of which holds acknowledgements for 1000 ns. */
class HeldFramesTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final long HOLD_NANOS = 1_000;

    private final FramePool pool = new FramePool(64, 2048, true);
    private final SwitchPipeline pipeline = pipeline();

    /** Holds every acknowledgement for the same time. */
    private static final class Holder implements PortPolicy {
        @Override
        public void onArrival(PassingFrame frame, long queueBytes, long nowNanos) {}

        @Override
        public void onDeparture(PassingFrame frame, long queueBytes, long nowNanos) {}

        @Override
        public boolean watchesReturns() {
            return true;
        }

        @Override
        public boolean holds(PassingFrame frame, int heldFrames, long nowNanos) {
            return frame.type() == FrameType.ACK;
        }

        @Override
        public long nextReleaseNanos(long sinceNanos) {
            return sinceNanos + HOLD_NANOS;
        }

        @Override
        public void onRelease(PassingFrame frame, long nowNanos) {
            frame.setWindow((int) nowNanos);
        }
    }

    private SwitchPipeline pipeline() {
        List<PortPolicyConfig> holding = List.of(own -> new Holder());
        SwitchPipeline made = new SwitchPipeline(
                List.of(
                        SwitchPortConfig.builder(RATE_BPS).build(),
                        SwitchPortConfig.builder(RATE_BPS).policies(holding).build()),
                pool,
                1);
        made.addRoute(TestNetwork.mac(1), 0);
        made.addRoute(TestNetwork.mac(2), 1);
        return made;
    }

    private PeerFrames from(int from, int to) {
        Path path = Path.from(TestNetwork.mac(from), TestNetwork.address(from), 1)
                .to(TestNetwork.mac(to), TestNetwork.address(to), 2);
        return new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2);
    }

    @AfterEach
    void everyFrame_isAccountedFor() {
        assertEquals(pool.frameCount(), pool.available() + pipeline.framesHeld());
        pipeline.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_heldByThePortItCameBy_isForwardedWhenItsTimeHasCome() {
        pipeline.onFrame(1, from(2, 1).ack(0, 9, 1), 100);
        pipeline.onFrame(1, from(2, 1).ack(0, 9, 2), 150);
        assertEquals(2, pipeline.port(1).heldFrames());
        assertEquals(2, pipeline.framesHeld());
        assertEquals(1_100, pipeline.nextTimeoutNanos());
        pipeline.onTimeout(1_099);
        assertNull(pipeline.egress(0).pollTransmit(1_099));
        pipeline.onTimeout(1_100);
        Frame first = pipeline.egress(0).pollTransmit(1_100);
        assertEquals(1_100, new PassingFrame().lookAt(first).window());
        first.release();
        assertEquals(1, pipeline.port(1).heldFrames());
        assertEquals(1_150, pipeline.nextTimeoutNanos());
    }

    @Test
    void onFrame_otherTypeOrOtherWay_passes() {
        pipeline.onFrame(1, from(2, 1).data(1, 0, 100), 100);
        pipeline.onFrame(0, from(1, 2).ack(0, 9, 1), 100);
        assertEquals(0, pipeline.port(1).heldFrames());
        assertEquals(Deadline.NO_DEADLINE, pipeline.nextTimeoutNanos());
        pipeline.egress(0).pollTransmit(100).release();
        pipeline.egress(1).pollTransmit(100).release();
    }

    @Test
    void close_framesHeld_areReleased() {
        pipeline.onFrame(1, from(2, 1).ack(0, 9, 1), 100);
        assertEquals(pool.frameCount() - 1, pool.available());
    }

    @Test
    void newPort_twoPoliciesThatHold_isRefused() {
        List<PortPolicyConfig> two = List.of(own -> new Holder(), own -> new Holder());
        List<SwitchPortConfig> ports =
                List.of(SwitchPortConfig.builder(RATE_BPS).policies(two).build());
        assertThrows(ConfigException.class, () -> new SwitchPipeline(ports, pool, 1));
    }
}
