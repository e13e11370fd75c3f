package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.UdpEcho;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests transports with a loop for each queue, over AF_XDP: a veth pair with two queues on each side. */
@LiveTest
@SuppressWarnings("try") // peers that are only there
class SeveralLoopsLiveTest {
    private static final int PORT = 4720;
    private static final int QUEUES = 2;
    private static final Duration PATIENCE = Deadline.HANG_GUARD;
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
    private static final InetSocketAddress CLIENT = new InetSocketAddress(TwoHosts.ADDRESS_A, PORT);

    private final List<Transport> transports = new ArrayList<>();
    private final Exchanges exchanges = new Exchanges();

    private TwoHosts hosts;

    @BeforeEach
    void create() throws NicException {
        hosts = TwoHosts.create(link -> link.withQueues(QUEUES));
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
        exchanges.close();
        hosts.close();
    }

    private static AfXdpConfig.Builder config(NetNamespace namespace) {
        return AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name());
    }

    private Transport open(NetNamespace namespace, int queueCount) throws IOException {
        List<Backend.Opened> queues = queueCount == 1
                ? List.of(AfXdpBackend.open(config(namespace).build(), 8_192))
                : AfXdpBackend.openQueues(config(namespace).build(), queueCount, 4_096);
        Transport transport = Transport.open(queues, TransportConfig.DEFAULT);
        transports.add(transport);
        return transport;
    }

    @Test
    void transfer_manyBothWays_bothLoopsCarryThemAndNothingIsHandedOver() throws Exception {
        Transport client = open(hosts.a(), QUEUES);
        Transport server = open(hosts.b(), QUEUES);
        exchanges.many(client, server, SERVER, 6);
        exchanges.many(server, client, CLIENT, 6);
        exchanges.many(client, server, new InetSocketAddress("fd77::2", PORT + 1), 4);
        for (Transport transport : List.of(client, server)) {
            Exchanges.assertLoopsCarried(transport);
            assertEquals(0, transport.counters().get(CounterId.FRAMES_HANDED_OVER));
            assertEquals(0, transport.counters().get(CounterId.DROP_TAG));
        }
    }

    @Test
    void transfer_peerHasOneLoop_framesAreHandedOver() throws Exception {
        Transport client = open(hosts.a(), 1);
        Transport server = open(hosts.b(), QUEUES);
        exchanges.many(client, server, SERVER, 6);
        exchanges.many(server, client, CLIENT, 6);
        Exchanges.assertLoopsCarried(server);
        assertTrue(server.counters().get(CounterId.FRAMES_HANDED_OVER) > 0);
    }

    @Test
    void kernel_traffic_isUnharmedOnEveryQueue() throws Exception {
        Transport client = open(hosts.a(), QUEUES);
        Transport server = open(hosts.b(), QUEUES);
        try (UdpEcho echo = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, PORT + 1)) {
            CompletableFuture<Void> ours = exchanges.run(() -> exchanges.many(client, server, SERVER, 4));
            // Many local ports: the kernel spreads them over the queues by a hash.
            for (int port = 20_000; port < 20_016; port++) {
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, port, TwoHosts.ADDRESS_B, PORT + 1);
            }
            for (int i = 0; i < 4; i++) {
                transferByTcp(i);
            }
            ours.get();
        }
    }

    @Test
    void kernel_traffic_ofQueuesThatAreNotTaken_isUnharmed() throws Exception {
        List<Backend.Opened> first =
                List.of(AfXdpBackend.open(config(hosts.b()).queues(0).build(), 4_096));
        Transport server = Transport.open(first, TransportConfig.DEFAULT);
        transports.add(server);
        Transport client = open(hosts.a(), 1);
        try (UdpEcho echo = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, PORT + 1)) {
            exchanges.many(client, server, SERVER, 2);
            for (int port = 20_000; port < 20_016; port++) {
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, port, TwoHosts.ADDRESS_B, PORT + 1);
            }
            transferByTcp(0);
        }
    }

    @Test
    void interface_deleted_everyStreamGetsItsError() throws Exception {
        Transport client = open(hosts.a(), QUEUES);
        Transport server = open(hosts.b(), QUEUES);
        List<WeirSocket> sockets = new ArrayList<>();
        List<WeirSocket> accepted = new ArrayList<>();
        try (WeirServerSocket listener = server.listen(PORT)) {
            for (int i = 0; i < 6; i++) {
                sockets.add(client.connect(SERVER, PATIENCE));
                accepted.add(listener.accept());
            }
            CompletableFuture<Void> waiting = exchanges.run(() -> assertEnds(sockets.get(0)));
            hosts.lab().unlink(hosts.link());
            waiting.get();
            for (WeirSocket socket : sockets) {
                assertEnds(socket);
            }
            for (WeirSocket socket : accepted) {
                assertEnds(socket);
            }
            assertThrows(IOException.class, listener::accept);
            for (EventLoop loop : server.loops()) {
                Deadline.await(
                        "the port's failure",
                        () -> loop.portFailure() != null && loop.portFailure().contains("was deleted"));
            }
        }
    }

    private static void assertEnds(WeirSocket socket) {
        SocketException end = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
        assertTrue(end.getMessage().startsWith("The interface of this transport was deleted"), end.getMessage());
    }

    @Test
    void open_moreLoopsThanQueues_saysTheNumberAndTheRemedy() {
        NicException refusal = assertThrows(NicException.class, () -> open(hosts.b(), QUEUES + 1));
        assertEquals(
                "queueCount=3 exceeds the 2 receive queues of weir0; ask for at most that many, or give the interface"
                        + " more at every end: ethtool -L weir0 combined 3 (or rx 3 tx 3)",
                refusal.getMessage());
    }

    @Test
    void open_fewerTransmitQueues_isRefused() throws Exception {
        LabLink link = hosts.link();
        hosts.lab().unlink(link);
        hosts.lab()
                .run(
                        hosts.b(),
                        "ip link add weir0 numrxqueues 2 numtxqueues 1 type veth peer name weir1 numrxqueues 2"
                                .split(" "));
        hosts.lab().run(hosts.b(), "ip link set weir0 up".split(" "));
        hosts.lab().run(hosts.b(), "ip address add 10.77.0.2/24 dev weir0".split(" "));
        NicException refusal = assertThrows(NicException.class, () -> open(hosts.b(), QUEUES));
        assertTrue(refusal.getMessage().contains("queue 1 of weir0 cannot transmit"), refusal.getMessage());
    }

    @Test
    void open_secondTransport_hasOneLoop() throws Exception {
        Transport client = open(hosts.a(), QUEUES);
        Transport server = open(hosts.b(), QUEUES);
        NicException refusal = assertThrows(NicException.class, () -> open(hosts.b(), QUEUES));
        assertTrue(refusal.getMessage().contains("a further one has one loop"), refusal.getMessage());
        Transport second = open(hosts.b(), 1);
        CompletableFuture<Void> first = exchanges.run(() -> exchanges.many(client, server, SERVER, 4));
        exchanges.many(client, second, new InetSocketAddress(TwoHosts.ADDRESS_B, PORT + 1), 4);
        exchanges.many(second, server, new InetSocketAddress(TwoHosts.ADDRESS_B, PORT + 2), 4);
        first.get();
    }

    @Test
    void close_givesEveryQueueBack() throws Exception {
        for (int i = 0; i < 3; i++) {
            Transport client = open(hosts.a(), QUEUES);
            List<Backend.Opened> queues =
                    AfXdpBackend.openQueues(config(hosts.b()).build(), QUEUES, 4_096);
            Transport server = Transport.open(queues, TransportConfig.DEFAULT);
            exchanges.many(client, server, SERVER, 2);
            server.close();
            client.close();
            for (Backend.Opened queue : queues) {
                assertEquals(queue.pool().frameCount(), queue.pool().available());
                assertEquals(
                        0,
                        ((AfXdpPort) queue.netInterface().port()).statistics().receiveRingFull());
            }
            assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
        }
    }

    private void transferByTcp(int seed) throws Exception {
        byte[] sent = Exchanges.bytes(seed, 1_000_000);
        InetAddress server = InetAddress.getByName(TwoHosts.ADDRESS_B);
        try (ServerSocket listener = hosts.b().call(() -> new ServerSocket(0, 1, server));
                Socket socket = hosts.a().call(() -> new Socket(server, listener.getLocalPort()));
                Socket accepted = listener.accept()) {
            CompletableFuture<Void> sending = exchanges.run(() -> {
                socket.getOutputStream().write(sent);
                socket.shutdownOutput();
            });
            assertArrayEquals(sent, accepted.getInputStream().readAllBytes());
            sending.get();
        }
    }
}
