package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.MacAddress;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what a transport makes of changes at its interface and of its neighbours. */
@LiveTest
class InterfaceChangesLiveTest {
    private static final int PORT = 4720;
    private static final Duration PATIENCE = Deadline.HANG_GUARD;
    private static final String DELETED = "The interface of this transport was deleted";
    /** So many sleeps of a second show that a loop sleeps as long as it may. */
    private static final int SLEEP_COUNT = 3;

    private TwoHosts hosts;
    private SleepLog serverSleeps;
    private Transport client;
    private Transport server;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
        client = open(openInterface(hosts.a()));
        serverSleeps = new SleepLog(openInterface(hosts.b()));
        server = open(serverSleeps);
    }

    private final FramePool[] pools = {new FramePool(8_192, 2_048), new FramePool(8_192, 2_048)};
    private int poolCount;

    private AfXdpInterface openInterface(NetNamespace namespace) throws IOException {
        return AfXdpInterface.open(
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build(), pools[poolCount]);
    }

    private Transport open(NetInterface opened) throws IOException {
        return Transport.open(opened, pools[poolCount++], TransportConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        hosts.close();
    }

    @Test
    void interface_deleted_everyWaiterIsToldAndTheLoopSleeps() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        WeirServerSocket listener = server.listen(PORT);
        try (WeirSocket socket = client.connect(address, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            List<CompletableFuture<?>> waiting = List.of(
                    Background.run(() -> read(socket)),
                    Background.run(() -> readAll(accepted)),
                    Background.run(() -> accept(listener)),
                    Background.run(() -> writeForever(socket)));
            hosts.lab().unlink(hosts.link());
            for (CompletableFuture<?> waiter : waiting) {
                Throwable told = assertThrows(ExecutionException.class, () -> waiter.get())
                        .getCause()
                        .getCause();
                assertTrue(told instanceof SocketException && told.getMessage().startsWith(DELETED), told.toString());
            }
            for (Transport transport : List.of(client, server)) {
                SocketException refused =
                        assertThrows(SocketException.class, () -> transport.connect(address, PATIENCE));
                assertTrue(refused.getMessage().startsWith(DELETED), refused.getMessage());
                Deadline.await("the loop to say why", () -> saysDeleted(transport));
            }
            // The first sleeps end early for what the refused connections left behind. A loop that a dead descriptor
            // keeps awake never gets to long ones.
            Deadline toSleepLong = Deadline.of("long sleeps", serverSleeps::toString);
            long nanosBefore;
            do {
                toSleepLong.check();
                long countBefore = serverSleeps.count();
                nanosBefore = serverSleeps.nanos();
                Deadline.await("some sleeps", () -> serverSleeps.count() >= countBefore + SLEEP_COUNT);
            } while (serverSleeps.nanos() - nanosBefore < TimeUnit.SECONDS.toNanos(1));
        }
    }

    private static boolean saysDeleted(Transport transport) {
        String failure = transport.loop().portFailure();
        return failure != null && failure.contains("was deleted");
    }

    @Test
    void interface_recreated_anotherTransportOpensOnIt() throws Exception {
        hosts.lab().unlink(hosts.link());
        Deadline.await("the loop to say why", () -> saysDeleted(server));
        assertTrue(server.loop().portFailure().endsWith("open another transport when there is one of that name again"));
        hosts.lab().link(hosts.link());
        Deadline.await("the loop to tell of the new one", () -> server.loop()
                .portFailure()
                .startsWith("weir0: interface weir0 was deleted and made again, as number "));
        assertTrue(server.loop().portFailure().endsWith("this transport is of the old one: open another"));
        client.close();
        server.close();
        poolCount = 0;
        client = open(openInterface(hosts.a()));
        server = open(openInterface(hosts.b()));
        transfer(1_000);
    }

    @Test
    void link_downAndUpAgain_isSaidAndTheStreamGoesOn() throws Exception {
        byte[] sent = bytes(2_000_000);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(accepted));
            socket.write(ByteBuffer.wrap(sent, 0, 1_000_000));
            hosts.lab().setUp(hosts.link().left(), false);
            Deadline.await("the client to say so", () -> client.loop().portFailure() != null);
            Deadline.await("the server to say so", () -> server.loop().portFailure() != null);
            assertEquals(
                    "weir0: interface weir0 is down; set it up: ip link set weir0 up",
                    client.loop().portFailure());
            assertEquals(
                    "weir0: interface weir0 is down: it has no link partner",
                    server.loop().portFailure());
            CompletableFuture<Void> written = Background.run(() -> writeAll(socket, sent, 1_000_000));
            hosts.lab().setUp(hosts.link().left(), true);
            Deadline.await("the client to be well", () -> client.loop().portFailure() == null);
            written.get();
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
            Deadline.await("the server to be well", () -> server.loop().portFailure() == null);
        }
    }

    @Test
    void mtu_loweredOnBothEndsOfAStream_shortensItsSegments() throws Exception {
        byte[] sent = bytes(2_000_000);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(accepted));
            socket.write(ByteBuffer.wrap(sent, 0, 1_000_000));
            for (NetNamespace namespace : List.of(hosts.a(), hosts.b())) {
                hosts.lab().run(namespace, "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1400");
            }
            socket.write(ByteBuffer.wrap(sent, 1_000_000, 1_000_000));
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
        }
    }

    @Test
    void mtu_loweredOnTheReceiversEndAlone_theSenderFindsOutAndGoesUpAgain() throws Exception {
        byte[] sent = bytes(3_000_000);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(accepted));
            socket.write(ByteBuffer.wrap(sent, 0, 1_000_000));
            hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1350");
            socket.write(ByteBuffer.wrap(sent, 1_000_000, 1_000_000));
            Deadline.await("the second part to be acknowledged", () -> socket.unacknowledgedBytes() == 0);
            assertEquals(1, client.counters().get(CounterId.BLACK_HOLES_FOUND));
            hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1500");
            socket.write(ByteBuffer.wrap(sent, 2_000_000, 1_000_000));
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
            assertEquals(1, client.counters().get(CounterId.BLACK_HOLES_FOUND));
        }
    }

    @Test
    void address_removed_itsConnectionIsToldWithTheCauseAndOthersGoOn() throws Exception {
        String second = "10.77.0.9";
        hosts.lab().run(hosts.b(), "ip", "address", "add", second + "/24", "dev", TwoHosts.INTERFACE);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket stays = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket staysThere = listener.accept()) {
            Deadline.await("the second address to be ours", () -> {
                try (WeirSocket probe = client.connect(new InetSocketAddress(second, PORT), Duration.ofMillis(100));
                        WeirSocket accepted = listener.accept()) {
                    return !probe.isClosed() && !accepted.isClosed();
                } catch (IOException e) {
                    return false;
                }
            });
            try (WeirSocket ends = client.connect(new InetSocketAddress(second, PORT), PATIENCE);
                    WeirSocket endsThere = listener.accept()) {
                exchange(ends, endsThere);
                hosts.lab().run(hosts.b(), "ip", "address", "del", second + "/24", "dev", TwoHosts.INTERFACE);
                SocketException told = assertThrows(
                        SocketException.class, () -> endsThere.inputStream().read());
                assertTrue(
                        told.getMessage().startsWith("The connection's own address was removed from the interface"),
                        told.getMessage());
            }
            exchange(stays, staysThere);
        }
    }

    @Test
    void queues_added_isSaidWithTheRemedyUntilTheyAreTakenAway() throws Exception {
        close();
        poolCount = 0;
        hosts = TwoHosts.create(link -> link.withQueues(2));
        setQueues(hosts.a(), 1, 1);
        setQueues(hosts.b(), 1, 1);
        client = open(openInterface(hosts.a()));
        server = open(openInterface(hosts.b()));
        setQueues(hosts.b(), 2, 1);
        Deadline.await("the server to say so", () -> server.loop().portFailure() != null);
        assertEquals(
                "weir0: interface weir0 has 2 receive queues now, and had 1 when it was opened: frames of the added queues "
                        + "are lost; open the transport again, or take the queues away (ethtool -L weir0)",
                server.loop().portFailure());
        setQueues(hosts.b(), 1, 1);
        Deadline.await("the server to be well", () -> server.loop().portFailure() == null);
        transfer(100_000);
    }

    /** What {@code ethtool -L} does. */
    private static void setQueues(NetNamespace namespace, int receiveCount, int transmitCount) throws IOException {
        UnsafeBuffer channels = NativeMemory.allocate(36);
        channels.putInt(0, 0x3D);
        channels.putInt(20, receiveCount);
        channels.putInt(24, transmitCount);
        UnsafeBuffer request = NativeMemory.allocate(40);
        request.putBytes(0, TwoHosts.INTERFACE.getBytes(StandardCharsets.UTF_8));
        request.putLong(16, NativeMemory.address(channels));
        int result = namespace.call(() -> {
            int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_DGRAM, 0);
            try {
                return Libc.ioctl(fd, 0x8946, request);
            } finally {
                Libc.close(fd);
                Reference.reachabilityFence(channels);
            }
        });
        assertEquals(0, result);
    }

    @Test
    void mtu_loweredOnOneEnd_newConnectionsFitIt() throws Exception {
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1300");
        transfer(1_000_000);
    }

    @Test
    void mtu_raisedBeyondWhatThePortTakes_connectionsGoOn() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(address, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            exchange(socket, accepted);
            for (NetNamespace namespace : List.of(hosts.a(), hosts.b())) {
                hosts.lab().run(namespace, "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "3000");
            }
            exchange(socket, accepted);
            try (WeirSocket another = client.connect(address, PATIENCE);
                    WeirSocket acceptedToo = listener.accept()) {
                exchange(another, acceptedToo);
            }
        }
        assertNull(client.loop().portFailure());
    }

    @Test
    void interface_renamed_connectionsAndNewOnesGoOn() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(address, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            exchange(socket, accepted);
            for (NetNamespace namespace : List.of(hosts.a(), hosts.b())) {
                hosts.lab().run(namespace, "ip", "link", "set", TwoHosts.INTERFACE, "name", "other0");
                hosts.lab().run(namespace, "ip", "neighbour", "flush", "dev", "other0");
            }
            exchange(socket, accepted);
            try (WeirSocket another = client.connect(address, PATIENCE);
                    WeirSocket acceptedToo = listener.accept()) {
                exchange(another, acceptedToo);
            }
        }
        // Its follower asks the kernel by the new name: a link that goes down is still said.
        hosts.lab().run(hosts.a(), "ip", "link", "set", "other0", "down");
        Deadline.await("the loop to say why", () -> client.loop().portFailure() != null);
        assertEquals(
                "weir0: interface other0 is down; set it up: ip link set other0 up",
                client.loop().portFailure());
    }

    @Test
    void mtu_belowTheLeast_endsConnectionsUntilItIsRaised() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(address, PATIENCE);
                WeirSocket accepted = listener.accept()) {
            exchange(socket, accepted);
            hosts.lab().run(hosts.a(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1000");
            socket.setReadTimeout(PATIENCE);
            SocketException told = assertThrows(
                    SocketException.class, () -> socket.inputStream().read());
            assertTrue(
                    told.getMessage().startsWith("The MTU of this transport's interface is below 1280"),
                    told.getMessage());
            assertThrows(SocketException.class, () -> client.connect(address, PATIENCE));
            Deadline.await("the loop to say why", () -> client.loop().portFailure() != null);
            assertEquals(
                    "weir0: interface weir0 has MTU 1000, less than 1280; raise it: ip link set weir0 mtu 1280",
                    client.loop().portFailure());
            hosts.lab().run(hosts.a(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1500");
            Deadline.await("the loop to be well", () -> client.loop().portFailure() == null);
            try (WeirSocket again = connectOnceItMay(address);
                    WeirSocket acceptedAgain = listener.accept()) {
                exchange(again, acceptedAgain);
            }
        }
    }

    /** The port is well a moment before the transport knows its MTU. */
    private WeirSocket connectOnceItMay(InetSocketAddress address) throws IOException {
        Deadline deadline = Deadline.of("a connection that is not refused", () -> "");
        while (true) {
            try {
                return client.connect(address, PATIENCE);
            } catch (SocketException e) {
                assertTrue(e.getMessage().startsWith(DELETED), e.getMessage());
                deadline.check();
            }
        }
    }

    @Test
    void neighbour_movedWithoutAWord_isFoundWhenItIsSilent() throws Exception {
        InetSocketAddress address = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
        try (WeirServerSocket listener = server.listen(PORT)) {
            transfer(listener, 1_000);
            moveServer("02:00:00:00:00:77");
            Deadline.await("the server to know its new address", () -> {
                tryToConnect(address);
                return server.counters().get(CounterId.DROP_NOT_OURS) > 0;
            });
        }
        // The client's kernel takes its entry for good for many seconds more; the opening goes to the old address
        // first. Another port, because attempts may have left connections on that one.
        try (WeirServerSocket listener = server.listen(PORT + 1)) {
            transfer(listener, 1_000);
        }
        assertTrue(client.counters().get(CounterId.PATHS_CHANGED) > 0);
    }

    @Test
    void neighbour_movedAndToldByTheKernel_isFollowedByStreamsBothWays() throws Exception {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            exchange(socket, accepted);
            String moved = "02:00:00:00:00:78";
            hosts.lab()
                    .run(
                            hosts.a(),
                            "ip",
                            "neighbour",
                            "replace",
                            TwoHosts.ADDRESS_B,
                            "lladdr",
                            moved,
                            "nud",
                            "reachable",
                            "dev",
                            TwoHosts.INTERFACE);
            Deadline.await(
                    "the client's path to change", () -> client.counters().get(CounterId.PATHS_CHANGED) > 0);
            moveServer(moved);
            Deadline.await(
                    "the server's path to change", () -> server.counters().get(CounterId.PATHS_CHANGED) > 0);
            exchange(socket, accepted);
            exchange(accepted, socket);
        }
    }

    private void tryToConnect(InetSocketAddress address) {
        try {
            client.connect(address, Duration.ofMillis(20)).abort();
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("did not answer"), e.getMessage());
        }
    }

    /** The server's interface gets another Ethernet address, and tells nobody. */
    private void moveServer(String mac) throws Exception {
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "address", mac);
        assertEquals(mac, MacAddress.text(TwoHosts.facts(hosts.b()).macAddress()));
        assertNull(server.loop().portFailure());
    }

    private void transfer(int count) throws Exception {
        try (WeirServerSocket listener = server.listen(PORT)) {
            transfer(listener, count);
        }
    }

    private void transfer(WeirServerSocket listener, int count) throws Exception {
        byte[] sent = bytes(count);
        try (WeirSocket socket =
                        client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, listener.localPort()), PATIENCE);
                WeirSocket accepted = listener.accept()) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(accepted));
            socket.write(ByteBuffer.wrap(sent));
            socket.shutdownOutput();
            assertArrayEquals(sent, received.get());
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static byte[] readAll(WeirSocket socket) {
        try {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int read(WeirSocket socket) {
        try {
            return socket.inputStream().read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static WeirSocket accept(WeirServerSocket listener) {
        try {
            return listener.accept();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Void writeForever(WeirSocket socket) {
        while (true) {
            writeAll(socket, new byte[100_000], 0);
        }
    }

    private static void writeAll(WeirSocket socket, byte[] bytes, int from) {
        try {
            socket.write(ByteBuffer.wrap(bytes, from, bytes.length - from));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void exchange(WeirSocket from, WeirSocket to) throws IOException {
        to.setReadTimeout(PATIENCE);
        from.write(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(42, to.inputStream().read());
    }
}
