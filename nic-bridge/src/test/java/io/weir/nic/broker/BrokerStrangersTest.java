package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.ForwardingInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a hostile client of a broker can do to the others: none is ended or told anything because of it. */
@EnabledOnOs(OS.LINUX)
class BrokerStrangersTest {
    private static final int PORT = 4720;
    /** More than all clients that a broker serves can have; no test touches much of it. */
    private static final long MEMORY_BYTES = 1L << 40;

    private static final int FLOOD = 25_000;
    private static final InetSocketAddress VICTIM = new InetSocketAddress("10.0.0.1", PORT);

    @TempDir
    private Path folder;

    /** What clients were given: a bell that is closed ends its client. */
    private final List<Integer> descriptors = new ArrayList<>();

    private final List<String> gone = Collections.synchronizedList(new ArrayList<>());
    private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());
    private Path socket;
    private Answering served;
    private Broker broker;
    private HeardEvents victimEvents;
    private BrokerConnection victim;

    /** Thrown to the thread that serves a new client, or null. */
    private volatile Throwable failure;

    @BeforeEach
    void open() throws IOException {
        open(MEMORY_BYTES);
    }

    private void reopen(long memoryBytesMax) throws IOException {
        close();
        open(memoryBytesMax);
    }

    private void open(long memoryBytesMax) throws IOException {
        socket = folder.resolve("mem0.sock");
        FramePool pool = new FramePool(2_048, 2_048);
        served = new Answering(MemoryNetwork.pair(pool, new FramePool(64, 2_048), 1_500, 10_000_000_000L)
                .get(0));
        broker = Broker.open(
                config(socket, memoryBytesMax),
                SchedulingConfig.DEFAULT,
                new Log(),
                () -> new Backend.Opened(served, pool));
        victimEvents = new HeardEvents();
        victim = connect(victimEvents);
        victim.claim(PORT);
    }

    private static BrokerConfig config(Path path, long memoryBytesMax) {
        return new BrokerConfig(
                "mem0",
                "memory",
                path,
                BrokerConfig.NO_DESCRIPTOR,
                PortRights.asFromTheKernel(),
                List.of(),
                IdleMode.BACK_OFF,
                memoryBytesMax,
                BrokerConfig.USER_SHARE_PERCENT_DEFAULT,
                PortConfig.DEFAULT);
    }

    private BrokerConnection connect(HeardEvents events) throws IOException {
        BrokerConnection connection = BrokerConnection.connect(socket);
        BrokerConnection.Welcome welcome = connection.hello();
        descriptors.addAll(List.of(welcome.memory(), welcome.bell()));
        connection.start(events, "test");
        return connection;
    }

    @AfterEach
    void close() {
        victim.close();
        broker.close();
        descriptors.forEach(Libc::close);
        descriptors.clear();
    }

    /** {@return a client that reads nothing but its welcome} */
    private UnixSocket silent() throws IOException {
        UnixSocket raw = UnixSocket.connect(socket.toString());
        MessageWriter hello = new MessageWriter(MessageKind.HELLO).putInt(MessageKind.VERSION);
        raw.send(hello.buffer(), hello.lengthBytes());
        raw.receive(NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX));
        for (int descriptor : raw.takeDescriptors()) {
            descriptors.add(descriptor);
        }
        return raw;
    }

    /** The victim is there, and is answered. */
    private void requireVictimServed() throws IOException {
        victim.claim(PORT + 1);
        victim.release(PORT + 1);
        assertEquals(0, victimEvents.goneCount.get());
    }

    @Test
    void findMacs_floodOfOneClient_isAnsweredToNobodyElse() throws Exception {
        try (UnixSocket hostile = silent()) {
            MessageWriter empty = new MessageWriter(MessageKind.FIND_MACS).putInt(0);
            for (int i = 0; i < FLOOD; i++) {
                hostile.trySend(empty.buffer(), empty.lengthBytes());
            }
            requireVictimServed();
            victim.findMacs(List.of(InetAddress.getByName("10.0.0.2")));
            Deadline.await("the victim's own answer", () -> victimEvents.macsCount.get() > 0);
            assertEquals(1, victimEvents.macsCount.get());
            assertEquals(
                    List.of(InetAddress.getByName("10.0.0.2")),
                    List.copyOf(victimEvents.latestMacs().keySet()));
        }
    }

    @Test
    void introduce_againAndAgain_isRefusedAndTheVictimHearsOfFew() throws Exception {
        BrokerConnection hostile = connect(new HeardEvents());
        try {
            hostile.resolve(PORT + 2, VICTIM, 0);
            Deadline.await("the introduction", () -> victimEvents.peer.get() != 0);
            int refused = 0;
            for (int i = 0; i < 300; i++) {
                // The victim's number: it is the broker's first client.
                hostile.dropPeer(1);
                try {
                    hostile.resolve(PORT + 2, VICTIM, 0);
                } catch (NicException e) {
                    assertTrue(e.getMessage().contains("less than a second ago"), e.getMessage());
                    refused++;
                }
            }
            assertTrue(refused > 0);
            assertEquals(300 - refused, victimEvents.peersCount.get() - 1);
            requireVictimServed();
        } finally {
            hostile.close();
        }
    }

    @Test
    void connect_withoutAHello_isHungUpAndItsPlaceIsFree() throws Exception {
        List<UnixSocket> squatters = new ArrayList<>();
        while (squatters.size() < Broker.CLIENTS_MAX - 1) {
            squatters.add(UnixSocket.connect(socket.toString()));
        }
        UnsafeBuffer buffer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
        for (UnixSocket squatter : squatters) {
            assertEquals(0, squatter.receive(buffer));
            squatter.close();
        }
        Deadline.await("a place", this::canConnect);
        requireVictimServed();
    }

    private boolean canConnect() throws IOException {
        try {
            connect(new HeardEvents()).close();
            return true;
        } catch (NicException e) {
            return false;
        }
    }

    @Test
    void connect_whenAllPlacesAreTaken_isRefusedWithTheNumberAndTheLimit() throws Exception {
        List<UnixSocket> others = new ArrayList<>();
        try {
            while (others.size() < Broker.CLIENTS_MAX - 1) {
                others.add(silent());
            }
            IOException refused = assertThrows(IOException.class, () -> connect(new HeardEvents()));
            String limit = "has " + Broker.CLIENTS_MAX + " processes, the most that it serves";
            assertTrue(refused.getMessage().contains(limit), refused.getMessage());
            Deadline.await("the broker's log of the refusal", () -> !refusals.isEmpty());
            assertTrue(refusals.get(0).contains(limit), refusals.get(0));
        } finally {
            others.forEach(UnixSocket::close);
        }
        requireVictimServed();
    }

    @Test
    void news_moreThanAClientReads_areTheLatestWhenItReads() throws Exception {
        try (UnixSocket slow = silent()) {
            int latest = 2_000 + FLOOD;
            for (int mtuBytes = 2_000; mtuBytes <= latest; mtuBytes++) {
                served.listener.onMtu(mtuBytes);
            }
            assertEquals(List.of(), gone);
            UnsafeBuffer buffer = NativeMemory.allocate(UnixSocket.MESSAGE_BYTES_MAX);
            int told = 0;
            while (told != latest) {
                int lengthBytes = slow.receive(buffer);
                assertTrue(lengthBytes > 0, "it was hung up");
                MessageReader message = new MessageReader(buffer, lengthBytes);
                if (MessageKind.of(message.getInt()) == MessageKind.MTU) {
                    told = message.getInt();
                }
            }
        }
        requireVictimServed();
    }

    @Test
    void hello_beyondTheMemory_isRefusedWithTheNumberAndTheOption() throws Exception {
        reopen(BrokerConfig.MEMORY_BYTES_MIN);
        List<BrokerConnection> others = new ArrayList<>();
        try {
            IOException refused = assertThrows(IOException.class, () -> {
                while (others.size() < Broker.CLIENTS_PER_USER_MAX) {
                    others.add(connect(new HeardEvents()));
                }
            });
            assertTrue(refused.getMessage().contains("MB of rings more would exceed what"), refused.getMessage());
            assertTrue(refused.getMessage().contains("--memory"), refused.getMessage());
            Deadline.await("the broker's log of the refusal", () -> !refusals.isEmpty());
            assertEquals(refused.getMessage(), refusals.get(0));
            requireVictimServed();
        } finally {
            others.forEach(BrokerConnection::close);
        }
        Deadline.await("memory", this::canConnect);
    }

    @Test
    void introduce_beyondTheMemory_isRefusedAndWhatIsDroppedGivesItBack() throws Exception {
        reopen(BrokerConfig.MEMORY_BYTES_MIN);
        List<BrokerConnection> hostile = new ArrayList<>();
        try {
            // With one pair less is left than a client and what remains would give without that pair's.
            for (int i = 0; i < 7; i++) {
                hostile.add(connect(new HeardEvents()));
            }
            IOException refused = assertThrows(IOException.class, () -> {
                for (BrokerConnection each : hostile) {
                    each.resolve(PORT + 2, VICTIM, 0);
                }
            });
            assertTrue(refused.getMessage().contains("MB of rings more would exceed what"), refused.getMessage());
            requireVictimServed();
            hostile.get(0).close();
            BrokerConnection last = hostile.get(hostile.size() - 1);
            Deadline.await("memory of rings with one that has gone", () -> canMeet(last));
        } finally {
            hostile.forEach(BrokerConnection::close);
        }
    }

    private static boolean canMeet(BrokerConnection client) throws IOException {
        try {
            client.resolve(PORT + 2, VICTIM, 0);
            return true;
        } catch (NicException e) {
            return false;
        }
    }

    @Test
    void welcome_listenerFails_endsThatClientAlone() throws Exception {
        failure = new IllegalStateException("planted");
        assertThrows(IOException.class, () -> connect(new HeardEvents()).claim(PORT + 2));
        failure = null;
        Deadline.await("the session's end", () -> gone.stream().anyMatch(reason -> reason.contains("planted")));
        assertNull(broker.fatalFailure());
        requireVictimServed();
        assertTrue(canConnect());
    }

    @Test
    void welcome_memoryOfTheProcessIsUsedUp_endsTheBrokerWithTheCause() throws Exception {
        failure = new OutOfMemoryError("planted");
        assertThrows(IOException.class, () -> connect(new HeardEvents()).claim(PORT + 2));
        Deadline.await("the broker's end", () -> broker.fatalFailure() != null);
        assertTrue(broker.fatalFailure().contains("planted"), broker.fatalFailure());
        assertFalse(broker.isInterfaceGone());
    }

    @Test
    void open_socketInAFolderThatOthersMayWriteTo_isRefused() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        NicException refused = assertThrows(
                NicException.class,
                () -> Broker.open(
                        config(open.resolve("mem0.sock"), MEMORY_BYTES), SchedulingConfig.DEFAULT, new Log(), () -> {
                            throw new AssertionError("the interface is opened after the socket");
                        }));
        assertTrue(refused.getMessage().contains("others could put something else in place"), refused.getMessage());
    }

    /** An interface that knows every next hop. */
    private static final class Answering extends ForwardingInterface {
        private volatile InterfaceListener listener;

        Answering(NetInterface inner) {
            super(inner);
        }

        @Override
        public void follow(InterfaceListener changes) {
            listener = changes;
        }

        @Override
        public void findMacs(Collection<InetAddress> remotes) {
            Map<InetAddress, Long> macs = new HashMap<>();
            remotes.forEach(remote -> macs.put(remote, 2L));
            listener.onMacs(1, macs);
        }
    }

    /** Notes who goes and who is refused. */
    private final class Log implements BrokerListener {
        @Override
        public void onClient(int number, int processId, String user) {
            Throwable planted = failure;
            if (planted instanceof Error error) {
                throw error;
            }
            if (planted != null) {
                throw (RuntimeException) planted;
            }
        }

        @Override
        public synchronized void onClientGone(int number, String reason) {
            gone.add(reason);
        }

        @Override
        public synchronized void onRefusal(int processId, String user, String sentence) {
            refusals.add(sentence);
        }

        @Override
        public void onWait(int processId, String user, String sentence) {}
    }
}
