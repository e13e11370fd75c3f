package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests sockets over AF_XDP: two transports in two namespaces on a veth pair. */
@LiveTest
class TransportLiveTest {
    private static final int PORT = 4720;
    private static final Duration PATIENCE = Deadline.HANG_GUARD;

    private TwoHosts hosts;
    private Transport client;
    private Transport server;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
        client = hosts.openTransport(hosts.a());
        server = hosts.openTransport(hosts.b());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        hosts.close();
    }

    @Test
    void write_twentyMegabytesOverIpv4_arriveUnchanged() throws Exception {
        transfer(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), 20_000_000);
    }

    @Test
    void write_twoMegabytesOverIpv6_arriveUnchanged() throws Exception {
        transfer(new InetSocketAddress("fd77::2", PORT), 2_000_000);
    }

    private void transfer(InetSocketAddress address, int count) throws Exception {
        byte[] sent = new byte[count];
        new Random(1).nextBytes(sent);
        try (WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(listener));
            try (WeirSocket socket = client.connect(address, PATIENCE)) {
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
                assertArrayEquals(sent, received.get());
            }
        }
    }

    private static byte[] readAll(WeirServerSocket listener) {
        try (WeirSocket socket = listener.accept()) {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connect_nobodyListensThere_isRefusedByTheKernelThatHasThePort() {
        InetSocketAddress closed = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        assertThrows(ConnectException.class, () -> client.connect(closed, PATIENCE));
    }

    @Test
    void connect_portStoppedListening_isRefused() throws IOException {
        try (WeirServerSocket other = server.listen(PORT + 1)) {
            assertEquals(PORT + 1, other.localPort());
            InetSocketAddress open = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT + 1);
            client.connect(open, PATIENCE).close();
            server.execute(now -> server.hostStack().stopListening(PORT + 1));
            assertThrows(ConnectException.class, () -> client.connect(open, PATIENCE));
        }
    }

    @Test
    void closeListener_connectionWasAccepted_goesOnAndThePortCanBeListenedOnAgain() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        WeirServerSocket listener = server.listen(PORT);
        try (WeirSocket socket = client.connect(address, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            listener.close();
            exchange(socket, accepted);
            try (WeirServerSocket again = server.listen(PORT);
                    WeirSocket second = client.connect(address, PATIENCE);
                    WeirSocket secondAccepted = again.accept()) {
                exchange(second, secondAccepted);
            }
            exchange(socket, accepted);
        }
    }

    private static void exchange(WeirSocket from, WeirSocket to) throws IOException {
        to.setReadTimeout(PATIENCE);
        from.write(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(42, to.inputStream().read());
    }

    @Test
    void close_listenerWasOpen_givesThePortBack() throws IOException {
        server.listen(PORT);
        server.close();
        try (DatagramChannel kernel =
                hosts.b().call(() -> DatagramChannel.open().bind(new InetSocketAddress(PORT)))) {
            assertTrue(kernel.isOpen());
        }
        server = hosts.openTransport(hosts.b());
        server.listen(PORT).close();
    }

    @Test
    void error_ofTheMachine_takesTheProgramOffTellsWaitersAndGivesPortsBack() throws Exception {
        server.listen(PORT);
        WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
        int clientPort = socket.localAddress().getPort();
        CompletableFuture<IOException> reader =
                Background.run(() -> assertThrows(IOException.class, () -> socket.read(ByteBuffer.allocate(1))));
        assertTrue(TwoHosts.facts(hosts.a()).xdpProgramId() != 0);
        OutOfMemoryError error = new OutOfMemoryError("planted");
        client.execute(now -> {
            throw error;
        });
        assertSame(error, reader.get().getCause());
        assertTrue(client.loop().awaitEnd(PATIENCE.toNanos()));
        assertEquals(0, TwoHosts.facts(hosts.a()).xdpProgramId());
        try (DatagramChannel kernel =
                hosts.a().call(() -> DatagramChannel.open().bind(new InetSocketAddress(clientPort)))) {
            assertTrue(kernel.isOpen());
        }
        client.close();
        client = hosts.openTransport(hosts.a());
        client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE)
                .close();
    }

    @Test
    void open_queuesOfATransport_isRefusedNamingThisProcess() {
        // A further transport that is asked for by name opens by AF_PACKET; this asks for the queues themselves.
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig taken =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(hosts.a().name()).build();
        IOException e = assertThrows(IOException.class, () -> AfXdpInterface.open(taken, pool));
        assertTrue(e.getMessage().startsWith("interface weir0 has an XDP program of this process ("), e.getMessage());
    }

    @Test
    void claimPort_programCannotTakeIt_givesTheReservationBack() throws Exception {
        client.close();
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpInterface closed = AfXdpInterface.open(
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(hosts.a().name()).build(), pool);
        closed.port().close();
        assertThrows(IllegalStateException.class, () -> closed.claimPort(PORT));
        try (DatagramChannel kernel =
                hosts.a().call(() -> DatagramChannel.open().bind(new InetSocketAddress(PORT)))) {
            assertTrue(kernel.isOpen());
        }
        client = hosts.openTransport(hosts.a());
    }

    @Test
    void listen_kernelSocketHasThePort_isRefusedNamingIt() throws IOException {
        try (DatagramChannel kernel =
                hosts.b().call(() -> DatagramChannel.open().bind(new InetSocketAddress(PORT)))) {
            BindException e = assertThrows(BindException.class, () -> server.listen(PORT));
            assertTrue(e.getMessage().contains("UDP port 4720 is in use by another program"), e.getMessage());
            assertTrue(kernel.isOpen());
        }
    }
}
