package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.telemetry.CounterId;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link Listeners} through the transports that have them. */
class ListenersTest {
    private static final int TIMES = 300;
    private static final int PORT = TwoTransports.PORT;

    private TwoTransports transports;

    @BeforeEach
    void open() throws Exception {
        transports = new TwoTransports();
    }

    @AfterEach
    void close() {
        transports.close();
    }

    // ---- close, and listen again at once

    @Test
    void listen_rightAfterClose_isAllowed() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            transports.server.listen(PORT).close();
        }
    }

    @Test
    void createServerSocket_rightAfterClose_isAllowed() throws Exception {
        ServerSocketFactory factory = new WeirServerSocketFactory(transports.server);
        for (int i = 0; i < TIMES; i++) {
            factory.createServerSocket(PORT).close();
        }
    }

    @Test
    void listen_rightAfterCloseWithAnAcceptedConnection_isAllowed() throws Exception {
        for (int i = 0; i < TIMES / 10; i++) {
            WeirServerSocket listener = transports.server.listen(PORT);
            try (WeirSocket near = transports.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
                    WeirSocket far = listener.accept()) {
                listener.close();
                transports.server.listen(PORT).close();
                assertEquals(near.localAddress(), far.remoteAddress());
            }
        }
    }

    @Test
    void bind_rightAfterCloseOfAListener_isAllowed() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            transports.server.listen(PORT).close();
            transports.server.bind(new InetSocketAddress(PORT)).close();
        }
    }

    @Test
    void stopListening_portThatIsListenedOnAgain_leavesTheNewListenerAlone() throws Exception {
        WeirServerSocket first = transports.server.listen(PORT);
        transports.server.stopListening(PORT);
        try (WeirServerSocket second = transports.server.listen(PORT)) {
            first.close();
            try (WeirSocket near = transports.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
                    WeirSocket far = second.accept()) {
                assertEquals(near.localAddress(), far.remoteAddress());
            }
        }
    }

    @Test
    void listen_withinACycleAfterCloseByAnotherThread_isAllowed() throws Exception {
        CompletableFuture<Void> listened = new CompletableFuture<>();
        WeirServerSocket first = transports.server.listen(PORT);
        CountDownLatch isInCycle = new CountDownLatch(1);
        CountDownLatch isClosed = new CountDownLatch(1);
        transports.server.execute(now -> {
            try {
                isInCycle.countDown();
                isClosed.await();
                transports.server.listen(PORT, connection -> null);
                listened.complete(null);
            } catch (Exception e) {
                listened.completeExceptionally(e);
            }
        });
        isInCycle.await();
        first.close();
        isClosed.countDown();
        listened.get();
    }

    @Test
    void close_connectionThatNobodyTook_resetsIt() throws Exception {
        for (int i = 0; i < 20; i++) {
            WeirServerSocket listener = transports.server.listen(PORT);
            try (WeirSocket near = transports.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE)) {
                near.write(ByteBuffer.wrap(new byte[] {1}));
                listener.close();
                near.setReadTimeout(Duration.ofSeconds(Integer.getInteger("weir.patience", 300)));
                int round = i;
                assertThrows(
                        SocketException.class,
                        () -> near.read(ByteBuffer.allocate(1)),
                        () -> "round " + round + "\n" + transports.client.counters() + "\n"
                                + transports.server.counters());
            }
        }
    }

    // ---- at one address

    @Test
    void listen_atTwoAddressesOfOnePort_hasEachItsOwnConnections() throws Exception {
        InetAddress own = transports.server.addresses().get(0);
        try (WeirServerSocket here =
                        transports.server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), 5);
                WeirServerSocket there = transports.server.listen(new InetSocketAddress(own, PORT), 5);
                WeirSocket far = transports.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
                WeirSocket near = transports.server.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), TwoTransports.PATIENCE);
                WeirSocket fromThere = there.accept();
                WeirSocket fromHere = here.accept()) {
            assertEquals(far.localAddress(), fromThere.remoteAddress());
            assertEquals(near.localAddress(), fromHere.remoteAddress());
            assertThrows(BindException.class, () -> transports.server.listen(PORT));
        }
    }

    @Test
    void listen_onLoopback_refusesTheNetworkInTheHandshake() throws Exception {
        try (ServerSocket listener = new WeirServerSocketFactory(transports.server)
                .createServerSocket(PORT, 50, InetAddress.getLoopbackAddress())) {
            assertThrows(
                    ConnectException.class,
                    () -> transports.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE));
            assertEquals(1, transports.server.counters().get(CounterId.DROP_NO_LISTENER));
            assertEquals(PORT, listener.getLocalPort());
        }
    }
}
