package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.NicException;
import io.weir.nic.testing.SinkNode;
import io.weir.transport.frame.FramePool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link BrokerPort}: what it does with the rings that it is given. */
@EnabledOnOs(OS.LINUX)
class BrokerPortTest {
    /** The port looks for the other side at this time. */
    private static final long PROBE_NANOS = Long.MAX_VALUE / 2;

    private final FramePool pool = new FramePool(32, 2048);
    private final SinkNode sink = new SinkNode();

    @Test
    void addPeer_ofAClientThatHasRingsAlready_givesTheOlderOnesBackAndKeepsTheNewer() throws NicException {
        RegionPort[] uplink = RegionPairs.open(pool);
        RegionPort[] older = RegionPairs.open(pool);
        RegionPort[] newer = RegionPairs.open(pool);
        List<Integer> lost = new ArrayList<>();
        try (BrokerPort port = new BrokerPort(RegionPairs.INFO, uplink[0], lost::add, () -> {})) {
            port.addPeer(7, older[0]);
            port.addPeer(7, newer[0]);
            port.pollReceive(sink, 0, 1, 0);
            older[1].pollReceive(sink, 0, 1, PROBE_NANOS);
            assertEquals("the process on the other side of test has ended", older[1].failure());
            newer[1].pollReceive(sink, 0, 1, PROBE_NANOS);
            assertNull(newer[1].failure());
            assertEquals(List.of(), lost, "the broker would forget the newer ones");
        } finally {
            older[1].close();
            newer[1].close();
            uplink[1].close();
        }
    }

    @Test
    void addPeer_itsBellCannotBeWaitedFor_isClosedSoThatTheOtherSideLearnsOfIt() throws NicException {
        RegionPort[] uplink = RegionPairs.open(pool);
        RegionPort[] peer = RegionPairs.open(pool);
        try (RegionWaiter waiter = new RegionWaiter(-1);
                BrokerPort port = new BrokerPort(RegionPairs.INFO, uplink[0], number -> {}, () -> {})) {
            waiter.add(peer[0]);
            port.setWaiter(waiter);
            peer[1].pollReceive(sink, 0, 1, 0);
            assertNull(peer[1].failure());
            // The kernel refuses to watch a descriptor twice.
            assertThrows(NicException.class, () -> port.addPeer(7, peer[0]));
            peer[1].pollReceive(sink, 0, 1, PROBE_NANOS);
            assertEquals("the process on the other side of test has ended", peer[1].failure());
        } finally {
            peer[1].close();
            uplink[1].close();
        }
    }
}
