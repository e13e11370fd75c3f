package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what faults cost: those of the application's callbacks one connection, those of the machine the transport, in
 * order.
 */
class TransportFaultTest {
    private static final int PORT = TwoTransports.PORT;
    private static final InetSocketAddress SERVER = TwoTransports.SERVER;

    // ---- errors of the virtual machine

    static List<VirtualMachineError> machineErrors() {
        return List.of(
                new OutOfMemoryError("planted"), new StackOverflowError("planted"), new InternalError("planted"));
    }

    @ParameterizedTest
    @MethodSource("machineErrors")
    void error_ofTheMachine_tellsEveryWaiterTheCauseAndGivesEverythingBack(VirtualMachineError error) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            WeirServerSocket listener = two.client.listen(PORT + 1);
            two.client.loop().helpers().stopSharing();
            List<CompletableFuture<?>> waiters = List.of(
                    Background.run(() -> socket.read(ByteBuffer.allocate(1))),
                    Background.run(() -> {
                        socket.write(ByteBuffer.allocate(64 << 20));
                        return "";
                    }),
                    Background.run(listener::accept),
                    Background.run(() -> {
                        // A connection that nobody answers.
                        return two.client.connect(new InetSocketAddress("10.0.0.2", PORT + 3), TwoTransports.PATIENCE);
                    }));
            while (socket.unacknowledgedBytes() == 0) {
                Thread.onSpinWait();
            }
            // Takes what no one answers any more.
            two.client.execute(now -> {
                throw error;
            });
            for (CompletableFuture<?> waiter : waiters) {
                Throwable told =
                        assertThrows(ExecutionException.class, waiter::get).getCause();
                boolean isRefused = told.getMessage().startsWith("Connection refused");
                assertTrue(isRefused || told.getMessage().contains("ended by a fault"), told.toString());
                assertTrue(isRefused || told.getCause() == error, told.toString());
            }
            two.client.loop().awaitEnd(Long.MAX_VALUE / 4);
            assertSame(error, two.client.loop().failure());
            assertEquals(0, two.client.hostStack().connectionCount());
            assertSame(
                    error,
                    assertThrows(RejectedExecutionException.class, () -> two.client.execute(now -> {}))
                            .getCause());
            SocketException later = assertThrows(SocketException.class, () -> socket.write(ByteBuffer.allocate(1)));
            assertSame(error, later.getCause());
        }
    }

    @Test
    void error_aCallWaitsForTheLoop_isToldTheCause() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            OutOfMemoryError error = new OutOfMemoryError("planted");
            two.client.loop().execute(now -> {
                throw error;
            });
            CompletableFuture<WeirServerSocket> listening = Background.run(() -> two.client.listen(PORT));
            assertThrows(OutOfMemoryError.class, () -> two.client.runOnce());
            Throwable told =
                    assertThrows(ExecutionException.class, listening::get).getCause();
            assertSame(error, told.getCause());
            assertEquals("Transport ended by a fault: " + error, told.getMessage());
        }
    }

    @Test
    void error_ofTheMachine_givesThePortsBack() throws Exception {
        FramePool pool = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(pool, new FramePool(2048, 2048, true), 1500, 10_000_000_000L);
        Transport transport = Transport.open(pair.get(0), pool, TransportConfig.DEFAULT);
        transport.listen(PORT);
        transport.execute(now -> {
            throw new OutOfMemoryError("planted");
        });
        transport.loop().awaitEnd(Long.MAX_VALUE / 4);
        pair.get(0).claimPort(PORT);
        transport.close();
    }

    @Test
    void error_inAHandler_endsTheTransportAndTellsOtherHandlers() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            BlockingQueue<CloseReason> reasons = new LinkedBlockingQueue<>();
            two.server.listen(PORT, connection -> new PassiveHandler() {
                @Override
                public int onData(Connection from, DirectBuffer buffer, int index, int length) {
                    throw new OutOfMemoryError("planted");
                }

                @Override
                public void onClosed(Connection from, CloseReason reason) {
                    reasons.add(reason);
                    throw new OutOfMemoryError("again");
                }
            });
            two.client.connect(SERVER, TwoTransports.PATIENCE);
            two.client.connect(SERVER, TwoTransports.PATIENCE).write(ByteBuffer.allocate(1));
            assertEquals(CloseReason.HOST_CLOSED, reasons.take());
            assertTrue(two.server.loop().awaitEnd(Long.MAX_VALUE / 4));
            assertEquals("planted", two.server.loop().failure().getMessage());
            assertEquals(0, two.server.hostStack().connectionCount());
        }
    }

    @Test
    void error_taskWaits_isToldThatItNeverRuns() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            List<Throwable> told = new ArrayList<>();
            OutOfMemoryError error = new OutOfMemoryError("planted");
            two.client.loop().execute(now -> {
                throw error;
            });
            two.client.loop().execute(new LoopTask() {
                @Override
                public void run(long nowNanos) {
                    throw new AssertionError("it ran after the fault");
                }

                @Override
                public void onLoopEnded(Throwable failure) {
                    told.add(failure);
                }
            });
            assertSame(error, assertThrows(OutOfMemoryError.class, () -> two.client.runOnce()));
            assertEquals(List.of(error), told);
        }
    }

    // ---- bugs of callbacks

    @Test
    void ackObserver_thatThrows_endsItsConnectionAlone() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();
            two.client.setFaultListener((connection, problem) -> faults.add(problem));
            IllegalStateException planted = new IllegalStateException("planted");
            WeirSocket socket = two.near();
            two.client.execute(now -> socket.connection().observe((ack, at) -> {
                throw planted;
            }));
            socket.write(ByteBuffer.allocate(1));
            assertSame(planted, faults.take());
            SocketException told = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
            assertSame(planted, told.getCause());
            assertNull(two.client.loop().failure());
            two.client.connect(SERVER, TwoTransports.PATIENCE).abort();
        }
    }

    @Test
    void ackObserver_thatAbortsItsConnection_isNotToldOfRoom() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            two.listener();
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            two.client.connect(SERVER, new PassiveHandler() {
                @Override
                public void onConnected(Connection to) {
                    to.observe((ack, now) -> to.abort());
                    onWritable(to);
                }

                @Override
                public void onWritable(Connection to) {
                    told.add("writable");
                    UnsafeBuffer bytes = new UnsafeBuffer(new byte[1 << 20]);
                    to.write(bytes, 0, bytes.capacity());
                }

                @Override
                public void onClosed(Connection from, CloseReason reason) {
                    told.add(reason.name());
                }
            });
            assertEquals("writable", told.take());
            assertEquals("ABORTED", told.take());
            two.client.loop().close();
            assertTrue(told.isEmpty(), told.toString());
        }
    }

    // ---- threads

    @Test
    void connection_usedByAThreadThatIsNotTheLoops_isRefusedWithTheRemedy() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            Connection connection = two.near().connection();
            UnsafeBuffer bytes = new UnsafeBuffer(new byte[1]);
            List<Executable> uses = List.of(
                    () -> connection.write(bytes, 0, 1),
                    () -> connection.takeBackUnsent(0),
                    connection::shutdownOutput,
                    () -> connection.closeWithin(1),
                    () -> connection.setKeepAlive(1),
                    () -> connection.setIdleTimeout(1),
                    () -> connection.setUserTimeout(1),
                    connection::abort,
                    () -> connection.fail(new IllegalStateException()),
                    connection::resumeReading,
                    connection::onWritten,
                    () -> connection.observe((ack, now) -> {}));
            for (Executable use : uses) {
                String told = assertThrows(IllegalStateException.class, use).getMessage();
                assertTrue(told.contains("belongs to the thread that runs the loop weir-mem0"), told);
                assertTrue(told.endsWith("use it within handlers or Transport.execute, or a WeirSocket instead"), told);
            }
            // Within a task it may be used, and nothing has happened to it.
            CompletableFuture<Integer> written = new CompletableFuture<>();
            two.client.execute(now -> written.complete(connection.write(bytes, 0, 1)));
            assertEquals(1, written.get());
            assertEquals(1, two.far().read(ByteBuffer.allocate(8)));
        }
    }

    @Test
    void connection_usedByTheInvokerBetweenTwoCycles_isItsOwn() throws Exception {
        TransportConfig invoker =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        try (TwoTransports two = new TwoTransports(invoker, TransportConfig.DEFAULT)) {
            Connection connection = two.near().connection();
            assertEquals(1, connection.write(new UnsafeBuffer(new byte[1]), 0, 1));
            Throwable told = assertThrows(ExecutionException.class, () -> Background.run(
                                    () -> connection.write(new UnsafeBuffer(new byte[1]), 0, 1))
                            .get())
                    .getCause();
            assertEquals(IllegalStateException.class, told.getClass());
        }
    }

    /** Where a handler fails. */
    private enum Place {
        ACCEPTING,
        CONNECTED,
        DATA,
        TOOK_TOO_MUCH,
        TOOK_LESS_THAN_NOTHING,
        END,
        WRITABLE,
        CLOSED,
        CHECKED,
        ASSERTION
    }

    /** A handler that fails at one place. */
    private static final class Failing extends PassiveHandler {
        private final Place place;
        private final BlockingQueue<CloseReason> reasons = new LinkedBlockingQueue<>();

        Failing(Place place) {
            this.place = place;
        }

        private void failAt(Place here) {
            if (place == here) {
                throw new IllegalStateException("planted at " + here);
            }
        }

        ConnectionHandler accepting(Connection connection) {
            failAt(Place.ACCEPTING);
            return this;
        }

        @Override
        public void onConnected(Connection connection) {
            failAt(Place.CONNECTED);
            if (place == Place.WRITABLE) {
                connection.write(new org.agrona.concurrent.UnsafeBuffer(new byte[1 << 20]), 0, 1 << 20);
            }
        }

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            failAt(Place.DATA);
            if (place == Place.CHECKED) {
                Failing.<RuntimeException>sneak(new IOException("planted"));
            }
            if (place == Place.ASSERTION) {
                throw new AssertionError("planted");
            }
            return switch (place) {
                case TOOK_TOO_MUCH -> length + 1;
                case TOOK_LESS_THAN_NOTHING -> -1;
                default -> length;
            };
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void sneak(Throwable problem) throws E {
            throw (E) problem;
        }

        @Override
        public void onEnd(Connection connection) {
            failAt(Place.END);
        }

        @Override
        public void onWritable(Connection connection) {
            failAt(Place.WRITABLE);
        }

        @Override
        public void onClosed(Connection connection, CloseReason reason) {
            reasons.add(reason);
            failAt(Place.CLOSED);
        }
    }

    /** A fault as it was told. */
    private record Told(Connection connection, Throwable problem) {}

    private static void requireReason(Place place, Told fault) {
        String message = fault.problem().getMessage();
        if (place == Place.TOOK_TOO_MUCH) {
            assertEquals(
                    "onData returned 101 where 100 bytes were offered; return how many were taken, 0 to 100", message);
        } else {
            String start = place == Place.TOOK_LESS_THAN_NOTHING ? "onData returned -1 where 100" : "planted";
            assertTrue(message.startsWith(start), "" + fault);
        }
    }

    /** {@return a socket that wrote 100 bytes, or null if the server aborted it before {@code connect} returned} */
    private static WeirSocket connectAndWrite(Transport client, Place place) throws IOException {
        WeirSocket socket = null;
        try {
            socket = client.connect(SERVER, TwoTransports.PATIENCE);
            socket.write(ByteBuffer.allocate(100));
        } catch (SocketException e) {
            assertTrue(Set.of(Place.ACCEPTING, Place.CONNECTED, Place.WRITABLE).contains(place), "" + e);
        }
        return socket;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void handler_fails_costsItsOwnConnectionAndIsToldOnce(Place place) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            BlockingQueue<Told> told = new LinkedBlockingQueue<>();
            two.server.setFaultListener((connection, problem) -> told.add(new Told(connection, problem)));
            Failing handler = new Failing(place);
            List<CompletableFuture<byte[]>> ended = new ArrayList<>();
            two.server.listen(PORT, handler::accepting);
            two.server.listen(PORT + 1, connection -> new PassiveHandler());
            WeirSocket other = two.client.connect(new InetSocketAddress("10.0.0.2", PORT + 1), TwoTransports.PATIENCE);
            WeirSocket socket = connectAndWrite(two.client, place);
            if (place == Place.WRITABLE && socket != null) {
                CompletableFuture<byte[]> read =
                        Background.run(() -> socket.inputStream().readAllBytes());
                ended.add(read);
            }
            if (place == Place.END || place == Place.CLOSED) {
                socket.shutdownOutput();
            }
            if (place == Place.CLOSED) {
                socket.abort();
            }
            Told fault = told.take();
            if (place != Place.ACCEPTING && place != Place.CLOSED) {
                assertEquals(CloseReason.HANDLER_FAILED, handler.reasons.take());
                assertSame(fault.problem(), fault.connection().fault());
            }
            requireReason(place, fault);
            if (place != Place.CLOSED && socket != null) {
                socket.setReadTimeout(TwoTransports.PATIENCE);
                assertThrows(SocketException.class, () -> {
                    while (true) {
                        socket.read(ByteBuffer.allocate(1));
                        socket.write(ByteBuffer.allocate(1));
                    }
                });
            }
            for (CompletableFuture<byte[]> read : ended) {
                assertThrows(ExecutionException.class, read::get);
            }
            assertNull(two.server.loop().failure());
            // The other connection has not noticed anything.
            other.write(ByteBuffer.allocate(1_000));
            while (other.unacknowledgedBytes() > 0) {
                Thread.onSpinWait();
            }
            assertEquals(1, two.server.counters().get(CounterId.CALLBACK_FAULTS));
            assertTrue(told.isEmpty(), told.toString());
        }
    }

    @Test
    void listener_fails_abortsItsSocketAndSaysWhy() throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            WeirSocket socket = two.near();
            IllegalStateException bug = new IllegalStateException("planted");
            socket.setListener(new SocketListener() {
                @Override
                public void onReadable(WeirSocket readable) {
                    throw bug;
                }

                @Override
                public void onWritable(WeirSocket writable) {}
            });
            while (socket.connection().closeReason() == null) {
                Thread.onSpinWait();
            }
            SocketException e = assertThrows(SocketException.class, () -> socket.read(ByteBuffer.allocate(1)));
            assertSame(bug, e.getCause());
            assertEquals("Connection aborted: its listener failed with " + bug, e.getMessage());
            assertThrows(SocketException.class, () -> two.far().read(ByteBuffer.allocate(1)));
            assertNull(two.client.loop().failure());
            two.client.connect(SERVER, TwoTransports.PATIENCE).close();
        }
    }

    @Test
    void task_fails_isToldAndTheTransportLives() throws Exception {
        for (IdleMode mode : List.of(IdleMode.BACK_OFF, IdleMode.BUSY_SPIN)) {
            TransportConfig config = TransportConfig.builder().idleMode(mode).build();
            try (TwoTransports two = new TwoTransports(config, TransportConfig.DEFAULT)) {
                BlockingQueue<Told> told = new LinkedBlockingQueue<>();
                two.client.setFaultListener((connection, problem) -> {
                    told.add(new Told(connection, problem));
                    throw new IllegalStateException("the listener for faults fails too");
                });
                IllegalStateException bug = new IllegalStateException("planted");
                two.client.execute(now -> {
                    throw bug;
                });
                assertEquals(new Told(null, bug), told.take());
                two.client.execute(now -> two.client.execute(nested -> {
                    throw bug;
                }));
                assertEquals(new Told(null, bug), told.take());
                two.near().write(ByteBuffer.allocate(1));
                assertNull(two.client.loop().failure());
            }
        }
    }

    /** What a handler may do to its connection from within, at a time when the stack is at work on it. */
    private interface Meddling {
        int onData(Connection connection, int length);
    }

    static List<Meddling> meddlings() {
        return List.of(
                (connection, length) -> {
                    connection.abort();
                    return 0;
                },
                (connection, length) -> {
                    connection.abort();
                    return length;
                },
                (connection, length) -> {
                    connection.resumeReading();
                    return 0;
                },
                (connection, length) -> {
                    connection.resumeReading();
                    return 1;
                },
                (connection, length) -> {
                    connection.shutdownOutput();
                    connection.closeWithin(0);
                    return length;
                },
                (connection, length) -> {
                    connection.host().close();
                    return 1;
                },
                (connection, length) -> {
                    connection.fail(new IllegalStateException("planted"));
                    return length;
                },
                (connection, length) -> length / 2);
    }

    @ParameterizedTest
    @MethodSource("meddlings")
    void handler_meddlesFromWithin_neitherHangsNorLeaksNorBreaksTheTransport(Meddling meddling) throws Exception {
        try (TwoTransports two = new TwoTransports()) {
            List<Connection> connections = new ArrayList<>();
            two.server.listen(PORT, connection -> {
                connections.add(connection);
                return new PassiveHandler() {
                    @Override
                    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
                        return meddling.onData(from, length);
                    }
                };
            });
            WeirSocket socket = two.client.connect(SERVER, TwoTransports.PATIENCE);
            CompletableFuture<Object> writer = Background.run(() -> {
                for (int i = 0; i < 50; i++) {
                    socket.write(ByteBuffer.allocate(100));
                }
                return "";
            });
            writer.handle((done, failure) -> "").get();
            for (int i = 0; i < 20; i++) {
                // Reads what waits, from outside of the handler.
                CompletableFuture<Object> resumed = new CompletableFuture<>();
                two.server.execute(now -> {
                    connections.forEach(Connection::resumeReading);
                    resumed.complete("");
                });
                resumed.get();
            }
            assertNull(two.server.loop().failure());
            CompletableFuture<Long> held = new CompletableFuture<>();
            two.server.execute(now -> {
                connections.forEach(Connection::abort);
                held.complete(two.server.hostStack().bufferBudget().bytesInUse());
            });
            assertEquals(0, held.get(), "memory of a connection that is over");
        }
    }
}
