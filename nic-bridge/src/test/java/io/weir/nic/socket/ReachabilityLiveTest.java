package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a connect that cannot succeed ends as one of the kernel's TCP does, from the same host to the same
 * address. A long time-out that is not reached shows that the network's answer ended it.
 */
@LiveTest(isBalanced = false) // its transport is open over all tests and keeps ports for the next connection
class ReachabilityLiveTest {
    private static final int PORT = 5301;
    private static final int CLOSED_PORT = 5302;
    private static final Duration LONG = Deadline.HANG_GUARD;
    private static final Duration SHORT = Duration.ofMillis(100);

    /** The kinds of ICMP message that the kernel limits to one per second and destination: none. */
    private static final String ANSWER_ALL = "0";
    /** What they are unless it is told otherwise. */
    private static final String LIMIT_ERRORS = "6168";
    /** How long the kernel waits for a neighbour's answer before it asks again; it gives up after the third. */
    private static final String ASK_AGAIN_MILLIS = "1000";

    private static final String ASK_AGAIN_SOON_MILLIS = "100";

    private static TwoHosts hosts;
    private static Transport client;

    @BeforeAll
    static void open() throws Exception {
        hosts = TwoHosts.create();
        run(hosts.a(), "ip", "route", "add", "203.0.113.0/24", "via", TwoHosts.ADDRESS_B);
        run(hosts.a(), "ip", "route", "add", "unreachable", "192.0.2.0/25");
        run(hosts.a(), "ip", "neighbour", "add", "fd77::99", "lladdr", "02:00:00:00:00:99", "dev", TwoHosts.INTERFACE);
        run(hosts.b(), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
        run(hosts.b(), "ip", "route", "add", "unreachable", "203.0.113.0/26");
        run(hosts.b(), "ip", "route", "add", "prohibit", "203.0.113.64/26");
        // A firewall that drops looks like this from outside.
        run(hosts.b(), "ip", "route", "add", "blackhole", "203.0.113.128/26");
        tell(hosts.b(), "/proc/sys/net/ipv4/icmp_ratemask", ANSWER_ALL);
        client = hosts.openTransport(hosts.a());
    }

    private static void run(NetNamespace namespace, String... command) throws IOException, InterruptedException {
        hosts.lab().run(namespace, command);
    }

    private static void tell(NetNamespace namespace, String setting, String value) throws IOException {
        namespace.<Void, IOException>call(() -> {
            Files.writeString(Path.of(setting), value);
            return null;
        });
    }

    /** Where the neighbour does not exist the kernel need not be patient; one that does may be late to answer. */
    private static void askNeighboursAgainAfter(String millis) throws IOException {
        tell(hosts.a(), "/proc/sys/net/ipv4/neigh/" + TwoHosts.INTERFACE + "/retrans_time_ms", millis);
        tell(hosts.a(), "/proc/sys/net/ipv6/neigh/" + TwoHosts.INTERFACE + "/retrans_time_ms", millis);
    }

    @AfterAll
    static void close() {
        client.close();
        hosts.close();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of("closed port", TwoHosts.ADDRESS_B, LONG, ConnectException.class),
                Arguments.of("closed port, IPv6", "fd77::2", LONG, ConnectException.class),
                Arguments.of("no route", "198.51.100.1", LONG, SocketException.class),
                Arguments.of("no route, IPv6", "2001:db8::1", LONG, SocketException.class),
                Arguments.of("route says unreachable", "192.0.2.1", LONG, NoRouteToHostException.class),
                Arguments.of("broadcast", "10.77.0.255", LONG, SocketException.class),
                Arguments.of("neighbour that nobody is", "10.77.0.99", LONG, NoRouteToHostException.class),
                Arguments.of("neighbour, IPv6", "fd77::98", LONG, NoRouteToHostException.class),
                Arguments.of("neighbour, in less time", "10.77.0.97", SHORT, SocketTimeoutException.class),
                Arguments.of("router says unreachable", "203.0.113.1", LONG, NoRouteToHostException.class),
                Arguments.of("router says prohibited", "203.0.113.65", LONG, NoRouteToHostException.class),
                Arguments.of("silence", "203.0.113.129", SHORT, SocketTimeoutException.class),
                Arguments.of("name without an address", "weir.invalid", LONG, UnknownHostException.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void connect_thatCannotSucceed_failsLikeTheKernels(
            String name, String host, Duration timeout, Class<? extends IOException> expected) throws IOException {
        boolean isGivenUp = name.startsWith("neighbour") && timeout.equals(LONG);
        askNeighboursAgainAfter(isGivenUp ? ASK_AGAIN_SOON_MILLIS : ASK_AGAIN_MILLIS);
        InetSocketAddress remote = host.endsWith(".invalid")
                ? InetSocketAddress.createUnresolved(host, CLOSED_PORT)
                : new InetSocketAddress(host, CLOSED_PORT);
        IOException kernels = assertThrows(IOException.class, () -> connectByKernel(hosts.a(), remote, timeout));
        assertEquals(expected, kernels.getClass(), kernels::toString);
        IOException ours = assertThrows(IOException.class, () -> client.connect(remote, timeout));
        // Where the kernel's is the general one, ours may be one that says more.
        assertInstanceOf(expected, ours, ours::toString);
    }

    @Test
    void connect_familyThatTheHostHasNot_failsLikeTheKernels() throws Exception {
        InetSocketAddress remote = new InetSocketAddress("fd77::2", CLOSED_PORT);
        try (TwoHosts older = TwoHosts.create(TwoHosts::withoutIpv6);
                Transport transport = older.openTransport(older.a())) {
            IOException kernels = assertThrows(IOException.class, () -> connectByKernel(older.a(), remote, LONG));
            IOException ours = assertThrows(IOException.class, () -> transport.connect(remote, LONG));
            assertInstanceOf(kernels.getClass(), ours, ours::toString);
            assertTrue(kernels instanceof SocketException, kernels::toString);
        }
    }

    private static void connectByKernel(NetNamespace namespace, InetSocketAddress remote, Duration timeout)
            throws IOException {
        namespace.<Void, IOException>call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(remote, (int) timeout.toMillis());
                return null;
            }
        });
    }

    @Test
    void connect_transportWithoutListenerThere_isRefused() throws Exception {
        try (Transport server = hosts.openTransport(hosts.b())) {
            assertRefused();
            WeirServerSocket listener = server.listen(PORT);
            client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), LONG)
                    .close();
            listener.close();
            assertRefused();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", TwoHosts.ADDRESS_A, "fd77::1"})
    void connect_ownHost_staysInTheProcess(String address) throws Exception {
        try (WeirServerSocket listener = client.listen(PORT);
                WeirSocket near = client.connect(new InetSocketAddress(address, PORT), LONG);
                WeirSocket far = listener.accept()) {
            assertTrue(near.isInProcess() && far.isInProcess());
            near.write(ByteBuffer.wrap(new byte[] {42}));
            assertEquals(42, far.inputStream().read());
        }
        assertThrows(ConnectException.class, () -> client.connect(new InetSocketAddress(address, CLOSED_PORT), LONG));
    }

    @Test
    void connect_manyInARow_areAllRefused() throws Exception {
        // The kernel answers six at once, then one per second: the repeated opening gets the answer.
        tell(hosts.b(), "/proc/sys/net/ipv4/icmp_ratemask", LIMIT_ERRORS);
        try {
            for (int i = 0; i < 8; i++) {
                assertRefused();
            }
        } finally {
            tell(hosts.b(), "/proc/sys/net/ipv4/icmp_ratemask", ANSWER_ALL);
        }
    }

    private static void assertRefused() {
        ConnectException e = assertThrows(
                ConnectException.class, () -> client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), LONG));
        assertEquals("Connection refused: /10.77.0.2:5301", e.getMessage());
    }
}
