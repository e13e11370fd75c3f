package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpEcho;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that other programs of a host keep their UDP next to a transport: its ports on its addresses are all that it
 * takes.
 */
@LiveTest
@SuppressWarnings("try") // a server of the kernel runs until its block ends, and is not spoken to by name
class OtherProgramsLiveTest {
    private static final int PORT = 5201;
    private static final int OTHER_PORT = 6000;
    private static final String FURTHER = "10.77.0.22";
    private static final Duration PATIENCE = Deadline.HANG_GUARD;
    private static final Duration ATTEMPT = Duration.ofMillis(200);

    private TwoHosts hosts;
    private Transport client;
    private Transport server;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
        client = open(hosts.a(), List.of());
    }

    private static Transport open(NetNamespace namespace, List<InetAddress> further) throws IOException {
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                .namespace(namespace.name())
                .addresses(further)
                .build();
        return Transport.open(AfXdpInterface.open(config, pool), pool, TransportConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        client.close();
        if (server != null) {
            server.close();
        }
        hosts.close();
    }

    @Test
    void listen_kernelTalksToTheSameNumberElsewhere_getsEveryAnswerBeforeDuringAndAfter() throws Exception {
        try (UdpEcho remote = UdpEcho.echo(hosts.a(), TwoHosts.ADDRESS_A, PORT);
                UdpEcho remoteV6 = UdpEcho.echo(hosts.a(), "fd77::1", PORT);
                UdpEcho local = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, OTHER_PORT)) {
            askBothWays();
            server = open(hosts.b(), List.of());
            askBothWays();
            try (WeirServerSocket listener = server.listen(PORT);
                    WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                    WeirSocket accepted = listener.accept()) {
                askBothWays();
                exchange(socket, accepted);
            }
            askBothWays();
            server.close();
            askBothWays();
        }
    }

    /** A client of the kernel asks a remote port of that number; another one has it as its own. */
    private void askBothWays() throws IOException {
        UdpEcho.ask(hosts.b(), TwoHosts.ADDRESS_B, 0, TwoHosts.ADDRESS_A, PORT);
        UdpEcho.ask(hosts.b(), "fd77::2", 0, "fd77::1", PORT);
    }

    @Test
    void listen_remoteClientHasTheNumberAsItsOwn_getsEveryAnswerBeforeDuringAndAfter() throws Exception {
        try (UdpEcho local = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, OTHER_PORT)) {
            askFromPort();
            server = open(hosts.b(), List.of());
            try (WeirServerSocket listener = server.listen(PORT)) {
                askFromPort();
                assertEquals(PORT, listener.localPort());
            }
            askFromPort();
            server.close();
            askFromPort();
        }
    }

    private void askFromPort() throws IOException {
        UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, PORT, TwoHosts.ADDRESS_B, OTHER_PORT);
    }

    @Test
    void listen_otherProgramHasThePortOfAnotherAddress_bothServe() throws Exception {
        hosts.lab().run(hosts.b(), "ip", "address", "add", "10.99.0.1/32", "dev", "lo");
        hosts.lab().run(hosts.a(), "ip", "route", "add", "10.99.0.1/32", "via", TwoHosts.ADDRESS_B);
        server = open(hosts.b(), List.of());
        try (WeirServerSocket listener = server.listen(PORT);
                UdpEcho other = UdpEcho.echo(hosts.b(), "10.99.0.1", PORT)) {
            UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, "10.99.0.1", PORT);
            try (WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                    WeirSocket accepted = listener.accept()) {
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, "10.99.0.1", PORT);
                exchange(socket, accepted);
            }
            for (String ours : List.of(TwoHosts.ADDRESS_B, "fd77::2", "0.0.0.0")) {
                assertThrows(BindException.class, () -> UdpEcho.echo(hosts.b(), ours, PORT), ours);
            }
        }
        echoOnceFree(TwoHosts.ADDRESS_B).close();
    }

    /** {@return a server on the port, which the loop gives back soon} */
    private UdpEcho echoOnceFree(String address) throws Exception {
        UdpEcho[] bound = new UdpEcho[1];
        Deadline.await("the port of " + address + " to be free", () -> {
            try {
                bound[0] = UdpEcho.echo(hosts.b(), address, PORT);
                return true;
            } catch (BindException e) {
                return false;
            }
        });
        return bound[0];
    }

    @Test
    void listen_otherProgramHasThePortOfOneOfOurAddresses_isRefusedAndGivesTheOthersBack() throws Exception {
        server = open(hosts.b(), List.of());
        try (UdpEcho other = UdpEcho.echo(hosts.b(), "fd77::2", PORT)) {
            BindException e = assertThrows(BindException.class, () -> server.listen(PORT));
            assertEquals(
                    "UDP port 5201 is in use by another program of this host, on fd77:0:0:0:0:0:0:2 (EADDRINUSE (address"
                            + " already in use)); see: ss -lunp 'sport = 5201'",
                    e.getMessage());
            UdpEcho.ask(hosts.a(), "fd77::1", 0, "fd77::2", PORT);
        }
        UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, PORT).close();
        server.listen(PORT).close();
    }

    @Test
    void addresses_addedAndRemovedWhileRunning_areFollowed() throws Exception {
        server = open(hosts.b(), List.of());
        try (WeirServerSocket listener = server.listen(PORT)) {
            hosts.lab().run(hosts.b(), "ip", "address", "add", FURTHER + "/24", "dev", TwoHosts.INTERFACE);
            connectAndExchange(FURTHER, listener);
            // The address moves to where it is not ours: the kernel has it, and another program the port.
            hosts.lab().run(hosts.b(), "ip", "address", "delete", FURTHER + "/24", "dev", TwoHosts.INTERFACE);
            hosts.lab().run(hosts.b(), "ip", "address", "add", FURTHER + "/32", "dev", "lo");
            UdpEcho other = echoOnceFree(FURTHER);
            UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, FURTHER, PORT);
            connectAndExchange(TwoHosts.ADDRESS_B, listener);
            // It comes back while that program runs: the port stays its own, another port of the address is ours.
            hosts.lab().run(hosts.b(), "ip", "address", "add", FURTHER + "/24", "dev", TwoHosts.INTERFACE);
            try (WeirServerSocket second = server.listen(PORT + 1)) {
                connectAndExchange(FURTHER, PORT + 1, second);
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, FURTHER, PORT);
            }
            other.close();
        }
    }

    @Test
    void addresses_virtualOneByOption_isServedWithoutTheKernelHavingIt() throws Exception {
        server = open(hosts.b(), List.of(InetAddress.getByName(FURTHER)));
        String mac = MacAddress.text(TwoHosts.facts(hosts.b()).macAddress());
        hosts.lab()
                .run(
                        hosts.a(),
                        "ip",
                        "neighbour",
                        "replace",
                        FURTHER,
                        "lladdr",
                        mac,
                        "nud",
                        "permanent",
                        "dev",
                        TwoHosts.INTERFACE);
        try (WeirServerSocket listener = server.listen(PORT)) {
            connectAndExchange(FURTHER, listener);
            connectAndExchange(TwoHosts.ADDRESS_B, listener);
        }
    }

    private void connectAndExchange(String address, WeirServerSocket listener) throws Exception {
        connectAndExchange(address, PORT, listener);
    }

    private void connectAndExchange(String address, int port, WeirServerSocket listener) throws Exception {
        WeirSocket[] connected = new WeirSocket[1];
        Deadline.await("a connection to " + address, () -> {
            try {
                connected[0] = client.connect(new InetSocketAddress(address, port), ATTEMPT);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        connected[0].write(ByteBuffer.wrap(new byte[] {42}));
        // Attempts that timed out may have left a connection that nobody uses.
        boolean isFound = false;
        while (!isFound) {
            try (WeirSocket accepted = listener.accept()) {
                accepted.setReadTimeout(PATIENCE);
                isFound = accepted.inputStream().read() == 42;
            } catch (SocketException e) {
                isFound = false;
            }
        }
        connected[0].close();
    }

    private static void exchange(WeirSocket from, WeirSocket to) throws IOException {
        to.setReadTimeout(PATIENCE);
        from.write(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(42, to.inputStream().read());
    }
}
