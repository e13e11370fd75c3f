package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.SharedHostMac;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a broker and its clients over an interface in memory, 10.0.0.1, with a host behind it, 10.0.0.2. */
@EnabledOnOs(OS.LINUX)
class BrokerTest {
    private static final int PORT = 4720;
    private static final int BYTES = 2_000_000;
    private static final int MTU_BYTES = 1_500;
    private static final int MEMORY_MTU_BYTES = 9_000;
    /** IPv4, UDP and Weir's own header. */
    private static final int HEADERS_BYTES = 76;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Path socket;
    private NetInterface served;
    private FramePool brokerPool;
    private Broker broker;
    private Transport remote;

    @BeforeEach
    void open() throws IOException {
        open(MTU_BYTES, 2_048);
    }

    private void open(int mtuBytes, int slotBytes) throws IOException {
        socket = folder.resolve("mem0.sock");
        brokerPool = new FramePool(2_048, slotBytes);
        FramePool remotePool = new FramePool(8_192, slotBytes);
        List<NetInterface> pair = MemoryNetwork.pair(brokerPool, remotePool, mtuBytes, 10_000_000_000L);
        served = pair.get(0);
        remote = Transport.open(pair.get(1), remotePool, TransportConfig.DEFAULT);
        broker = serve(PortRights.asFromTheKernel());
    }

    private Broker serve(PortRights rights) throws IOException {
        BrokerConfig config = new BrokerConfig(
                "mem0",
                "memory",
                socket,
                BrokerConfig.NO_DESCRIPTOR,
                rights,
                List.of(),
                IdleMode.BACK_OFF,
                BrokerConfig.memoryBytesMaxDefault(),
                BrokerConfig.USER_SHARE_PERCENT_DEFAULT,
                PortConfig.DEFAULT);
        return Broker.open(
                config, SchedulingConfig.DEFAULT, new Silent(), () -> new Backend.Opened(served, brokerPool));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        broker.close();
        remote.close();
        assertEquals("", broker.ledger().toString());
        assertFalse(Files.exists(socket), "the socket stays behind");
    }

    private Transport client() throws IOException {
        return client(socket);
    }

    private Transport client(Path path) throws IOException {
        Transport client = Transport.open(
                path.toString(),
                TransportConfig.builder().backend(BrokerBackend.NAME).build());
        opened.add(0, client);
        return client;
    }

    private static void transfer(Transport from, Transport to, String address, int port, boolean isShared)
            throws Exception {
        byte[] sent = new byte[BYTES];
        new Random(port).nextBytes(sent);
        try (WeirServerSocket listener = to.listen(port)) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(listener, isShared));
            try (WeirSocket connection = from.connect(new InetSocketAddress(address, port), Deadline.HANG_GUARD)) {
                assertEquals(isShared, connection.isOnSharedMemory());
                assertFalse(connection.isInProcess());
                connection.write(ByteBuffer.wrap(sent));
                connection.shutdownOutput();
                assertArrayEquals(sent, received.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS));
            }
        }
    }

    private static byte[] readAll(WeirServerSocket listener, boolean isShared) {
        try (WeirSocket accepted = listener.accept()) {
            assertEquals(isShared, accepted.isOnSharedMemory());
            return accepted.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- frames

    @Test
    void transfer_twoClientsAndARemoteHost_arriveUnchangedBothWays() throws Exception {
        Transport one = client();
        Transport other = client();
        transfer(remote, one, "10.0.0.1", PORT, false);
        transfer(remote, other, "10.0.0.1", PORT + 1, false);
        transfer(one, remote, "10.0.0.2", PORT, false);
        transfer(other, remote, "10.0.0.2", PORT, false);
        BrokerCounts counts = broker.counts();
        assertEquals(2, counts.clientCount());
        assertEquals(0, counts.refusedFrames());
        assertEquals(0, counts.pairCount());
    }

    /** {@return the broker's socket by a name for clients that are not to find others in this process} */
    private Path byAnotherName() throws IOException {
        return Files.createSymbolicLink(folder.resolve("other.sock"), socket);
    }

    @Test
    void transfer_betweenTwoClients_goesPastTheBroker() throws Exception {
        Transport one = client();
        Transport other = client(byAnotherName());
        transfer(one, other, "10.0.0.1", PORT, true);
        transfer(other, one, "127.0.0.1", PORT + 1, true);
        BrokerCounts counts = broker.counts();
        assertEquals(1, counts.pairCount());
        assertEquals(0, counts.deliveredFrames());
        assertEquals(0, counts.sentFrames());
    }

    // ---- MTUs

    private static long framesReceived(Transport transport) {
        return transport.counters().get(CounterId.DATA_FRAMES_RECEIVED);
    }

    /** {@return data frames that {@link #BYTES} take at least, where packets are no longer} */
    private static long framesMin(int mtuBytes) {
        return BYTES / (mtuBytes - HEADERS_BYTES);
    }

    @Test
    void transfer_toAClientAndToTheWireAtOnce_eachWayHasItsOwnMtu() throws Exception {
        Transport one = client();
        Transport other = client(byAnotherName());
        CompletableFuture<Void> toTheWire = Background.run(() -> {
            try {
                transfer(one, remote, "10.0.0.2", PORT, false);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        transfer(one, other, "10.0.0.1", PORT + 1, true);
        toTheWire.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
        long byMemory = framesReceived(other);
        assertTrue(byMemory >= framesMin(MEMORY_MTU_BYTES), byMemory + " frames");
        // A few are short: the first of the stream, and those that are sent before more is written.
        assertTrue(byMemory < framesMin(MTU_BYTES) / 2, byMemory + " frames");
        long byWire = framesReceived(remote);
        assertTrue(byWire >= framesMin(MTU_BYTES), byWire + " frames");
        assertEquals(0, broker.counts().refusedFrames());
    }

    @ParameterizedTest
    @CsvSource({"9000, 9216, 9000", "12000, 12288, 12000"})
    void transfer_interfaceOfAsLongPackets_memoryTakesThemToo(int mtuBytes, int slotBytes, int memoryMtuBytes)
            throws Exception {
        broker.close();
        remote.close();
        open(mtuBytes, slotBytes);
        Transport one = client();
        Transport other = client(byAnotherName());
        transfer(one, other, "10.0.0.1", PORT, true);
        transfer(one, remote, "10.0.0.2", PORT + 1, false);
        for (Transport receiver : List.of(other, remote)) {
            long frames = framesReceived(receiver);
            assertTrue(frames >= framesMin(memoryMtuBytes), frames + " frames");
            assertTrue(frames < framesMin(MTU_BYTES) / 2, frames + " frames");
        }
    }

    @Test
    void transfer_receiveBufferShorterThanMemorysPackets_takesShorterOnes() throws Exception {
        Transport one = client();
        TransportConfig config = TransportConfig.builder()
                .backend(BrokerBackend.NAME)
                .streams(StreamLimits.fixed(1 << 16, 4_096))
                .build();
        Transport other = Transport.open(byAnotherName().toString(), config);
        opened.add(0, other);
        transfer(one, other, "10.0.0.1", PORT, true);
        long frames = framesReceived(other);
        assertTrue(frames >= framesMin(4_096), frames + " frames");
    }

    @Test
    void open_clientOfASlowInterface_doesNotSlowMemory() throws Exception {
        TransportConfig config = TransportConfig.builder()
                .backend(BrokerBackend.NAME)
                .linkRateBps(1_000_000_000L)
                .build();
        Transport slow = Transport.open(socket.toString(), config);
        opened.add(0, slow);
        assertEquals(1_000_000_000L, slow.hostConfig().link().rateBps());
        assertEquals(100_000_000_000L, slow.hostConfig().memory().rateBps());
        assertEquals(MEMORY_MTU_BYTES, slow.hostConfig().memory().mtuBytes());
        assertNull(remote.hostConfig().memory());
        transfer(slow, client(byAnotherName()), "10.0.0.1", PORT, true);
    }

    private Backend.Opened openAlone(int frameCount) throws IOException {
        Backend.Opened alone =
                new BrokerBackend().open(socket.toString(), PortConfig.DEFAULT.withFrameCount(frameCount), List.of());
        opened.add(0, alone.netInterface().port());
        return alone;
    }

    @Test
    void open_clientsPool_hasLongFramesInTheMemoryOfTheInterfaces() throws Exception {
        Backend.Opened alone = openAlone(8_192);
        assertEquals(MTU_BYTES, alone.netInterface().port().info().mtuBytes());
        assertEquals(MEMORY_MTU_BYTES, alone.netInterface().memoryMtuBytes());
        FramePool pool = alone.pool();
        assertEquals(new BrokerBackend().frameCapacityBytes(socket.toString()), pool.frameCapacityBytes());
        assertTrue(pool.frameCapacityBytes() >= MEMORY_MTU_BYTES + Ethernet.HEADER_BYTES);
        assertTrue(pool.memory().capacity() <= 8_192 * 1_600, pool.memory().capacity() + " B");
        assertTrue(pool.frameCount() > 1_024, pool.frameCount() + " frames");
        assertEquals(256, openAlone(256).pool().frameCount());
    }

    @Test
    void open_poolOfShorterFramesThanMemorys_isRefused() {
        NicException e = assertThrows(NicException.class, () -> new BrokerBackend()
                .open(socket.toString(), new FramePool(64, 2_048), PortConfig.DEFAULT, List.of()));
        assertEquals(
                "frames of the pool have 2048 bytes, and those of mem0's clients up to 9014; make the pool of slots of"
                        + " 9024",
                e.getMessage());
    }

    @Test
    void transmit_longFrameForTheWire_isDroppedBeforeTheBroker() throws Exception {
        Backend.Opened alone = openAlone(256);
        BrokerPort port = (BrokerPort) alone.netInterface().port();
        for (int lengthBytes : List.of(MEMORY_MTU_BYTES, MTU_BYTES)) {
            Frame frame = alone.pool().allocate();
            new UdpFrames(1, "10.0.0.1", 2, "10.0.0.2").write(frame, 0, 100, PORT, 1);
            frame.setExtent(0, lengthBytes + Ethernet.HEADER_BYTES);
            port.transmit(frame);
        }
        Frame toNobody = alone.pool().allocate();
        new UdpFrames(1, "10.0.0.1", SharedHostMac.of(77), "10.0.0.1").write(toNobody, 0, 100, PORT, 1);
        port.transmit(toNobody);
        port.flush();
        assertEquals(2, port.droppedCount());
        // It has no port, so that the broker refuses what it gets.
        Deadline.await("the other frame to be refused", () -> broker.counts().refusedFrames() == 1);
        assertEquals(0, port.peerFrameCount());
        assertEquals(1, broker.counts().clientCount());
    }

    @Test
    void introduce_twoClients_ringsHoldMemorysFramesInModerateMemory() throws Exception {
        HeardEvents events = new HeardEvents();
        try (Hostile listening = new Hostile();
                Hostile connecting = new Hostile()) {
            assertEquals(MTU_BYTES, connecting.welcome.mtuBytes());
            assertEquals(MEMORY_MTU_BYTES, connecting.welcome.memoryMtuBytes());
            listening.connection.start(events, "test");
            listening.connection.claim(PORT);
            connecting.connection.start(new HeardEvents(), "test");
            connecting.connection.resolve(PORT + 1, new InetSocketAddress("10.0.0.1", PORT), Long.MAX_VALUE);
            HeardEvents.Pair pair = events.pair.get(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS);
            assertEquals(MEMORY_MTU_BYTES + Ethernet.HEADER_BYTES, pair.frameBytesMax());
            assertTrue(pair.memoryBytes() < 10_000_000, pair.memoryBytes() + " B");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void hello_anotherVersion_isRefusedWithTheReason(int difference) throws Exception {
        UnsafeBuffer answer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
        try (UnixSocket raw = UnixSocket.connect(socket.toString())) {
            int version = MessageKind.VERSION + difference;
            MessageWriter hello = new MessageWriter(MessageKind.HELLO).putInt(version);
            raw.offer(hello.buffer(), hello.lengthBytes());
            MessageReader message = new MessageReader(answer, raw.receive(answer));
            assertEquals(MessageKind.REFUSED, MessageKind.of(message.getInt()));
            message.getInt();
            message.getInt();
            assertEquals(
                    "the broker speaks version " + MessageKind.VERSION + " of its protocol, and this process version "
                            + version + "; run the same version of Weir on both sides",
                    message.getText());
        }
    }

    @Test
    void connect_nobodyHasThePortHere_isRefusedWithTheReason() throws Exception {
        Transport one = client();
        ConnectException e = assertThrows(
                ConnectException.class,
                () -> one.connect(new InetSocketAddress("10.0.0.1", PORT), Deadline.HANG_GUARD));
        assertEquals(
                "connection refused: no process of the broker at " + socket + " has UDP port 4720 of 10.0.0.1;"
                        + " processes of one host reach each other through one broker only",
                e.getMessage());
    }

    @Test
    void connect_otherClientGone_newOneIsReached() throws Exception {
        Transport one = client();
        Path otherName = byAnotherName();
        for (int i = 0; i < 3; i++) {
            Transport other = client(otherName);
            transfer(one, other, "10.0.0.1", PORT, true);
            other.close();
            Deadline.await("the client to be gone", () -> broker.counts().clientCount() == 1);
        }
        assertEquals(3, broker.counts().pairCount());
    }

    // ---- ports and rights

    @Test
    void listen_portOfAnotherClient_isRefusedUntilThatOneIsGone() throws Exception {
        Transport one = client();
        Transport other = client();
        one.listen(PORT);
        BindException e = assertThrows(BindException.class, () -> other.listen(PORT));
        assertEquals(
                "UDP port 4720 is in use by another process of this broker (process "
                        + ProcessHandle.current().pid() + " of user " + System.getProperty("user.name")
                        + "); end that one, or take another port",
                e.getMessage());
        one.close();
        Deadline.await("the port to be free", () -> canListen(other, PORT));
    }

    private static boolean canListen(Transport transport, int port) throws IOException {
        try (WeirServerSocket listener = transport.listen(port)) {
            return listener.localPort() == port;
        } catch (BindException e) {
            return false;
        }
    }

    @Test
    void listen_portWithoutTheRight_isRefused() throws Exception {
        broker.close();
        UnixSocket.Peer self = self();
        if (self.user() == 0) {
            // Root has every right.
            broker = serve(PortRights.parse("rights", List.of("* 4720"), name -> -1));
            client().listen(1).close();
            return;
        }
        broker = serve(PortRights.parse("rights", List.of(self.user() + " 4720"), name -> -1));
        Transport one = client();
        one.listen(PORT).close();
        NicException e = assertThrows(NicException.class, () -> one.listen(PORT + 1));
        assertTrue(e.is(Errno.EACCES), e.getMessage());
    }

    private UnixSocket.Peer self() throws NicException {
        int listening = UnixSocket.listen(folder.resolve("self").toString());
        try (UnixSocket connected = UnixSocket.connect(folder.resolve("self").toString())) {
            return connected.peer();
        } finally {
            Libc.close(listening);
        }
    }

    @Test
    void open_noBroker_saysHowToStartOne() {
        broker.close();
        NicException e = assertThrows(NicException.class, this::client);
        assertEquals(
                "no broker listens at " + socket
                        + "; start one as root: weir broker --interface NAME (docs/SHARING.md)",
                e.getMessage());
    }

    @Test
    void open_socketLeftByADeadBroker_saysSoAndIsReplaced() throws Exception {
        broker.close();
        Libc.close(UnixSocket.listen(socket.toString()));
        NicException e = assertThrows(NicException.class, this::client);
        assertTrue(e.getMessage().startsWith("no broker listens at " + socket + " any more"), e.getMessage());
        broker = serve(PortRights.asFromTheKernel());
        transfer(remote, client(), "10.0.0.1", PORT, false);
    }

    @Test
    void open_secondBrokerAtTheSocket_isRefused() {
        NicException e = assertThrows(NicException.class, () -> serve(PortRights.asFromTheKernel()));
        assertEquals(
                "process " + ProcessHandle.current().pid() + " listens at " + socket
                        + " already; use that broker, end it (kill "
                        + ProcessHandle.current().pid() + "), or give another path by --socket",
                e.getMessage());
    }

    @Test
    void open_furtherAddresses_areRefused() throws Exception {
        TransportConfig config = TransportConfig.builder()
                .backend(BrokerBackend.NAME)
                .addresses(List.of(InetAddress.getByName("10.0.0.7")))
                .build();
        assertThrows(ConfigException.class, () -> Transport.open(socket.toString(), config));
    }

    // ---- ends

    @Test
    void close_broker_endsItsClientsConnectionsWithTheReason() throws Exception {
        Transport one = client();
        try (WeirServerSocket listener = remote.listen(PORT);
                WeirSocket connection = one.connect(new InetSocketAddress("10.0.0.2", PORT), Deadline.HANG_GUARD);
                WeirSocket accepted = listener.accept()) {
            assertFalse(accepted.isClosed());
            broker.close();
            SocketException end = assertThrows(
                    SocketException.class, () -> connection.inputStream().read());
            assertTrue(end.getMessage().startsWith("The broker of this transport ended or hung up"), end.getMessage());
        }
        assertEquals(CloseReason.BROKER_ENDED, one.interfaceEnd());
        assertTrue(
                one.loop().portFailure().contains("ended or hung up"),
                one.loop().portFailure());
    }

    @Test
    void close_client_givesEverythingBack() throws Exception {
        for (int i = 0; i < 20; i++) {
            Transport one = client();
            one.listen(PORT);
            one.close();
            Deadline.await("the client to be gone", () -> broker.counts().clientCount() == 0);
            Deadline.await("its places and memory", () -> broker.ledger().isBalanced());
        }
        assertEquals(20, broker.counts().servedClientCount());
    }

    // ---- hostile clients

    /** A process that speaks the protocol, and does with its memory what it likes. */
    private final class Hostile implements AutoCloseable {
        private final BrokerConnection connection = BrokerConnection.connect(socket);
        private final BrokerConnection.Welcome welcome = connection.hello();
        private final FramePool pool = new FramePool(16, 2_048);
        private final RegionPort port;
        private final UnsafeBuffer memory;

        Hostile() throws IOException {
            int bytes = regionBytes();
            memory = new UnsafeBuffer(Libc.mmap(welcome.memory(), bytes, 0), bytes);
            port = new RegionPort(
                    MemoryLink.info("hostile", 0, 1500, 0),
                    pool,
                    SharedRegion.map(welcome.layout(), welcome.memory()),
                    new Bell(welcome.bell()),
                    1);
            Libc.close(welcome.memory());
        }

        private int regionBytes() {
            // Slots are an odd number of cache lines, rings whole pages: the file knows best.
            return (int) Libc.lengthBytes(welcome.memory());
        }

        void send(String source, int destinationPort) {
            Frame frame = pool.allocate();
            new UdpFrames(1, source, 2, "10.0.0.2").write(frame, 0, 100, destinationPort, 1);
            port.transmit(frame);
            port.flush();
        }

        @Override
        public void close() {
            Libc.munmap(memory.addressOffset(), memory.capacity());
            port.close();
            connection.close();
        }
    }

    @Test
    void frames_notFromAnAddressAndPortOfTheClient_areRefused() throws Exception {
        try (Hostile hostile = new Hostile()) {
            hostile.send("10.0.0.1", PORT);
            Deadline.await(
                    "a frame without a port to be refused",
                    () -> broker.counts().refusedFrames() == 1);
            hostile.connection.start(new HeardEvents(), "test");
            hostile.connection.claim(UdpFrames.SOURCE_PORT);
            hostile.send("10.0.0.9", PORT);
            Deadline.await("both to be refused", () -> broker.counts().refusedFrames() == 2);
            hostile.send("10.0.0.1", PORT);
            Deadline.await("its own to leave", () -> broker.counts().sentFrames() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void memory_scribbledOver_endsThatClientAlone(long seed) throws Exception {
        Transport one = client();
        Random random = new Random(seed);
        try (Hostile hostile = new Hostile()) {
            hostile.connection.start(new HeardEvents(), "test");
            hostile.connection.claim(PORT + 5);
            Deadline deadline = Deadline.of("the end of the hostile client of seed " + seed, () -> "");
            while (broker.counts().clientCount() > 1) {
                hostile.memory.putLong(random.nextInt(hostile.memory.capacity() / 8) * 8, random.nextLong());
                hostile.memory.putLong(random.nextInt(8) * 128, random.nextLong());
                hostile.memory.putLong(hostile.memory.capacity() / 2 + random.nextInt(8) * 128, random.nextLong());
                deadline.check();
            }
        }
        Deadline.await("its port to be free", () -> canListen(one, PORT + 5));
        transfer(remote, one, "10.0.0.1", PORT, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void messages_garbage_endsThatConnectionAlone(long seed) throws Exception {
        Transport one = client();
        Random random = new Random(seed);
        UnsafeBuffer message = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX + 100);
        for (int i = 0; i < 100; i++) {
            try (UnixSocket raw = UnixSocket.connect(socket.toString())) {
                if (random.nextBoolean()) {
                    MessageWriter hello = new MessageWriter(MessageKind.HELLO).putInt(MessageKind.VERSION);
                    raw.offer(hello.buffer(), hello.lengthBytes());
                }
                for (int j = 0; j < 20; j++) {
                    byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 64 : message.capacity())];
                    random.nextBytes(bytes);
                    message.putBytes(0, bytes);
                    if (random.nextBoolean()) {
                        message.putInt(0, random.nextInt(MessageKind.values().length));
                    }
                    raw.offer(message, bytes.length);
                }
            }
        }
        Deadline.await("all to be gone", () -> broker.counts().clientCount() == 1);
        transfer(remote, one, "10.0.0.1", PORT, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void messages_garbageFromABroker_neverThrows(long seed) throws Exception {
        Random random = new Random(seed);
        try (BrokerConnection connection = BrokerConnection.connect(socket)) {
            connection.hello();
            connection.start(new HeardEvents(), "test");
            byte[] bytes = new byte[200];
            for (int i = 0; i < 100_000; i++) {
                random.nextBytes(bytes);
                UnsafeBuffer message = new UnsafeBuffer(bytes);
                message.putInt(0, random.nextInt(MessageKind.values().length + 1));
                message.putInt(4, random.nextInt(9));
                connection.onMessage(new MessageReader(message, random.nextInt(bytes.length)));
            }
        }
    }

    /** Prints nothing. */
    private static final class Silent implements BrokerListener {
        @Override
        public void onClient(int number, int processId, String user) {}

        @Override
        public void onClientGone(int number, String reason) {}

        @Override
        public void onRefusal(int processId, String user, String sentence) {}

        @Override
        public void onWait(int processId, String user, String sentence) {}
    }
}
