package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.SinkNode;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests transports with two loops, each with a queue of a DPDK device, over virtual devices with two queues. */
@DpdkTest
@SuppressWarnings("try") // peers that are only there
class DpdkLoopsLiveTest {
    private static final int PORT = 4720;
    private static final int ROUNDS_MAX = 10;
    private static final int LOOPS = 2;
    private static final int FRAMES = 8_192;
    private static final long SELF = ProcessHandle.current().pid();
    private static final AtomicInteger SOCKET_NUMBER = new AtomicInteger();
    private static final String EAL = ";eal=" + DpdkTest.EAL;

    private final List<Transport> transports = new ArrayList<>();
    private final Exchanges exchanges = new Exchanges();

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
        exchanges.close();
    }

    private Transport open(NetNamespace namespace, String device, int loopCount) throws IOException {
        List<Backend.Opened> queues = DpdkBackend.openQueues(namespace, device + EAL, loopCount, FRAMES);
        Transport transport = Transport.open(queues, TransportConfig.DEFAULT);
        transports.add(transport);
        return transport;
    }

    private static String memifServer(String socket) {
        return "device=net_memif0,role=server,id=0,socket=" + socket + ";address=10.97.0.2/24,fd97::2/64";
    }

    private static String memifClient(String socket) {
        return "device=net_memif1,role=client,id=0,socket=" + socket + ";address=10.97.0.1/24,fd97::1/64";
    }

    /** {@return a name that was not used yet: DPDK 22.11 keeps a server's until the process ends} */
    private static String newSocket() {
        return "weir-loops-" + SELF + "-" + SOCKET_NUMBER.incrementAndGet();
    }

    private static InetSocketAddress at(String host) {
        return new InetSocketAddress(host, PORT);
    }

    @Test
    void memif_bothWays_bothLoopsCarryThemAndNothingIsHandedOver() throws Exception {
        String socket = newSocket();
        Transport server = open(NetNamespace.own(), memifServer(socket), LOOPS);
        Transport client = open(NetNamespace.own(), memifClient(socket), LOOPS);
        assertEquals(DpdkDevice.MEMORY_RATE_BPS, client.portInfo().linkRateBps());
        exchanges.many(client, server, at("10.97.0.2"), 6);
        exchanges.many(server, client, at("10.97.0.1"), 6);
        exchanges.many(client, server, at("fd97::2"), 6);
        for (Transport transport : List.of(client, server)) {
            Exchanges.assertLoopsCarried(transport);
            // What is sent by a queue comes by the queue of the same number, as on a veth pair.
            assertEquals(0, transport.counters().get(CounterId.FRAMES_HANDED_OVER));
        }
    }

    @Test
    void afPacket_kernelSpreadsByItsHash_framesAreHandedOver() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(TwoHosts::withoutIpv6)) {
            for (NetNamespace namespace : List.of(hosts.a(), hosts.b())) {
                // The addresses are DPDK's from now on: the kernel would answer for them.
                hosts.lab().run(namespace, "ip", "address", "flush", "dev", TwoHosts.INTERFACE);
            }
            Transport client = open(hosts.a(), afPacket(0, TwoHosts.ADDRESS_A), LOOPS);
            Transport server = open(hosts.b(), afPacket(1, TwoHosts.ADDRESS_B), LOOPS);
            assertEquals(InterfaceFacts.VETH_RATE_BPS, client.portInfo().linkRateBps());
            exchanges.many(client, server, at(TwoHosts.ADDRESS_B), 6);
            exchanges.many(server, client, at(TwoHosts.ADDRESS_A), 6);
            Exchanges.assertLoopsCarried(client);
            Exchanges.assertLoopsCarried(server);
            // By chance the kernel may choose our loop for every connection.
            for (int round = 1; round < ROUNDS_MAX && handedOver() == 0; round++) {
                exchanges.many(client, server, at(TwoHosts.ADDRESS_B), 6);
            }
            assertTrue(handedOver() > 0, "the kernel's hash is not ours");
        }
    }

    private long handedOver() {
        return transports.stream()
                .mapToLong(transport -> transport.counters().get(CounterId.FRAMES_HANDED_OVER))
                .sum();
    }

    private static String afPacket(int number, String address) {
        return "device=net_af_packet" + number + ",iface=" + TwoHosts.INTERFACE + ",qpairs=" + LOOPS + ";address="
                + address + "/24";
    }

    @Test
    void memif_peerHasOneLoop_framesAreHandedOver() throws Exception {
        String socket = newSocket();
        Transport server = open(NetNamespace.own(), memifServer(socket), LOOPS);
        // This driver wants as many queues at both ends; the one loop polls both, and sends by the first.
        Transport client = open(NetNamespace.own(), memifClient(socket) + ";queues=2", 1);
        exchanges.many(client, server, at("10.97.0.2"), 6);
        exchanges.many(server, client, at("10.97.0.1"), 6);
        Exchanges.assertLoopsCarried(server);
        assertTrue(server.counters().get(CounterId.FRAMES_HANDED_OVER) > 0);
    }

    @Test
    void resolve_nobodyAnswers_saysWho() throws Exception {
        // Nothing is at the other end but ourselves: the questions come back, and nobody answers for another address.
        Transport transport = open(NetNamespace.own(), "device=net_ring0;address=10.95.0.1/24", LOOPS);
        IOException refusal =
                assertThrows(IOException.class, () -> transport.connect(at("10.95.0.2"), Deadline.HANG_GUARD));
        assertTrue(refusal.getMessage().contains("10.95.0.2 does not answer ARP"), refusal.getMessage());
    }

    @Test
    void memif_otherEndKilled_bothLoopsReachTheNextOne() throws Exception {
        TransportConfig config = TransportConfig.builder()
                .backend(DpdkBackend.NAME)
                .queueCount(LOOPS)
                .build();
        String socket = newSocket();
        Transport client = Transport.open(memifClient(socket) + EAL, config);
        transports.add(client);
        for (int i = 0; i < 2; i++) {
            try (ChildJvm echo =
                    ChildJvm.start(List.of(), DpdkEcho.class, memifServer(socket) + EAL, String.valueOf(LOOPS))) {
                assertEquals(DpdkEcho.READY, echo.awaitLine(DpdkEcho.READY));
                Deadline.await("the link", () -> client.loop().portFailure() == null);
                // Loops take turns with connections.
                for (int j = 0; j < 2 * LOOPS; j++) {
                    exchanges.echo(client, at("10.97.0.2"), Exchanges.bytes(j, 200_000));
                }
                echo.kill();
            }
            Deadline.await("the ports to tell of their link", () -> client.loops().stream()
                    .allMatch(loop -> loop.portFailure() != null));
        }
        Exchanges.assertLoopsCarried(client);
    }

    @Test
    void follow_aLoopHasEnded_laterNewsAreTold() throws Exception {
        List<Backend.Opened> queues =
                DpdkBackend.openQueues(NetNamespace.own(), memifServer(newSocket()) + EAL, LOOPS, FRAMES);
        NetInterface first = queues.get(0).netInterface();
        BlockingQueue<Thread> told = new LinkedBlockingQueue<>();
        first.follow(new RefusingListener(told));
        // The first poll finds the link down.
        first.port().pollReceive(new SinkNode(), 0, 1, 1);
        queues.get(1).netInterface().findMacs(List.of());
        long seconds = Deadline.HANG_GUARD.toSeconds();
        Thread once = told.poll(seconds, TimeUnit.SECONDS);
        assertSame(once, told.poll(seconds, TimeUnit.SECONDS), "the thread that tells has died of the refusal");
        queues.forEach(queue -> queue.netInterface().port().close());
    }

    /** Loops that have ended refuse tasks. */
    private record RefusingListener(BlockingQueue<Thread> told) implements InterfaceListener {
        @Override
        public void onAddresses(List<InetAddress> addresses) {
            throw new AssertionError("a DPDK device's addresses do not change");
        }

        @Override
        public void onMtu(int mtuBytes) {
            throw new AssertionError("a DPDK device's MTU does not change");
        }

        @Override
        public void onWaysChanged() {
            throw new AssertionError("no neighbour has moved");
        }

        @Override
        public void onGone(PortEnd end) {
            throw new AssertionError("a DPDK device is not deleted");
        }

        @Override
        public void onPortChanged() {
            told.add(Thread.currentThread());
            throw new RejectedExecutionException("the loop is closed");
        }

        @Override
        public void onMacs(long localMac, Map<InetAddress, Long> remoteMacs) {
            told.add(Thread.currentThread());
        }
    }

    @Test
    void open_fewerQueuesThanLoops_saysTheNumberAndTheRemedy() {
        TransportConfig config = TransportConfig.builder()
                .backend(DpdkBackend.NAME)
                .queueCount(LOOPS)
                .build();
        NicException refusal = assertThrows(
                NicException.class,
                () -> Transport.open("device=net_af_packet0,iface=lo;address=10.95.0.1/24" + EAL, config));
        assertEquals(
                "queueCount=2 exceeds 1, the queues that net_af_packet has for net_af_packet0; ask for at most that many,"
                        + " or add qpairs=2 to its arguments",
                refusal.getMessage());
    }

    @Test
    void open_driverRefusesTheQueues_saysWhatItSaid() throws Exception {
        // This driver counts combined queues, of which a veth has none.
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(LOOPS))) {
            String device = "device=net_af_xdp0,iface=" + TwoHosts.INTERFACE + ",queue_count=2;address=10.95.0.1/24";
            NicException refusal = assertThrows(NicException.class, () -> open(hosts.a(), device, LOOPS));
            assertTrue(
                    refusal.getMessage().contains("Specified queue count 2 is larger than combined queue count 1"),
                    refusal.getMessage());
        }
    }

    @Test
    void close_givesTheDeviceAndBothPoolsBack() throws Exception {
        for (int i = 0; i < 3; i++) {
            String socket = newSocket();
            List<Backend.Opened> queues =
                    DpdkBackend.openQueues(NetNamespace.own(), memifServer(socket) + EAL, LOOPS, FRAMES);
            Transport server = Transport.open(queues, TransportConfig.DEFAULT);
            Transport client = open(NetNamespace.own(), memifClient(socket), LOOPS);
            exchanges.many(client, server, at("10.97.0.2"), 2);
            client.close();
            server.close();
            for (Backend.Opened queue : queues) {
                assertEquals(FRAMES, queue.pool().available());
            }
        }
    }

    /** The driver stops a device whose other end goes. When we did so too at that moment, the process crashed. */
    @Test
    void close_bothEndsAtOnce_eachDeviceIsStoppedOnce() throws Exception {
        for (int i = 0; i < 15; i++) {
            String socket = newSocket();
            Transport server = open(NetNamespace.own(), memifServer(socket), LOOPS);
            Transport client = open(NetNamespace.own(), memifClient(socket), LOOPS);
            exchanges.many(client, server, at("10.97.0.2"), 1);
            CompletableFuture<Void> closing = exchanges.run(client::close);
            server.close();
            closing.get();
        }
    }
}
