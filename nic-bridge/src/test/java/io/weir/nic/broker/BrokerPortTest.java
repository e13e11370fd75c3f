package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.share.Bell;
import io.weir.nic.share.RegionLayout;
import io.weir.nic.share.RegionPort;
import io.weir.nic.share.RegionWaiter;
import io.weir.nic.share.SharedRegion;
import io.weir.nic.testing.SinkNode;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.MemoryLink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link BrokerPort}: what it does with the rings that it is given. */
@EnabledOnOs(OS.LINUX)
class BrokerPortTest {
    private static final RegionLayout LAYOUT = new RegionLayout(16, 1514);
    private static final PortInfo INFO = MemoryLink.info("test", 0, 1500, 0);
    /** The port looks for the other side at this time. */
    private static final long PROBE_NANOS = Long.MAX_VALUE / 2;

    private final FramePool pool = new FramePool(32, 2048);
    private final SinkNode sink = new SinkNode();

    /** {@return both sides of a region} */
    private RegionPort[] pair() throws NicException {
        int memory = SharedRegion.create(LAYOUT);
        int[] bells = Bell.pair();
        RegionPort[] sides = new RegionPort[2];
        for (int side = 0; side < 2; side++) {
            sides[side] = new RegionPort(INFO, pool, SharedRegion.map(LAYOUT, memory), new Bell(bells[side]), side);
        }
        Libc.close(memory);
        return sides;
    }

    @Test
    void addPeer_ofAClientThatHasRingsAlready_givesTheOlderOnesBackAndKeepsTheNewer() throws NicException {
        RegionPort[] uplink = pair();
        RegionPort[] older = pair();
        RegionPort[] newer = pair();
        List<Integer> lost = new ArrayList<>();
        try (BrokerPort port = new BrokerPort(INFO, uplink[0], lost::add, () -> {})) {
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
        RegionPort[] uplink = pair();
        RegionPort[] peer = pair();
        try (RegionWaiter waiter = new RegionWaiter(-1);
                BrokerPort port = new BrokerPort(INFO, uplink[0], number -> {}, () -> {})) {
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
