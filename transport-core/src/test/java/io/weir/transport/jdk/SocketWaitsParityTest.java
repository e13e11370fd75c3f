package io.weir.transport.jdk;

import static io.weir.transport.jdk.SocketParity.LARGE_BYTES;
import static io.weir.transport.jdk.SocketParity.assertTellsTheSame;
import static io.weir.transport.jdk.SocketParity.bytes;
import static io.weir.transport.jdk.SocketParity.caseOf;
import static io.weir.transport.jdk.SocketParity.checksum;
import static io.weir.transport.jdk.SocketParity.failure;
import static io.weir.transport.jdk.SocketParity.inBackground;
import static io.weir.transport.jdk.SocketParity.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.jdk.SocketParity.Case;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that calls of our sockets that wait end as the kernel's do when another thread interrupts them or closes the
 * socket, on platform threads and on virtual ones.
 */
class SocketWaitsParityTest {
    private static SocketKind kernels;
    private static SocketKind ours;

    @BeforeAll
    static void open() throws IOException {
        kernels = SocketKind.ofTheKernel();
        ours = SocketKind.ofWeir();
    }

    @AfterAll
    static void close() throws IOException {
        ours.close();
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                caseOf("shutdown of input while reading", SocketWaitsParityTest::shutdownInputWhileReading),
                caseOf("interrupt while reading", SocketWaitsParityTest::interruptWhileReading),
                caseOf("interrupt while accepting", SocketWaitsParityTest::interruptWhileAccepting),
                caseOf("interrupt while writing", SocketWaitsParityTest::interruptWhileWriting),
                caseOf("close while reading", SocketWaitsParityTest::closeWhileReading),
                caseOf("close while writing", SocketWaitsParityTest::closeWhileWriting),
                caseOf("close while accepting", SocketWaitsParityTest::closeWhileAccepting));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void play_onBoth_tellsTheSame(String name, Case play) throws Exception {
        assertTellsTheSame(play, kernels, ours);
    }

    private static void shutdownInputWhileReading(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = inBackground(() -> {
                InputStream in = ends.near().getInputStream();
                begun.countDown();
                return in.read();
            });
            begun.await();
            ends.near().shutdownInput();
            log.add(result(reader));
        }
    }

    private static void interruptWhileReading(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = new FutureTask<>(() -> {
                begun.countDown();
                int read = ends.near().getInputStream().read();
                return List.of(read, Thread.currentThread().isInterrupted());
            });
            Thread thread = new Thread(reader);
            thread.start();
            begun.await();
            thread.interrupt();
            ends.far().getOutputStream().write(42);
            log.add(result(reader));
        }
    }

    private static void interruptWhileAccepting(SocketKind kind, List<Object> log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> acceptor = new FutureTask<>(() -> {
                begun.countDown();
                try (Socket far = server.accept()) {
                    return List.of(far.isConnected(), Thread.currentThread().isInterrupted());
                }
            });
            Thread thread = new Thread(acceptor);
            thread.start();
            begun.await();
            thread.interrupt();
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                log.add(near.isConnected());
                log.add(result(acceptor));
            }
        }
    }

    private static void interruptWhileWriting(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> writer = new FutureTask<>(() -> {
                begun.countDown();
                ends.near().getOutputStream().write(bytes(LARGE_BYTES));
                ends.near().shutdownOutput();
                return Thread.currentThread().isInterrupted();
            });
            Thread thread = new Thread(writer);
            thread.start();
            begun.await();
            thread.interrupt();
            log.add(checksum(ends.far().getInputStream()));
            log.add(result(writer));
        }
    }

    private static void closeWhileReading(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = inBackground(() -> {
                begun.countDown();
                return in.read();
            });
            begun.await();
            ends.near().close();
            log.add(result(reader));
        }
    }

    private static void closeWhileWriting(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            OutputStream out = ends.near().getOutputStream();
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> writer = inBackground(() -> {
                begun.countDown();
                while (true) {
                    out.write(new byte[64 * 1024]);
                }
            });
            begun.await();
            ends.near().close();
            log.add(result(writer));
        }
    }

    private static void closeWhileAccepting(SocketKind kind, List<Object> log) throws Exception {
        ServerSocket server = kind.listen();
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Object> acceptor = inBackground(() -> {
            begun.countDown();
            return server.accept();
        });
        begun.await();
        server.close();
        log.add(result(acceptor));
        log.add(server.isClosed());
    }

    // ---- virtual threads

    @Test
    void interrupt_virtualThreads_closeTheSocketOnBoth() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads are there from JDK 21 on");
        assertTellsTheSame(SocketWaitsParityTest::interruptVirtual, kernels, ours);
    }

    private static void interruptVirtual(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = new FutureTask<>(() -> {
                begun.countDown();
                return failure(ends.near().getInputStream()::read)
                        + " "
                        + Thread.currentThread().isInterrupted();
            });
            Thread thread = startVirtual(reader);
            begun.await();
            thread.interrupt();
            log.add(result(reader));
            log.add(ends.near().isClosed());
            log.add(ends.far().getInputStream().read());
        }
        try (ServerSocket server = kind.listen()) {
            FutureTask<Object> acceptor = new FutureTask<>(() -> failure(server::accept));
            startVirtual(acceptor).interrupt();
            log.add(result(acceptor));
            log.add(server.isClosed());
        }
    }

    @Test
    void echo_manyVirtualThreads_areAllServed() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads are there from JDK 21 on");
        try (ServerSocket server = ours.listen()) {
            List<FutureTask<Object>> servers = new ArrayList<>();
            List<FutureTask<Object>> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                FutureTask<Object> echo = new FutureTask<>(() -> {
                    try (Socket far = server.accept()) {
                        return far.getInputStream().transferTo(far.getOutputStream());
                    }
                });
                FutureTask<Object> ask = new FutureTask<>(() -> {
                    try (Socket near = ours.sockets().createSocket(ours.serverAddress(), server.getLocalPort())) {
                        near.getOutputStream().write(bytes(10_000));
                        near.shutdownOutput();
                        return Arrays.equals(
                                bytes(10_000), near.getInputStream().readAllBytes());
                    }
                });
                servers.add(echo);
                clients.add(ask);
                startVirtual(echo);
                startVirtual(ask);
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(true, result(clients.get(i)));
                assertEquals(10_000L, result(servers.get(i)));
            }
        }
    }

    /** The test is compiled for 17. */
    private static Thread startVirtual(Runnable work) throws ReflectiveOperationException {
        return (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    }
}
