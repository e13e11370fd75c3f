package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.xdp.AfXdp;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests two transports of one process on one interface. */
@LiveTest
class SharedInterfaceLiveTest {
    private static final int PORT = 4720;
    private static final int OTHER_PORT = 4721;
    private static final int THIRD_PORT = 4722;
    private static final Duration PATIENCE = Deadline.HANG_GUARD;

    private TwoHosts hosts;
    private Transport client;
    private Transport first;
    private Transport second;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
        client = open(hosts.a());
        first = open(hosts.b());
        second = open(hosts.b());
    }

    private static Transport open(NetNamespace namespace) throws IOException {
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        Backend.Opened opened = AfXdpBackend.open(config, 4_096);
        return Transport.open(opened.netInterface(), opened.pool(), TransportConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        client.close();
        first.close();
        second.close();
        hosts.close();
    }

    @Test
    void open_interfaceOfAnotherTransport_takesItsFramesByAfPacket() {
        assertEquals("afxdp", first.portInfo().backend());
        assertEquals("af-packet", second.portInfo().backend());
    }

    @Test
    void open_interfaceOfASwitch_isRefused() throws IOException {
        first.close();
        second.close();
        try (AfXdp ports = new AfXdp(new FramePool(4_096, 2_048))) {
            ports.open(AfXdpConfig.switchPort(TwoHosts.INTERFACE)
                    .namespace(hosts.b().name())
                    .build());
            NicException refusal = assertThrows(NicException.class, () -> open(hosts.b()));
            assertTrue(refusal.getMessage().contains("has an XDP program of this process"), refusal.getMessage());
        }
    }

    @Test
    void transfer_bothAtOnce_bytesArriveAtTheirOwnTransport() throws Exception {
        CompletableFuture<Void> other = Background.run(() -> transfer(client, second, OTHER_PORT));
        transfer(client, first, PORT);
        other.get();
    }

    @Test
    void transfer_betweenTheTwo_staysInTheProcess() throws Exception {
        transfer(second, first, PORT);
        transfer(first, second, OTHER_PORT);
        try (WeirServerSocket listener = first.listen(THIRD_PORT);
                WeirSocket socket = second.connect(address(THIRD_PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            assertTrue(socket.isInProcess() && accepted.isInProcess());
        }
    }

    @Test
    void listen_portOfTheOtherTransport_isInUse() throws IOException {
        try (WeirServerSocket listener = first.listen(PORT)) {
            assertEquals(PORT, listener.localPort());
            assertThrows(BindException.class, () -> second.listen(PORT));
        }
    }

    @Test
    void close_ofTheFirst_leavesTheSecondAlone() throws Exception {
        try (WeirServerSocket listener = second.listen(OTHER_PORT);
                WeirSocket socket = client.connect(address(OTHER_PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            first.close();
            send(socket, accepted, 200_000);
        }
        transfer(client, second, THIRD_PORT);
        first = open(hosts.b());
        assertEquals("afxdp", first.portInfo().backend());
        transfer(client, first, PORT);
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(TwoHosts.ADDRESS_B, port);
    }

    private static void transfer(Transport from, Transport to, int port) {
        try (WeirServerSocket listener = to.listen(port);
                WeirSocket socket = from.connect(address(port), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            send(socket, accepted, 2_000_000);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(WeirSocket from, WeirSocket to, int count) throws IOException {
        byte[] sent = new byte[count];
        new Random(1).nextBytes(sent);
        CompletableFuture<byte[]> received = Background.run(() -> read(to, count));
        from.write(ByteBuffer.wrap(sent));
        assertArrayEquals(sent, received.join());
    }

    private static byte[] read(WeirSocket socket, int count) {
        try {
            return socket.inputStream().readNBytes(count);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
