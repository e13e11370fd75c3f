package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.PortPolicy;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.peers.PhantomQueue;
import io.weir.transport.protocol.peers.RcpPort;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.PassingFrame;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link PortPolicies} in a port of one byte a nanosecond. */
class PortPoliciesTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final int PAYLOAD = 1424;
    private static final int WIRE_BYTES = 1538;

    private final FramePool pool = new FramePool(64, 2048, true);
    private final Path path =
            Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1).to(TestNetwork.mac(2), TestNetwork.address(2), 2);
    private final PeerFrames host = new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2);
    private final List<String> seen = new ArrayList<>();

    /** Notes what it sees. */
    private final class Witness implements PortPolicy {
        private final String name;

        Witness(String name) {
            this.name = name;
        }

        @Override
        public void onArrival(PassingFrame frame, long queueBytes, long nowNanos) {
            seen.add(name + " arrival " + frame.type() + " " + queueBytes + " " + nowNanos);
        }

        @Override
        public void onDeparture(PassingFrame frame, long queueBytes, long nowNanos) {
            seen.add(name + " departure " + frame.type() + " " + queueBytes + " " + nowNanos);
        }
    }

    private static SwitchPort port(PortPolicyConfig... policies) {
        SwitchPortConfig config = SwitchPortConfig.builder(RATE_BPS)
                .dataQueueBytesMax(2 * WIRE_BYTES)
                .policies(List.of(policies))
                .build();
        return new SwitchPort(config, 2, new SeededRandom(1));
    }

    @Test
    void enqueue_data_everyPolicySeesItInOrderWithTheQueueBeforeIt() {
        SwitchPort port = port(own -> new Witness("a"), own -> new Witness("b"));
        port.enqueue(host.data(1, 0, PAYLOAD), port, 7);
        port.enqueue(host.data(2, PAYLOAD, PAYLOAD), port, 8);
        assertEquals(
                List.of("a arrival DATA 0 7", "b arrival DATA 0 7", "a arrival DATA 1538 8", "b arrival DATA 1538 8"),
                seen);
        port.releaseAll();
    }

    @Test
    void pollTransmit_data_isSeenWithTheQueueBehindIt() {
        SwitchPort port = port(own -> new Witness("a"));
        port.enqueue(host.data(1, 0, PAYLOAD), port, 7);
        port.enqueue(host.data(2, PAYLOAD, PAYLOAD), port, 8);
        seen.clear();
        port.pollTransmit(9).release();
        assertEquals(List.of("a departure DATA 1538 9"), seen);
        port.releaseAll();
    }

    @Test
    void enqueue_queueFull_policySeesWhatIsDropped() {
        SwitchPort port = port(own -> new Witness("a"));
        for (int i = 0; i < 3; i++) {
            port.enqueue(host.data(i + 1, 0, PAYLOAD), port, i);
        }
        assertEquals(3, seen.size());
        assertEquals(1, port.counters().get(CounterId.DROP_DATA_QUEUE));
        port.releaseAll();
    }

    @Test
    void enqueue_meteredCredit_isNotSeen() {
        SwitchPort port = port(own -> new Witness("a"));
        port.enqueue(host.credit(1), port, 0);
        port.pollTransmit(0).release();
        assertEquals(List.of(), seen);
    }

    @Test
    void newPolicy_port_isToldWhatItIs() {
        SwitchPort port = port(own -> {
            seen.add(own.linkRateBps() + " " + own.mtuBytes());
            own.counters().increment(CounterId.FRAMES_MARKED);
            return new Witness("a");
        });
        assertEquals(List.of(RATE_BPS + " 1500"), seen);
        assertEquals(1, port.counters().get(CounterId.FRAMES_MARKED));
    }

    @Test
    void policies_anyNumberOfFrames_allocateNothing() {
        PortPolicies policies = new PortPolicies(
                List.of(RcpPort.PART.usual(), PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, 1_000)),
                new PortPolicyConfig.Port(RATE_BPS, 1500, new Counters(), new SeededRandom(1)));
        Frame frame = host.data(1, 0, PAYLOAD);
        long[] now = new long[1];
        long bytes = Allocations.fewestOf(5, 100_000, () -> {
            now[0] += 1_000;
            policies.onArrival(frame, 3_000, now[0]);
            policies.onDeparture(frame, 3_000, now[0]);
        });
        assertEquals(0, bytes);
        frame.release();
    }
}
