package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpEcho;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests {@link Neighbours}. */
@LiveTest
class NeighboursLiveTest {
    private static final long TIMEOUT_NANOS = Deadline.HANG_GUARD.toNanos();
    private static final int DISCARD_PORT = 9;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static TwoHosts hosts;
    private static Neighbours neighbours;

    @BeforeAll
    static void setUp() throws Exception {
        hosts = TwoHosts.create();
        neighbours = neighbours(hosts.a(), TwoHosts.INTERFACE);
        hosts.lab().run(hosts.a(), "ip", "route", "add", "192.0.2.0/24", "via", TwoHosts.ADDRESS_B);
    }

    @AfterAll
    static void tearDown() {
        hosts.close();
    }

    private static Neighbours neighbours(NetNamespace namespace, String name) throws NicException {
        return new Neighbours(namespace, name, namespace.call(() -> Interfaces.indexOf(name)));
    }

    @Test
    void resolve_ipv4OnTheLink_findsTheInterfacesAddress() throws Exception {
        NextHop hop = neighbours.resolve(InetAddress.getByName(TwoHosts.ADDRESS_B), TIMEOUT_NANOS);
        assertEquals(TwoHosts.facts(hosts.b()).macAddress(), hop.macAddress());
        assertEquals(InetAddress.getByName(TwoHosts.ADDRESS_A), hop.source());
    }

    @Test
    void resolve_ipv6OnTheLink_findsTheInterfacesAddress() throws Exception {
        NextHop hop = neighbours.resolve(InetAddress.getByName("fd77::2"), TIMEOUT_NANOS);
        assertEquals(TwoHosts.facts(hosts.b()).macAddress(), hop.macAddress());
        assertEquals(InetAddress.getByName("fd77::1"), hop.source());
    }

    @Test
    void resolve_beyondAGateway_findsTheGateway() throws Exception {
        NextHop hop = neighbours.resolve(InetAddress.getByName("192.0.2.9"), TIMEOUT_NANOS);
        assertEquals(InetAddress.getByName(TwoHosts.ADDRESS_B), hop.address());
        assertEquals(TwoHosts.facts(hosts.b()).macAddress(), hop.macAddress());
    }

    /** Another host's programs see nothing of it: a datagram that we send ourselves is the first that comes. */
    @Test
    void resolve_unknownNeighbour_isAskedWithoutADatagram() throws Exception {
        hosts.lab().run(hosts.a(), "ip", "neighbour", "flush", "dev", TwoHosts.INTERFACE);
        try (DatagramSocket discard = UdpEcho.bind(hosts.b(), TwoHosts.ADDRESS_B, DISCARD_PORT);
                DatagramSocket sender = UdpEcho.bind(hosts.a(), TwoHosts.ADDRESS_A, DISCARD_PORT)) {
            InetAddress destination = InetAddress.getByName(TwoHosts.ADDRESS_B);
            neighbours.resolve(destination, TIMEOUT_NANOS);
            sender.send(new DatagramPacket(new byte[] {1}, 1, destination, DISCARD_PORT));

            DatagramPacket first = new DatagramPacket(new byte[64], 64);
            discard.receive(first);

            assertEquals(1, first.getLength());
        }
    }

    @Test
    void resolve_nobodyAnswers_saysWhoDoesNot() {
        assertRefused(
                "10.77.0.99", "10.77.0.99 is unreachable from weir0: 10.77.0.99 does not answer ARP within 50 ms");
        assertRefused("fd77::99", "does not answer neighbour discovery");
    }

    @Test
    void resolve_entryThatFailedButShowsAnAddress_isNotUsed() throws Exception {
        hosts.lab()
                .run(
                        hosts.a(),
                        "ip",
                        "neighbour",
                        "replace",
                        "10.77.0.98",
                        "lladdr",
                        "02:00:00:00:00:98",
                        "nud",
                        "failed",
                        "dev",
                        TwoHosts.INTERFACE);
        assertRefused("10.77.0.98", "10.77.0.98 does not answer ARP");
        // Of one that is there the kernel finds out again.
        hosts.lab()
                .run(
                        hosts.a(),
                        "ip",
                        "neighbour",
                        "replace",
                        TwoHosts.ADDRESS_B,
                        "lladdr",
                        "02:00:00:00:00:98",
                        "nud",
                        "failed",
                        "dev",
                        TwoHosts.INTERFACE);
        NextHop hop = neighbours.resolve(InetAddress.getByName(TwoHosts.ADDRESS_B), TIMEOUT_NANOS);
        assertEquals(TwoHosts.facts(hosts.b()).macAddress(), hop.macAddress());
    }

    @Test
    void resolve_noRoute_saysSo() {
        assertRefused("198.51.100.1", "no route to 198.51.100.1: ENETUNREACH");
        assertRefused("2001:db8::1", "no route to 2001:db8:0:0:0:0:0:1: ENETUNREACH");
    }

    @Test
    void resolve_ownAddress_saysThatItIsOwn() {
        assertRefused(TwoHosts.ADDRESS_A, "10.77.0.1 is an address of this host");
    }

    @Test
    void resolve_broadcast_isRefused() {
        assertRefused("10.77.0.255", "not the address of one host");
    }

    @Test
    void resolve_routeByAnotherInterface_namesIt() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace two = lab.namespace("two");
            NetNamespace peers = lab.namespace("peers");
            lab.link(LabLink.between(new LabEnd(two, "left", "10.78.1.1/24"), new LabEnd(peers, "l", "10.78.1.2/24")));
            lab.link(LabLink.between(new LabEnd(two, "right", "10.78.2.1/24"), new LabEnd(peers, "r", "10.78.2.2/24")));
            NicException e = assertThrows(NicException.class, () -> neighbours(two, "left")
                    .resolve(InetAddress.getByName("10.78.2.2"), SHORT_NANOS));
            assertTrue(
                    e.getMessage().startsWith("the route to 10.78.2.2 leaves by right, not by left"), e.getMessage());
        }
    }

    @Test
    void resolve_staticNeighbours_needsNobodyToAnswer() throws Exception {
        try (Lab lab = Lab.create()) {
            NetNamespace one = lab.namespace("one");
            NetNamespace other = lab.namespace("other");
            LabLink link = LabLink.between(
                            new LabEnd(one, "e0", "10.79.0.1/24"), new LabEnd(other, "e0", "10.79.0.2/24"))
                    .withStaticNeighbours();
            lab.link(link);
            lab.setUp(link.right(), false);
            long mac = other.call(() -> Interfaces.find("e0")).macAddress();
            assertEquals(
                    mac,
                    neighbours(one, "e0")
                            .resolve(InetAddress.getByName("10.79.0.2"), SHORT_NANOS)
                            .macAddress());
        }
    }

    private static void assertRefused(String destination, String message) {
        NicException e = assertThrows(
                NicException.class, () -> neighbours.resolve(InetAddress.getByName(destination), SHORT_NANOS));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
