package io.weir.nic.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.NicException;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.NeighbourState;
import io.weir.nic.net.NextHop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link KnownWays}. */
class KnownWaysTest {
    private static final int REACHABLE = 0x02;
    private static final long WAIT_NANOS = 77;
    private static final InetAddress SOURCE = address(1);
    private static final InetAddress ROUTER = address(254);

    private final List<InetAddress> lookups = new ArrayList<>();
    private long nowNanos = 5;
    private long macAddress = 7;
    /** What happens while the kernel is asked. */
    private Runnable meanwhile = () -> {};

    private final KnownWays ways = new KnownWays(this::lookUp, () -> nowNanos);

    private NextHop lookUp(InetAddress remote, long waitNanosMax) throws NicException {
        assertEquals(WAIT_NANOS, waitNanosMax);
        lookups.add(remote);
        if (macAddress == 0) {
            throw new NicException("unreachable");
        }
        long found = macAddress;
        meanwhile.run();
        boolean isFar = remote.getAddress()[2] != 0;
        return new NextHop(SOURCE, isFar ? ROUTER : remote, found);
    }

    private static InetAddress address(int number) {
        return address(0, number);
    }

    private static InetAddress address(int network, int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) network, (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static KernelEvent neighbour(InetAddress address) {
        return new KernelEvent.Neighbour(false, 2, address, 9, new NeighbourState(REACHABLE));
    }

    @BeforeEach
    void follow() {
        ways.follow(true);
    }

    @Test
    void find_again_asksTheKernelOnce() throws NicException {
        assertEquals(7, ways.find(address(2), WAIT_NANOS).macAddress());
        assertEquals(7, ways.find(address(2), WAIT_NANOS).macAddress());
        ways.find(address(3), WAIT_NANOS);
        assertEquals(List.of(address(2), address(3)), lookups);
    }

    @Test
    void known_neverAsksTheKernel() throws NicException {
        assertNull(ways.known(address(2)));
        ways.find(address(2), WAIT_NANOS);
        assertEquals(7, ways.known(address(2)).macAddress());
        nowNanos += KnownWays.AGE_NANOS_MAX;
        assertNull(ways.known(address(2)));
        assertEquals(1, lookups.size());
    }

    @Test
    void find_afterASecond_asksAgain() throws NicException {
        ways.find(address(2), WAIT_NANOS);
        nowNanos += KnownWays.AGE_NANOS_MAX - 1;
        ways.find(address(2), WAIT_NANOS);
        assertEquals(1, lookups.size());
        nowNanos++;
        ways.find(address(2), WAIT_NANOS);
        assertEquals(2, lookups.size());
    }

    @Test
    void find_thatFails_isNotKept() throws NicException {
        macAddress = 0;
        assertThrows(NicException.class, () -> ways.find(address(2), WAIT_NANOS));
        macAddress = 8;
        assertEquals(8, ways.find(address(2), WAIT_NANOS).macAddress());
    }

    @Test
    void find_nobodyFollows_asksEachTime() throws NicException {
        ways.find(address(2), WAIT_NANOS);
        ways.follow(false);
        ways.find(address(2), WAIT_NANOS);
        ways.find(address(2), WAIT_NANOS);
        assertEquals(3, lookups.size());
    }

    @Test
    void find_moreThanItHolds_forgetsOthersAndStaysRight() throws NicException {
        for (int i = 0; i <= KnownWays.WAYS_MAX; i++) {
            InetAddress remote = address(i / 250, i % 250);
            macAddress = i + 1L;
            assertEquals(i + 1, ways.find(remote, WAIT_NANOS).macAddress());
            assertEquals(i + 1, ways.find(remote, WAIT_NANOS).macAddress());
        }
        assertEquals(KnownWays.WAYS_MAX + 1, lookups.size());
        ways.find(address(0), WAIT_NANOS);
        assertEquals(KnownWays.WAYS_MAX + 2, lookups.size());
    }

    @Test
    void onEvent_nextHopOfSome_forgetsTheirWaysAlone() throws NicException {
        ways.find(address(2), WAIT_NANOS);
        ways.find(address(1, 2), WAIT_NANOS);
        ways.find(address(1, 3), WAIT_NANOS);
        ways.onEvent(neighbour(ROUTER));
        macAddress = 8;
        assertEquals(7, ways.find(address(2), WAIT_NANOS).macAddress());
        assertEquals(8, ways.find(address(1, 2), WAIT_NANOS).macAddress());
        assertEquals(8, ways.find(address(1, 3), WAIT_NANOS).macAddress());
        assertEquals(5, lookups.size());
    }

    @Test
    void onEvent_routeOrAddress_forgetsAll() throws NicException {
        ways.find(address(2), WAIT_NANOS);
        ways.onEvent(new KernelEvent.Route(false));
        ways.find(address(2), WAIT_NANOS);
        ways.onEvent(new KernelEvent.Address(false, 3, SOURCE, 24, true));
        ways.find(address(2), WAIT_NANOS);
        assertEquals(3, lookups.size());
    }

    @Test
    void onEvent_whileTheKernelIsAsked_keepsNothing() throws NicException {
        meanwhile = () -> ways.onEvent(neighbour(address(2)));
        ways.find(address(2), WAIT_NANOS);
        meanwhile = () -> {};
        macAddress = 8;
        assertEquals(8, ways.find(address(2), WAIT_NANOS).macAddress());
    }
}
