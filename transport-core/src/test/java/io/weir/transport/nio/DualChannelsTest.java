package io.weir.transport.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.fallback.Explanation;
import io.weir.transport.fallback.Outcome;
import io.weir.transport.fallback.TestFallback;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays what programs do with channels and selectors, over Weir and over the kernel's TCP by loopback. */
class DualChannelsTest {
    private static final String WEIR = "both 127.0.0.0/8 * weir interface=m";
    private static final String PREFER = "both 127.0.0.0/8 * prefer interface=m";
    private static final String PREFER_FROM_HERE = "connect 127.0.0.0/8 * prefer interface=m";
    private static final String TCP = "both * * tcp";
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private TestFallback rules;
    private DualSelectorProvider provider;

    private void open(String text) throws Exception {
        rules = new TestFallback(text);
        provider = new DualSelectorProvider(SelectorProvider.provider(), rules.fallback);
    }

    @AfterEach
    void close() {
        rules.close();
    }

    private ServerSocketChannel listener() throws IOException {
        return provider.openServerSocketChannel().bind(ANY_PORT);
    }

    private SocketChannel connected(ServerSocketChannel listener) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        assertTrue(channel.connect(listener.getLocalAddress()));
        return channel;
    }

    private static ByteBuffer bytes(int count) {
        ByteBuffer made = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            made.put((byte) (i * 31 + (i >> 8)));
        }
        return made.flip();
    }

    /** Serves one connection by a selector: everything comes back, and the end of the stream too. */
    private static void echo(Selector selector, ServerSocketChannel listener) throws IOException {
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer held = ByteBuffer.allocate(10_000);
        boolean isOver = false;
        while (!isOver) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isValid() && key.isAcceptable()) {
                    SocketChannel accepted = listener.accept();
                    if (accepted != null) {
                        accepted.configureBlocking(false);
                        accepted.register(selector, SelectionKey.OP_READ);
                    }
                } else if (key.isValid()) {
                    isOver |= pass((SocketChannel) key.channel(), key, held);
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private static boolean pass(SocketChannel channel, SelectionKey key, ByteBuffer held) throws IOException {
        boolean isEnd = channel.read(held) < 0;
        held.flip();
        channel.write(held);
        held.compact();
        if (isEnd && held.position() == 0) {
            channel.close();
            return true;
        }
        key.interestOps(held.position() > 0 ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        if (isEnd) {
            key.interestOps(SelectionKey.OP_WRITE);
        }
        return false;
    }

    private static CompletableFuture<Void> background(Call work) {
        return CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** What another thread does. */
    private interface Call {
        void run() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void selector_echoesAMegabyte_eachWay(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener();
                Selector selector = provider.openSelector()) {
            CompletableFuture<Void> server = background(() -> echo(selector, listener));
            ByteBuffer sent = bytes(1_000_000);
            ByteBuffer received = ByteBuffer.allocate(sent.capacity());
            try (SocketChannel channel = connected(listener)) {
                CompletableFuture<Void> writer = background(() -> {
                    while (sent.hasRemaining()) {
                        channel.write(sent);
                    }
                    channel.shutdownOutput();
                });
                while (received.hasRemaining()) {
                    assertTrue(channel.read(received) > 0);
                }
                assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
                writer.get();
            }
            assertEquals(bytes(sent.capacity()), received.flip());
            server.get();
        }
        assertEquals(!text.equals(TCP), rules.fallback.counts().get(Outcome.WEIR) > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void connect_notBlocking_isFinishedByTheSelector(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener();
                Selector selector = provider.openSelector();
                SocketChannel channel = provider.openSocketChannel()) {
            assertThrows(NotYetConnectedException.class, () -> channel.read(ByteBuffer.allocate(1)));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, 0);
            if (!channel.connect(listener.getLocalAddress())) {
                assertTrue(channel.isConnectionPending());
                key.interestOps(SelectionKey.OP_CONNECT);
                while (!key.isConnectable()) {
                    selector.select();
                }
                assertTrue(channel.finishConnect());
            }
            assertTrue(channel.isConnected());
            assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
            assertEquals(listener.getLocalAddress(), channel.getRemoteAddress());
            key.interestOps(SelectionKey.OP_WRITE);
            selector.selectedKeys().clear();
            assertEquals(1, selector.select());
            assertTrue(key.isWritable());
            assertEquals(5, channel.write(bytes(5)));
            try (SocketChannel accepted = listener.accept()) {
                assertEquals(5, accepted.read(ByteBuffer.allocate(10)));
            }
        }
    }

    /** As the kernel's: else it is by chance, which programs meet late. */
    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void connect_notBlocking_neverIsOpenAtOnce(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener()) {
            for (int i = 0; i < 300; i++) {
                try (SocketChannel channel = provider.openSocketChannel()) {
                    channel.configureBlocking(false);
                    assertFalse(channel.connect(listener.getLocalAddress()), "connect " + i);
                    channel.configureBlocking(true);
                    assertTrue(channel.finishConnect());
                    listener.accept().close();
                }
            }
        }
    }

    /** Netty asks the socket whether it has shut the channel. */
    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void shutdown_ofTheChannel_isKnownToItsSocket(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener();
                SocketChannel channel = connected(listener);
                SocketChannel accepted = listener.accept()) {
            for (SocketChannel end : new SocketChannel[] {channel, accepted}) {
                assertFalse(end.socket().isInputShutdown());
                end.shutdownInput();
                assertTrue(end.socket().isInputShutdown());
                assertThrows(SocketException.class, () -> end.socket().getInputStream());
                assertFalse(end.socket().isOutputShutdown());
                end.shutdownOutput();
                assertTrue(end.socket().isOutputShutdown());
                assertThrows(SocketException.class, () -> end.socket().getOutputStream());
            }
        }
    }

    /** Kafka's clients take the name that a certificate must have from there. */
    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void connect_isPendingOrHasFailed_hasItsPeer(String text) throws Exception {
        open(text);
        InetAddress named = InetAddress.getByAddress("server.example", new byte[] {127, 0, 0, 1});
        try (ServerSocketChannel listener = listener();
                SocketChannel channel = provider.openSocketChannel()) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            InetSocketAddress peer = new InetSocketAddress(named, port);
            assertNull(channel.getRemoteAddress());
            assertNull(channel.socket().getInetAddress());
            channel.configureBlocking(false);
            channel.connect(peer);
            assertEquals(peer, channel.getRemoteAddress());
            assertEquals("server.example", channel.socket().getInetAddress().getHostName());
            assertEquals(port, channel.socket().getPort());
        }
        InetSocketAddress target;
        try (ServerSocketChannel closed = listener()) {
            target = (InetSocketAddress) closed.getLocalAddress();
        }
        try (SocketChannel channel = provider.openSocketChannel()) {
            assertThrows(ConnectException.class, () -> channel.connect(target));
            assertFalse(channel.isOpen());
            assertEquals(target, channel.socket().getRemoteSocketAddress());
        }
    }

    @Test
    void connect_peerHasNoWeir_goesOverTcpAndIsRemembered() throws Exception {
        open(PREFER_FROM_HERE);
        try (ServerSocketChannel listener = listener()) {
            connected(listener).close();
            connected(listener).close();
        }
        assertEquals(1, rules.fallback.counts().get(Outcome.TCP_REFUSED));
        assertEquals(1, rules.fallback.counts().get(Outcome.TCP_REMEMBERED));
        Explanation first = rules.told.peek();
        assertNotNull(first);
        assertTrue(first.text().contains("over TCP") && first.text().contains("refused"), first.text());
    }

    @Test
    void connect_weirIsAloneAndRefused_saysSo() throws Exception {
        open("connect 127.0.0.0/8 * weir interface=m");
        try (ServerSocketChannel listener = listener();
                SocketChannel channel = provider.openSocketChannel()) {
            assertThrows(ConnectException.class, () -> channel.connect(listener.getLocalAddress()));
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void connect_nobodyListensAtAll_isRefused() throws Exception {
        open(PREFER);
        ServerSocketChannel listener = listener();
        InetSocketAddress gone = (InetSocketAddress) listener.getLocalAddress();
        listener.close();
        try (SocketChannel channel = provider.openSocketChannel()) {
            assertThrows(ConnectException.class, () -> channel.connect(gone));
        }
    }

    @Test
    void connect_interfaceCouldNotBeOpened_goesOverTcpUnlessWeirIsAsked() throws Exception {
        open("both 127.0.0.1 * prefer interface=lost\nconnect 127.0.0.2 * weir interface=lost");
        try (ServerSocketChannel listener = listener();
                SocketChannel refused = provider.openSocketChannel()) {
            connected(listener).close();
            IOException reason =
                    assertThrows(IOException.class, () -> refused.connect(new InetSocketAddress("127.0.0.2", 1)));
            assertTrue(reason.getMessage().contains("load it"), reason.getMessage());
        }
        assertEquals(2, rules.fallback.counts().get(Outcome.TCP_UNAVAILABLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, TCP})
    void read_closedOrInterruptedByAnotherThread_endsAsTheJavadocSays(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener()) {
            SocketChannel closed = connected(listener);
            CompletableFuture<Void> reader = background(() -> closed.read(ByteBuffer.allocate(1)));
            closed.close();
            Throwable first =
                    assertThrows(ExecutionException.class, reader::get).getCause();
            assertTrue(first.getCause() instanceof ClosedChannelException, () -> String.valueOf(first.getCause()));

            SocketChannel interrupted = connected(listener);
            AtomicReference<Throwable> problem = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    interrupted.read(ByteBuffer.allocate(1));
                } catch (IOException e) {
                    problem.set(e);
                }
            });
            thread.start();
            thread.interrupt();
            thread.join();
            assertTrue(problem.get() instanceof ClosedByInterruptException, () -> String.valueOf(problem.get()));
            assertFalse(interrupted.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER, TCP})
    void accept_closedByAnotherThread_ends(String text) throws Exception {
        open(text);
        ServerSocketChannel listener = listener();
        CompletableFuture<Void> acceptor = background(listener::accept);
        listener.close();
        Throwable problem =
                assertThrows(ExecutionException.class, acceptor::get).getCause();
        assertTrue(
                problem.getCause() instanceof AsynchronousCloseException
                        || problem.getCause() instanceof ClosedChannelException,
                () -> String.valueOf(problem.getCause()));
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, TCP})
    void select_bytesAreLeft_findsThemAgain(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener();
                Selector selector = provider.openSelector();
                SocketChannel channel = connected(listener);
                SocketChannel accepted = listener.accept()) {
            accepted.configureBlocking(false);
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ, "attached");
            assertEquals("attached", key.attachment());
            assertEquals(0, selector.selectNow());
            channel.write(bytes(10));
            assertEquals(1, selector.select());
            assertEquals(Set.of(key), new HashSet<>(selector.selectedKeys()));
            assertEquals(0, selector.selectNow(), "selected already");
            selector.selectedKeys().clear();
            assertEquals(4, accepted.read(ByteBuffer.allocate(4)));
            assertEquals(1, selector.select(), "six bytes are left");
            selector.selectedKeys().clear();
            assertEquals(6, accepted.read(ByteBuffer.allocate(10)));
            assertEquals(0, selector.selectNow());
            assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys()
                    .add(key));

            key.interestOps(0);
            channel.shutdownOutput();
            assertEquals(0, selector.selectNow());
            key.interestOps(SelectionKey.OP_READ);
            assertEquals(1, selector.select(each -> assertTrue(each.isReadable())));
            assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, TCP})
    void key_cancelled_letsTheChannelBlockAgain(String text) throws Exception {
        open(text);
        try (ServerSocketChannel listener = listener();
                Selector selector = provider.openSelector();
                SocketChannel channel = connected(listener)) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            assertEquals(1, selector.select());
            key.cancel();
            assertFalse(key.isValid());
            assertThrows(CancelledKeyException.class, key::interestOps);
            channel.configureBlocking(true);
            assertEquals(0, selector.selectNow());
            assertTrue(selector.keys().isEmpty());
            assertTrue(selector.selectedKeys().isEmpty());
            assertFalse(channel.isRegistered());
            assertEquals(3, channel.write(bytes(3)));
        }
    }

    @Test
    void wakeup_beforeAndDuring_endsOneSelection() throws Exception {
        open(WEIR);
        Selector selector = provider.openSelector();
        try (ServerSocketChannel listener = listener()) {
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            selector.wakeup();
            selector.wakeup();
            assertEquals(0, selector.select());
            CompletableFuture<Void> selecting = background(selector::select);
            selector.wakeup();
            selecting.get();
            Thread.currentThread().interrupt();
            assertEquals(0, selector.select());
            assertTrue(Thread.interrupted());
            assertEquals(0, selector.select(1));
            CompletableFuture<Void> closing = background(selector::select);
            selector.close();
            try {
                closing.get();
            } catch (ExecutionException e) {
                assertTrue(
                        e.getCause().getCause() instanceof ClosedSelectorException, () -> String.valueOf(e.getCause()));
            }
            assertThrows(ClosedSelectorException.class, selector::selectNow);
            assertFalse(listener.isRegistered());
        }
    }

    @Test
    void select_aPipeOfTheKernels_isFoundNextToWeir() throws Exception {
        open(WEIR);
        Pipe pipe = provider.openPipe();
        try (ServerSocketChannel listener = listener();
                Selector selector = provider.openSelector();
                SocketChannel channel = connected(listener);
                Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            source.configureBlocking(false);
            SelectionKey key = source.register(selector, SelectionKey.OP_READ);
            sink.write(bytes(1));
            assertEquals(1, selector.select());
            assertTrue(selector.selectedKeys().contains(key));
        }
    }

    @Test
    void accept_oneClientOfEachWay_comesFromOneListener() throws Exception {
        open(PREFER);
        try (ServerSocketChannel listener = listener();
                SocketChannel byTcp = SocketChannel.open(listener.getLocalAddress());
                SocketChannel byWeir = connected(listener)) {
            byTcp.write(bytes(1));
            byWeir.write(bytes(2));
            int sum = 0;
            for (int i = 0; i < 2; i++) {
                try (SocketChannel accepted = listener.accept()) {
                    assertTrue(Set.of(byTcp.getLocalAddress(), byWeir.getLocalAddress())
                            .contains(accepted.getRemoteAddress()));
                    assertEquals(accepted.getRemoteAddress(), accepted.socket().getRemoteSocketAddress());
                    assertEquals(listener.getLocalAddress(), accepted.getLocalAddress());
                    sum += accepted.read(ByteBuffer.allocate(10));
                }
            }
            assertEquals(3, sum);
            listener.configureBlocking(false);
            assertNull(listener.accept());
        }
    }

    @Test
    void socket_ofAChannel_worksAsASocket() throws Exception {
        open(WEIR);
        try (ServerSocketChannel listener = listener();
                SocketChannel channel = connected(listener);
                SocketChannel accepted = listener.accept()) {
            channel.socket().setTcpNoDelay(true);
            channel.socket().setKeepAlive(true);
            assertTrue(channel.socket().getTcpNoDelay());
            assertEquals(listener.socket().getLocalPort(), channel.socket().getPort());
            channel.socket().getOutputStream().write(7);
            assertEquals(7, accepted.socket().getInputStream().read());
            accepted.socket().setSoTimeout(1);
            assertThrows(
                    java.net.SocketTimeoutException.class,
                    () -> accepted.socket().getInputStream().read());
            channel.socket().close();
            assertFalse(channel.isOpen());
            accepted.socket().setSoTimeout(0);
            assertEquals(-1, accepted.socket().getInputStream().read());
        }
    }

    @Test
    void connect_peerThatRefusedBothWays_isAskedForWeirAgain() throws Exception {
        open(PREFER);
        int port;
        try (ServerSocketChannel listener = listener()) {
            port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        assertThrows(ConnectException.class, () -> provider.openSocketChannel().connect(address));
        try (ServerSocketChannel listener = provider.openServerSocketChannel().bind(address);
                SocketChannel near = connected(listener)) {
            assertTrue(((DualSocketChannel) near).isWeir());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WEIR, PREFER})
    void finishConnect_whileTheLoopStillHandsItOver_waits(String way) throws Exception {
        open(way);
        AtomicReference<Object> early = new AtomicReference<>();
        try (ServerSocketChannel listener = listener();
                SocketChannel near = provider.openSocketChannel();
                Selector selector = provider.openSelector()) {
            // Told on the loop's thread when Weir has won, and before the channel knows.
            rules.fallback.setListener(explanation -> {
                try {
                    early.set(near.finishConnect());
                } catch (IOException | RuntimeException e) {
                    early.set(e);
                }
            });
            near.configureBlocking(false);
            near.register(selector, SelectionKey.OP_CONNECT);
            boolean isConnected = near.connect(listener.getLocalAddress());
            while (!isConnected) {
                selector.select();
                selector.selectedKeys().clear();
                isConnected = near.finishConnect();
            }
            assertEquals(false, early.get());
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
            assertEquals(1, near.write(bytes(1)));
        }
    }
}
