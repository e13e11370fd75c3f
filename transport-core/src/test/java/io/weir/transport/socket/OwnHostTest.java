package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.testing.Background;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests connections to the own host: to a transport itself, and to another of the same process, through memory. */
class OwnHostTest {
    private static final int PORT = 4_720;
    private static final int CLOSED_PORT = 4_721;
    private static final Duration PATIENCE = TwoTransports.PATIENCE;
    private static final int LARGE_BYTES = 8 << 20;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<FramePool> pools = new ArrayList<>();
    private final List<Transport> transports = new ArrayList<>();
    private Transport one;
    private Transport other;

    /** An interface of a host that has several. */
    private record SharedHost(NetInterface own) implements NetInterface {
        @Override
        public NetPort port() {
            return own.port();
        }

        @Override
        public List<InetAddress> addresses() {
            return own.addresses();
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
            return own.resolve(localPort, remote);
        }

        @Override
        public void claimPort(int port) throws IOException {
            own.claimPort(port);
        }

        @Override
        public void releasePort(int port) {
            own.releasePort(port);
        }

        @Override
        public void follow(InterfaceListener listener) throws IOException {
            own.follow(listener);
        }

        @Override
        public Object host() {
            return "the host of this test";
        }

        @Override
        public Waiter newWaiter() throws IOException {
            return own.newWaiter();
        }
    }

    /** Two interfaces of one host, each on its own link to nobody. */
    @BeforeEach
    void open() throws IOException {
        one = open("10.0.1.1", 1);
        other = open("10.0.2.1", 3);
    }

    private Transport open(String address, long mac) throws IOException {
        FramePool pool = new FramePool(2_048, 2_048, true);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("mem" + mac, mac, 1_500, 10_000_000_000L),
                pool,
                MemoryLink.info("nobody", mac + 1, 1_500, 10_000_000_000L),
                new FramePool(64, 2_048));
        NetInterface own = new MemoryNetwork().attach(link.left(), InetAddress.getByName(address));
        Transport transport = Transport.open(new SharedHost(own), pool, TransportConfig.DEFAULT);
        pools.add(pool);
        transports.add(transport);
        return transport;
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
        pools.forEach(pool -> assertEquals(pool.frameCount(), pool.available()));
    }

    private static InetSocketAddress at(InetAddress address) {
        return new InetSocketAddress(address, PORT);
    }

    private static void requireConversation(Transport client, Transport server, InetSocketAddress remote)
            throws Exception {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket near = client.connect(remote, PATIENCE);
                WeirSocket far = listener.accept()) {
            assertTrue(near.isInProcess());
            assertTrue(far.isInProcess());
            assertEquals(remote, near.remoteAddress());
            assertEquals(remote, far.localAddress());
            assertEquals(near.localAddress(), far.remoteAddress());
            CompletableFuture<Long> there = Background.run(() -> count(far));
            CompletableFuture<Long> back = Background.run(() -> count(near));
            CompletableFuture<Void> sent = Background.run(() -> send(far));
            send(near);
            sent.get();
            assertEquals(LARGE_BYTES, there.get());
            assertEquals(LARGE_BYTES, back.get());
        }
    }

    private static Void send(WeirSocket socket) throws IOException {
        try (OutputStream out = new KeptOpen(socket)) {
            byte[] bytes = new byte[LARGE_BYTES];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ((i * 31) >>> 8);
            }
            out.write(bytes);
        }
        socket.shutdownOutput();
        return null;
    }

    /** A socket's output whose end leaves the socket open. */
    private static final class KeptOpen extends OutputStream {
        private final OutputStream out;

        KeptOpen(WeirSocket socket) {
            out = socket.outputStream();
        }

        @Override
        public void write(int octet) throws IOException {
            out.write(octet);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }
    }

    private static long count(WeirSocket socket) throws IOException {
        InputStream in = socket.inputStream();
        byte[] bytes = new byte[64 * 1024];
        long total = 0;
        for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
            for (int i = 0; i < length; i++) {
                assertEquals((byte) (((total + i) * 31) >>> 8), bytes[i]);
            }
            total += length;
        }
        return total;
    }

    @Test
    void connect_ownAddress_reachesTheTransportItself() throws Exception {
        requireConversation(one, one, at(one.addresses().get(0)));
    }

    @Test
    void connect_loopback_reachesTheTransportItself() throws Exception {
        requireConversation(one, one, at(LOOPBACK));
    }

    @Test
    void connect_loopbackOnWhichTheOtherListens_reachesTheOther() throws Exception {
        requireConversation(one, other, at(LOOPBACK));
    }

    @Test
    void connect_addressOfTheOther_reachesTheOther() throws Exception {
        requireConversation(one, other, at(other.addresses().get(0)));
    }

    @Test
    void connect_nobodyListens_isRefused() {
        for (InetAddress address :
                List.of(LOOPBACK, one.addresses().get(0), other.addresses().get(0))) {
            assertThrows(
                    ConnectException.class, () -> one.connect(new InetSocketAddress(address, CLOSED_PORT), PATIENCE));
        }
    }

    @Test
    void close_ofTheOther_endsItsConnections() throws Exception {
        WeirServerSocket listener = other.listen(PORT);
        WeirSocket near = one.connect(at(LOOPBACK), PATIENCE);
        WeirSocket far = listener.accept();
        assertTrue(far.isInProcess());
        other.close(Duration.ZERO);
        assertThrows(IOException.class, () -> near.inputStream().read());
        transports.remove(other);
        // Its place is taken by another transport, which is reached from now on.
        other = open("10.0.2.1", 3);
        requireConversation(one, other, at(LOOPBACK));
    }

    @Test
    void close_whileTheLoopAtTheOtherEndDoesNotRun_losesNoReset() throws Exception {
        WeirServerSocket listener = other.listen(PORT);
        WeirSocket near = one.connect(at(LOOPBACK), PATIENCE);
        listener.accept();
        CompletableFuture<Void> held = new CompletableFuture<>();
        CompletableFuture<Void> isClosed = new CompletableFuture<>();
        one.execute(nowNanos -> {
            held.complete(null);
            isClosed.join();
        });
        held.get();
        other.close(Duration.ZERO);
        isClosed.complete(null);
        assertThrows(IOException.class, () -> near.inputStream().read());
        transports.remove(other);
    }

    @Test
    void connect_byAWire_isNotInProcess() throws Exception {
        try (TwoTransports pair = new TwoTransports()) {
            assertFalse(pair.near().isInProcess());
            assertFalse(pair.far().isInProcess());
        }
    }

    @Test
    void socketsOfTheJdk_onLoopback_talk() throws Exception {
        try (ServerSocket listener = new WeirServerSocketFactory(one).createServerSocket(0, 5, LOOPBACK);
                Socket near = new WeirSocketFactory(one).createSocket(LOOPBACK, listener.getLocalPort());
                Socket far = listener.accept()) {
            near.getOutputStream().write(42);
            assertEquals(42, far.getInputStream().read());
            assertEquals(LOOPBACK, far.getInetAddress());
        }
    }
}
