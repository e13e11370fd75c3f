package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how a transport closes: what was written is delivered, for a bounded time, and no reason overtakes bytes. */
class TransportCloseTest {
    private static final int PORT = TwoTransports.PORT;
    private static final int MEGABYTE = 1 << 20;

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static TransportConfig config(IdleMode mode, Duration drain) {
        return TransportConfig.builder()
                .idleMode(mode)
                .drainNanosMax(drain.toNanos())
                .build();
    }

    @ParameterizedTest
    @EnumSource(IdleMode.class)
    void close_bytesAreUnderWay_deliversThemFirst(IdleMode mode) throws Exception {
        try (TwoTransports two = new TwoTransports(config(mode, Duration.ofMinutes(5)), TransportConfig.DEFAULT)) {
            byte[] sent = randomBytes(MEGABYTE);
            WeirSocket far = two.far();
            two.near().write(ByteBuffer.wrap(sent, 0, 10));
            CompletableFuture<byte[]> received =
                    Background.run(() -> far.inputStream().readAllBytes());
            two.near().write(ByteBuffer.wrap(sent, 10, MEGABYTE - 10));
            two.client.close();
            assertArrayEquals(sent, received.get(), "all of it, and the end");
            assertTrue(two.client.loop().isClosed());
        }
    }

    @ParameterizedTest
    @EnumSource(IdleMode.class)
    void close_fromWithinATask_drainsAndDoesNotWaitForItself(IdleMode mode) throws Exception {
        try (TwoTransports two = new TwoTransports(config(mode, Duration.ofMinutes(5)), TransportConfig.DEFAULT)) {
            byte[] sent = randomBytes(10_000);
            WeirSocket far = two.far();
            two.near().write(ByteBuffer.wrap(sent));
            CompletableFuture<byte[]> received =
                    Background.run(() -> far.inputStream().readAllBytes());
            two.client.loop().execute(now -> two.client.close());
            while (mode == IdleMode.INVOKER && !two.client.loop().isClosed()) {
                two.client.runOnce();
            }
            assertArrayEquals(sent, received.get());
            assertTrue(two.client.loop().awaitEnd(Long.MAX_VALUE / 4));
        }
    }

    @Test
    void close_fromWithinAHandler_deliversItsLastAnswer() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            two.server.listen(PORT, connection -> new PassiveHandler() {
                @Override
                public int onData(Connection from, DirectBuffer buffer, int index, int length) {
                    from.write(new UnsafeBuffer("farewell".getBytes(StandardCharsets.US_ASCII)), 0, 8);
                    two.server.close();
                    return length;
                }
            });
            WeirSocket socket = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
            socket.write(ByteBuffer.allocate(1));
            assertEquals("farewell", new String(socket.inputStream().readAllBytes(), StandardCharsets.US_ASCII));
            assertTrue(two.server.loop().awaitEnd(Long.MAX_VALUE / 4));
        }
    }

    @Test
    void close_peerReadsNothing_endsAfterTheTimeAndResetsIt() throws Exception {
        try (TwoTransports two =
                new TwoTransports(config(IdleMode.BACK_OFF, Duration.ofMillis(50)), TransportConfig.DEFAULT)) {
            WeirSocket far = two.far();
            two.near().setWriteTimeout(Duration.ofMillis(50));
            assertThrows(IOException.class, () -> two.near().write(ByteBuffer.allocate(64 * MEGABYTE)));
            long unread = two.near().unacknowledgedBytes();
            assertTrue(unread > 0);
            two.client.close();
            assertTrue(two.client.loop().isClosed());
            // What came before is read first, then the reset.
            ByteBuffer target = ByteBuffer.allocate(MEGABYTE);
            long[] count = new long[1];
            SocketException e = assertThrows(SocketException.class, () -> {
                while (true) {
                    count[0] += far.read(target.clear());
                }
            });
            assertEquals("Connection reset", e.getMessage());
            assertTrue(count[0] > 0);
        }
    }

    @Test
    void close_withoutTimeToDrain_resetsAtOnce() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket far = two.far();
            CompletableFuture<Integer> reader = Background.run(() -> far.read(ByteBuffer.allocate(1)));
            two.client.close(Duration.ZERO);
            Throwable told = assertThrows(ExecutionException.class, reader::get).getCause();
            assertEquals("Connection reset", told.getMessage());
        }
    }

    @Test
    void close_byManyThreadsAtOnce_allReturnAfterTheEnd() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            two.near();
            List<CompletableFuture<Boolean>> closers = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 8; i++) {
                closers.add(Background.run(() -> {
                    two.client.close();
                    return two.client.loop().awaitEnd(0);
                }));
            }
            for (CompletableFuture<Boolean> closer : closers) {
                assertTrue(closer.get());
            }
        }
    }

    @Test
    void close_invokersOtherThread_runsTheLastCycles() throws Exception {
        try (TwoTransports two =
                new TwoTransports(config(IdleMode.INVOKER, Duration.ofMinutes(5)), TransportConfig.DEFAULT)) {
            byte[] sent = randomBytes(10_000);
            WeirSocket far = two.far();
            two.near().write(ByteBuffer.wrap(sent));
            Background.run(() -> {
                        two.client.close();
                        return "";
                    })
                    .get();
            assertArrayEquals(sent, far.inputStream().readAllBytes());
            assertEquals(0, two.client.runOnce());
        }
    }

    @Test
    void close_bytesHaveCome_canStillBeRead() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket near = two.near();
            byte[] sent = randomBytes(5_000);
            two.far().write(ByteBuffer.wrap(sent));
            while (near.available() < sent.length) {
                Thread.onSpinWait();
            }
            two.client.close();
            assertArrayEquals(sent, near.inputStream().readNBytes(sent.length));
            SocketException e = assertThrows(SocketException.class, () -> near.read(ByteBuffer.allocate(1)));
            assertEquals("Transport closed", e.getMessage());
        }
    }

    @Test
    void close_newConnectionsMeanwhile_areRefused() throws Exception {
        try (TwoTransports two =
                new TwoTransports(TransportConfig.DEFAULT, config(IdleMode.BACK_OFF, Duration.ofMinutes(5)))) {
            WeirSocket near = two.near();
            // The server has something to say that nobody reads: it drains for as long as it may.
            two.far().setWriteTimeout(Duration.ofMillis(50));
            assertThrows(IOException.class, () -> two.far().write(ByteBuffer.allocate(64 * MEGABYTE)));
            CompletableFuture<String> closed = Background.run(() -> {
                two.server.close();
                return "";
            });
            IOException refused = assertThrows(IOException.class, () -> {
                while (true) {
                    two.client
                            .connect(TwoTransports.SERVER, TwoTransports.PATIENCE)
                            .close();
                }
            });
            assertTrue(refused.getMessage().startsWith("Connection re"), refused.getMessage());
            near.abort();
            closed.get();
        }
    }

    @Test
    void abort_ofThePeer_isToldToAHandlerAfterTheBytesThatCameBefore() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            CompletableFuture<Connection> accepted = new CompletableFuture<>();
            two.server.listen(PORT, connection -> {
                accepted.complete(connection);
                return new PassiveHandler() {
                    private boolean isOpen;

                    @Override
                    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
                        if (!isOpen) {
                            // Takes nothing at first.
                            isOpen = from.attachment() != null;
                        }
                        if (isOpen) {
                            heard.add(length + " B");
                        }
                        return isOpen ? length : 0;
                    }

                    @Override
                    public void onClosed(Connection from, CloseReason reason) {
                        heard.add(reason.name());
                    }
                };
            });
            WeirSocket socket = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
            socket.write(ByteBuffer.allocate(100));
            while (socket.unacknowledgedBytes() > 0) {
                Thread.onSpinWait();
            }
            socket.abort();
            Connection connection = accepted.get();
            // The reset has come once writes go nowhere, and never fill up.
            UnsafeBuffer much = new UnsafeBuffer(new byte[2 * MEGABYTE]);
            int written = 0;
            while (written < much.capacity()) {
                CompletableFuture<Integer> count = new CompletableFuture<>();
                two.server.execute(now -> count.complete(connection.write(much, 0, much.capacity())));
                written = count.get();
            }
            assertEquals(null, connection.closeReason(), "not told before the bytes");
            two.server.execute(now -> {
                connection.attach("open");
                connection.resumeReading();
            });
            assertEquals("100 B", heard.take());
            assertEquals("RESET", heard.take());
        }
    }
}
