package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.testing.PassiveHandler;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Plays hosts that are so busy that each cycle of their loop is as long as a pause. Time-outs leave out pauses, but
 * what a host does itself must not put them off forever.
 */
class SlowCyclesTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long LONG_CYCLE_NANOS = 300_000;
    private static final int CYCLES_MAX = 1_000_000;

    private static final int PORT = 7;

    private final FramePool pool = new FramePool(1_024, 2_048, true);
    private final SeededRandom random = new SeededRandom(1);
    private final HostStack host = newHost(1);
    private final List<CloseReason> reasons = new ArrayList<>();
    private Connection connected;

    private HostStack newHost(int number) {
        HostConfig config = HostConfig.builder(number, List.of(IpAddress.v4(number)), RATE_BPS)
                .build();
        return new HostStack(config, pool, List.of(ExpressPass.weir().newFactory(random.split())), random::nextLong);
    }

    private void connect(int localPort) {
        Path path = Path.from(1, IpAddress.v4(1), localPort).to(2, IpAddress.v4(2), PORT);
        host.connect(path, new PassiveHandler() {
            @Override
            public void onConnected(Connection connection) {
                connected = connection;
            }

            @Override
            public void onClosed(Connection connection, CloseReason reason) {
                reasons.add(reason);
            }
        });
    }

    @Test
    void timeouts_everyCycleIsLongAndThePeerIsGone_comeAllTheSame() {
        HostStack peer = newHost(2);
        peer.listen(PORT, connection -> new PassiveHandler());
        MemoryLink link = new MemoryLink(
                MemoryLink.info("host", 1, 1_500, RATE_BPS), pool, MemoryLink.info("peer", 2, 1_500, RATE_BPS), pool);
        long[] nowNanos = {0};
        long[] cycleNanos = {1_000};
        EventLoop loop = EventLoop.invokedBy(
                () -> nowNanos[0] += cycleNanos[0],
                "slow",
                List.of(new NodeBinding(host, List.of(link.left()))),
                () -> {});
        EventLoop peerLoop = EventLoop.invokedBy(
                () -> nowNanos[0], "peer", List.of(new NodeBinding(peer, List.of(link.right()))), () -> {});
        loop.start();
        peerLoop.start();
        connect(1_000);
        while (connected == null) {
            loop.runOnce();
            peerLoop.runOnce();
        }
        cycleNanos[0] = LONG_CYCLE_NANOS;
        connected.write(new UnsafeBuffer(new byte[100]), 0, 100);
        for (int cycle = 0; reasons.isEmpty(); cycle++) {
            assertTrue(cycle < CYCLES_MAX, "it waits still, after " + nowNanos[0] + " ns");
            loop.runOnce();
        }
        assertEquals(List.of(CloseReason.TIMED_OUT), reasons);
        loop.close();
        peerLoop.close();
    }

    @Test
    void onTimeout_manyAreDue_leavesTheRestForTheNextCycle() {
        for (int i = 0; i < 3 * HostDeadlines.TIMEOUTS_MAX / 2; i++) {
            connect(1_000 + i);
        }
        long nowNanos = 0;
        for (; host.egress(0).nextTransmitNanos(nowNanos) < Long.MAX_VALUE; nowNanos += 1_000) {
            Frame frame = host.egress(0).pollTransmit(nowNanos);
            if (frame != null) {
                frame.release();
            }
        }
        nowNanos += 100_000_000;
        host.onTimeout(nowNanos);
        assertTrue(host.nextTimeoutNanos() <= nowNanos, "a third is left");
        host.onTimeout(nowNanos);
        assertTrue(host.nextTimeoutNanos() > nowNanos);
        host.close();
    }
}
