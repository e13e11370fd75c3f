package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import org.junit.jupiter.api.Test;

/** Tests {@link FaultyHost} on real stacks. */
class FaultyHostTest {
    private static final long MILLISECOND = 1_000_000;
    private static final int BYTES = 1_000_000;

    private final TestNetwork network = new TestNetwork(5, 1_000_000_000L, ExpressPass.weir(), 512).pair(10_000);
    private final StreamProbe client = new StreamProbe(1, BYTES, 2);
    private final StreamProbe server = new StreamProbe(2, 0, 1);

    private void start() {
        network.connect(0, 1, 2, client, server);
        network.simulator().run(2 * MILLISECOND);
        assertTrue(server.receivedBytes() > 0 && server.receivedBytes() < BYTES);
    }

    private void requireSoundFrames() {
        int held = network.driver(1).framesHeld() + network.driver(2).framesHeld();
        assertEquals(
                network.pool().frameCount() - network.pool().available(),
                held + network.simulator().framesInFlight());
    }

    @Test
    void pause_thatLong_nothingLeavesAndNothingIsSeenUntilItsEnd() {
        try (network) {
            start();
            network.driver(2).pause(5 * MILLISECOND, network.simulator().nowNanos());
            long before = server.receivedBytes();
            network.simulator().run(6 * MILLISECOND);
            assertEquals(before, server.receivedBytes());
            requireSoundFrames();
            network.simulator().run(50 * MILLISECOND);
            assertEquals(BYTES, server.receivedBytes());
            assertEquals(1, network.stack(2).counters().get(CounterId.PAUSES));
        }
    }

    @Test
    void pause_asAFaultSays_comesAgainAndAgain() {
        try (network) {
            Fault.HostPause fault = Fault.HostPause.of("h2", MILLISECOND / 2)
                    .withTime(MILLISECOND, 10 * MILLISECOND)
                    .withEveryNanos(2 * MILLISECOND);
            network.driver(2).pause(network.simulator(), network.host(2), fault);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(100 * MILLISECOND);
            assertEquals(BYTES, server.receivedBytes());
            assertEquals(5, network.stack(2).counters().get(CounterId.PAUSES));
        }
    }

    @Test
    void crash_midStream_returnsEveryFrameAndTellsNobody() {
        try (network) {
            start();
            network.driver(2).crash(network.simulator().nowNanos());
            assertEquals(CloseReason.HOST_CLOSED, server.closeReason());
            assertEquals(0, network.driver(2).framesHeld());
            requireSoundFrames();
            network.simulator().run(9_000 * MILLISECOND);
            assertEquals(null, client.closeReason());
            requireSoundFrames();
            network.simulator().run(15_000 * MILLISECOND);
            assertEquals(CloseReason.TIMED_OUT, client.closeReason());
            assertEquals(0, network.stack(1).connectionCount());
        }
    }

    @Test
    void restart_afterACrash_isANewHostAtTheSameAddress() {
        try (network) {
            start();
            HostStack old = network.stack(2);
            network.driver(2).crash(network.simulator().nowNanos());
            network.simulator().run(3 * MILLISECOND);
            network.driver(2).restart(network.simulator().nowNanos());
            assertNotSame(old, network.stack(2));
            assertTrue(network.driver(2).isUp());
            StreamProbe secondClient = new StreamProbe(3, BYTES, 4);
            StreamProbe secondServer = new StreamProbe(4, 1_000, 3);
            network.connect(4 * MILLISECOND, 1, 2, secondClient, secondServer);
            network.simulator().run(100 * MILLISECOND);
            assertEquals(BYTES, secondServer.receivedBytes());
            assertEquals(CloseReason.FINISHED, secondClient.closeReason());
            assertNotEquals(CloseReason.FINISHED, client.closeReason());
            requireSoundFrames();
        }
    }

    @Test
    void restart_ofARunningHost_doesNothing() {
        try (network) {
            HostStack running = network.stack(1);
            network.driver(1).restart(0);
            assertSame(running, network.stack(1));
        }
    }
}
