package io.weir.transport.jdk;

import static io.weir.transport.jdk.SocketParity.LARGE_BYTES;
import static io.weir.transport.jdk.SocketParity.assertTellsTheSame;
import static io.weir.transport.jdk.SocketParity.bytes;
import static io.weir.transport.jdk.SocketParity.caseOf;
import static io.weir.transport.jdk.SocketParity.checksum;
import static io.weir.transport.jdk.SocketParity.failure;
import static io.weir.transport.jdk.SocketParity.inBackground;
import static io.weir.transport.jdk.SocketParity.nothing;
import static io.weir.transport.jdk.SocketParity.outcome;
import static io.weir.transport.jdk.SocketParity.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.jdk.SocketParity.Case;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that our sockets do what the kernel's do: each case is played on both, and what it tells must be the same. */
class SocketParityTest {
    private static final int TIMEOUT_MILLIS = 20;

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
                caseOf("connect to a closed port", SocketParityTest::connectToClosedPort),
                caseOf("connect with bad arguments", SocketParityTest::connectWithBadArguments),
                caseOf("states", SocketParityTest::states),
                caseOf("addresses", SocketParityTest::addresses),
                caseOf("bind", SocketParityTest::bind),
                caseOf("read time-out", SocketParityTest::readTimeout),
                caseOf("accept time-out", SocketParityTest::acceptTimeout),
                caseOf("linger 0 resets", SocketParityTest::lingerZero),
                caseOf("linger delivers", SocketParityTest::lingerDelivers),
                caseOf("close delivers", SocketParityTest::closeDelivers),
                caseOf("available", SocketParityTest::available),
                caseOf("half-close", SocketParityTest::halfClose),
                caseOf("shutdown of input", SocketParityTest::shutdownInput),
                caseOf("close of a stream", SocketParityTest::closeOfStream),
                caseOf("use after close", SocketParityTest::useAfterClose),
                caseOf("write to a reset connection", SocketParityTest::writeToReset),
                caseOf("options", SocketParityTest::options),
                caseOf("options of listeners", SocketParityTest::optionsOfListeners),
                caseOf("large transfer both ways", SocketParityTest::largeTransfer),
                caseOf("tiny transfers", SocketParityTest::tinyTransfers),
                caseOf("bad ranges", SocketParityTest::badRanges),
                caseOf("factory methods", SocketParityTest::factoryMethods));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void play_onBoth_tellsTheSame(String name, Case play) throws Exception {
        assertTellsTheSame(play, kernels, ours);
    }

    // ---- the beginning

    private static void connectToClosedPort(SocketKind kind, List<Object> log) throws IOException {
        InetSocketAddress closed = kind.closedAddress();
        log.add(outcome(() -> kind.sockets().createSocket(closed.getAddress(), closed.getPort())));
        try (Socket socket = kind.sockets().createSocket()) {
            log.add(outcome(() -> nothing(() -> socket.connect(closed, 0))));
            log.add(socket.isConnected());
            log.add(outcome(() -> nothing(() -> socket.connect(closed, 0))));
        }
        log.add(outcome(() -> kind.sockets().createSocket(closed.getAddress(), 0)));
    }

    private static void connectWithBadArguments(SocketKind kind, List<Object> log) throws IOException {
        try (Socket socket = kind.sockets().createSocket()) {
            log.add(outcome(() -> nothing(() -> socket.connect(null, 0))));
            log.add(outcome(() -> nothing(() -> socket.connect(kind.closedAddress(), -1))));
            log.add(outcome(
                    () -> nothing(() -> socket.connect(InetSocketAddress.createUnresolved("weir.invalid", 1), 0))));
        }
        try (Ends ends = kind.connect()) {
            log.add(failure(() -> nothing(() -> ends.near().connect(kind.closedAddress())))
                    .toString()
                    .toLowerCase(Locale.ROOT));
        }
    }

    private static void states(SocketKind kind, List<Object> log) throws IOException {
        Socket socket = kind.sockets().createSocket();
        tellState(socket, log);
        log.add(failure(socket::getInputStream));
        log.add(failure(socket::getOutputStream));
        log.add(failure(() -> nothing(socket::shutdownInput)));
        log.add(socket.getPort());
        log.add(socket.getLocalPort());
        log.add(socket.getInetAddress() == null);
        try (ServerSocket server = kind.listen()) {
            socket.connect(kind.address(server), 5 * 60 * 1_000);
            tellState(socket, log);
            socket.close();
            tellState(socket, log);
            socket.close();
        }
        ServerSocket unbound = kind.servers().createServerSocket();
        log.add(unbound.isBound());
        log.add(unbound.getLocalPort());
        log.add(failure(unbound::accept));
        unbound.close();
        log.add(failure(unbound::accept));
        log.add(failure(() -> nothing(() -> unbound.bind(null))));
    }

    private static void tellState(Socket socket, List<Object> log) {
        log.add(List.of(
                socket.isBound(),
                socket.isConnected(),
                socket.isClosed(),
                socket.isInputShutdown(),
                socket.isOutputShutdown()));
    }

    private static void addresses(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            log.add(ends.near().getInetAddress().equals(kind.serverAddress()));
            log.add(ends.near().getPort() == ends.server().getLocalPort());
            log.add(ends.far().getPort() == ends.near().getLocalPort());
            log.add(ends.far().getInetAddress().equals(ends.near().getLocalAddress()));
            log.add(ends.near().getRemoteSocketAddress().equals(ends.far().getLocalSocketAddress()));
            log.add(ends.far().getRemoteSocketAddress().equals(ends.near().getLocalSocketAddress()));
            log.add(ends.server().getInetAddress().equals(kind.serverAddress()));
            int localPort = ends.near().getLocalPort();
            ends.near().close();
            log.add(ends.near().getPort() == ends.server().getLocalPort());
            log.add(localPort > 0);
            log.add(ends.near().getLocalPort() == localPort);
        }
    }

    private static void bind(SocketKind kind, List<Object> log) throws IOException {
        InetAddress foreign = InetAddress.getByName("192.0.2.77");
        try (ServerSocket server = kind.listen()) {
            log.add(outcome(() -> kind.servers().createServerSocket(server.getLocalPort(), 5, kind.serverAddress())));
            log.add(failure(() -> nothing(() -> server.bind(null))).toString().toLowerCase(Locale.ROOT));
        }
        log.add(outcome(() -> kind.servers().createServerSocket(0, 5, foreign)));
        try (Socket socket = kind.sockets().createSocket()) {
            log.add(outcome(() -> nothing(() -> socket.bind(new InetSocketAddress(foreign, 0)))));
            log.add(outcome(() -> nothing(() -> socket.bind(new InetSocketAddress(0)))));
            log.add(socket.isBound());
            log.add(failure(() -> nothing(() -> socket.bind(new InetSocketAddress(0))))
                    .toString()
                    .toLowerCase(Locale.ROOT));
            try (ServerSocket server = kind.listen()) {
                socket.connect(kind.address(server));
                log.add(socket.getLocalPort() > 0);
            }
        }
        try (ServerSocket any = kind.servers().createServerSocket(0)) {
            log.add(any.getLocalPort() > 0);
            log.add(any.getInetAddress().isAnyLocalAddress());
        }
    }

    // ---- time-outs

    private static void readTimeout(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            ends.near().setSoTimeout(TIMEOUT_MILLIS);
            InputStream in = ends.near().getInputStream();
            long startNanos = System.nanoTime();
            log.add(failure(in::read));
            log.add(System.nanoTime() - startNanos >= TIMEOUT_MILLIS * 1_000_000L);
            ends.far().getOutputStream().write(7);
            ends.near().setSoTimeout(0);
            log.add(in.read());
        }
    }

    private static void acceptTimeout(SocketKind kind, List<Object> log) throws IOException {
        try (ServerSocket server = kind.listen()) {
            server.setSoTimeout(TIMEOUT_MILLIS);
            long startNanos = System.nanoTime();
            log.add(failure(server::accept));
            log.add(System.nanoTime() - startNanos >= TIMEOUT_MILLIS * 1_000_000L);
            log.add(server.getSoTimeout());
            server.setSoTimeout(0);
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
                    Socket far = server.accept()) {
                log.add(far.getSoTimeout());
                log.add(near.isConnected());
            }
        }
    }

    // ---- the end

    private static void lingerZero(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            log.add(failure(() -> ends.far().getInputStream().read()));
            log.add(failure(() -> ends.far().getInputStream().read()));
        }
    }

    private static void lingerDelivers(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Long> reader = inBackground(() -> checksum(ends.far().getInputStream()));
            ends.near().setSoLinger(true, 5 * 60);
            ends.near().getOutputStream().write(bytes(1 << 20));
            ends.near().close();
            log.add(result(reader));
        }
    }

    private static void closeDelivers(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Long> reader = inBackground(() -> checksum(ends.far().getInputStream()));
            ends.near().getOutputStream().write(bytes(1 << 20));
            ends.near().close();
            log.add(result(reader));
            log.add(ends.far().getInputStream().read());
        }
    }

    private static void halfClose(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().write(new byte[] {1, 2, 3});
            ends.near().shutdownOutput();
            log.add(ends.near().isOutputShutdown());
            log.add(failure(() -> nothing(() -> ends.near().getOutputStream().write(4))));
            log.add(failure(() -> nothing(ends.near()::shutdownOutput)));
            log.add(Arrays.toString(ends.far().getInputStream().readAllBytes()));
            log.add(ends.far().getInputStream().read());
            ends.far().getOutputStream().write(new byte[] {5, 6});
            ends.far().close();
            log.add(Arrays.toString(ends.near().getInputStream().readAllBytes()));
            log.add(ends.near().isClosed());
        }
    }

    private static void shutdownInput(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().shutdownInput();
            log.add(ends.near().isInputShutdown());
            log.add(in.read());
            log.add(in.available());
            log.add(failure(ends.near()::getInputStream));
            log.add(failure(() -> nothing(ends.near()::shutdownInput)));
            ends.near().getOutputStream().write(9);
            log.add(ends.far().getInputStream().read());
            ends.far().getOutputStream().write(8);
            log.add(in.read());
        }
    }

    private static void available(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            log.add(in.available());
            ends.far().getOutputStream().write(new byte[100]);
            log.add(in.read());
            while (in.available() < 99) {
                Thread.onSpinWait();
            }
            log.add(in.read(new byte[50]));
            log.add(in.available());
            log.add(in.read(new byte[100]));
            ends.far().close();
            log.add(in.read());
            log.add(in.available());
            ends.near().close();
            log.add(outcome(in::available));
        }
    }

    // ---- the end

    private static void closeOfStream(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().close();
            log.add(ends.near().isClosed());
            log.add(ends.far().getInputStream().read());
            ends.far().getInputStream().close();
            log.add(ends.far().isClosed());
        }
    }

    private static void useAfterClose(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            OutputStream out = ends.near().getOutputStream();
            ends.near().close();
            log.add(outcome(in::read));
            log.add(outcome(() -> nothing(() -> out.write(1))));
            log.add(failure(ends.near()::getInputStream));
            log.add(failure(ends.near()::getSoTimeout));
            log.add(failure(() -> nothing(() -> ends.near().setTcpNoDelay(true))));
            log.add(failure(() -> nothing(ends.near()::shutdownOutput)));
            log.add(failure(() -> nothing(() -> ends.near().bind(null))));
        }
    }

    private static void writeToReset(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            log.add(outcome(() -> {
                while (true) {
                    ends.near().getOutputStream().write(new byte[1_000]);
                }
            }));
        }
    }

    // ---- options

    private static void options(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            Socket socket = ends.near();
            log.add(List.of(
                    socket.getTcpNoDelay(),
                    socket.getKeepAlive(),
                    socket.getSoLinger(),
                    socket.getSoTimeout(),
                    socket.getOOBInline(),
                    socket.getTrafficClass()));
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoLinger(true, 7);
            socket.setSoTimeout(1_234);
            socket.setOOBInline(true);
            socket.setTrafficClass(0x10);
            socket.setReuseAddress(true);
            socket.setPerformancePreferences(1, 2, 3);
            log.add(List.of(
                    socket.getTcpNoDelay(),
                    socket.getKeepAlive(),
                    socket.getSoLinger(),
                    socket.getSoTimeout(),
                    socket.getOOBInline(),
                    socket.getTrafficClass(),
                    socket.getReuseAddress()));
            socket.setSoLinger(false, 0);
            log.add(socket.getSoLinger());
            log.add(socket.getOption(StandardSocketOptions.SO_LINGER));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, false);
            log.add(socket.getTcpNoDelay());
            socket.setSendBufferSize(64 * 1024);
            socket.setReceiveBufferSize(64 * 1024);
            log.add(socket.getSendBufferSize() >= 64 * 1024);
            log.add(socket.getReceiveBufferSize() >= 64 * 1024);
            log.add(outcome(() -> nothing(() -> socket.setSoTimeout(-1))));
            log.add(outcome(() -> nothing(() -> socket.setSoLinger(true, -1))));
            log.add(outcome(() -> nothing(() -> socket.setSendBufferSize(0))));
            log.add(outcome(() -> nothing(() -> socket.setTrafficClass(256))));
            log.add(outcome(() -> socket.getOption(StandardSocketOptions.IP_MULTICAST_TTL)));
            log.add(socket.supportedOptions()
                    .containsAll(List.of(
                            StandardSocketOptions.SO_RCVBUF,
                            StandardSocketOptions.SO_SNDBUF,
                            StandardSocketOptions.SO_KEEPALIVE,
                            StandardSocketOptions.SO_REUSEADDR,
                            StandardSocketOptions.SO_LINGER,
                            StandardSocketOptions.TCP_NODELAY)));
        }
        // Also before it is connected.
        try (Socket socket = kind.sockets().createSocket()) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setReceiveBufferSize(100_000);
            log.add(socket.getTcpNoDelay() && socket.getKeepAlive());
        }
    }

    private static void optionsOfListeners(SocketKind kind, List<Object> log) throws IOException {
        try (ServerSocket server = kind.servers().createServerSocket()) {
            server.setReuseAddress(true);
            server.setReceiveBufferSize(100_000);
            server.setPerformancePreferences(1, 2, 3);
            log.add(server.getReuseAddress());
            log.add(server.getReceiveBufferSize() >= 100_000);
            log.add(outcome(() -> nothing(() -> server.setSoTimeout(-1))));
            log.add(outcome(() -> server.getOption(StandardSocketOptions.TCP_NODELAY)));
            log.add(server.supportedOptions()
                    .containsAll(List.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR)));
            server.bind(new InetSocketAddress(kind.serverAddress(), 0), 0);
            log.add(server.isBound());
        }
    }

    // ---- bytes

    private static void largeTransfer(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> there = inBackground(() -> nothing(() -> send(ends.near())));
            FutureTask<Object> back = inBackground(() -> nothing(() -> send(ends.far())));
            FutureTask<Long> received = inBackground(() -> checksum(ends.near().getInputStream()));
            log.add(checksum(ends.far().getInputStream()));
            log.add(result(received));
            log.add(result(there));
            log.add(result(back));
        }
    }

    private static void send(Socket socket) throws IOException {
        socket.getOutputStream().write(bytes(LARGE_BYTES));
        socket.shutdownOutput();
    }

    private static void tinyTransfers(SocketKind kind, List<Object> log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> echo = inBackground(() -> {
                InputStream in = ends.far().getInputStream();
                OutputStream out = ends.far().getOutputStream();
                for (int octet = in.read(); octet >= 0; octet = in.read()) {
                    out.write(octet);
                }
                return "end";
            });
            int wrong = 0;
            for (int i = 0; i < 1_000; i++) {
                ends.near().getOutputStream().write(i);
                wrong += ends.near().getInputStream().read() == (i & 0xFF) ? 0 : 1;
            }
            ends.near().shutdownOutput();
            log.add(wrong);
            log.add(result(echo));
        }
    }

    private static void badRanges(SocketKind kind, List<Object> log) throws IOException {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            OutputStream out = ends.near().getOutputStream();
            byte[] four = new byte[4];
            log.add(outcome(() -> in.read(four, 2, 3)));
            log.add(outcome(() -> in.read(four, -1, 1)));
            log.add(outcome(() -> in.read(null, 0, 1)));
            log.add(outcome(() -> in.read(four, 0, 0)));
            log.add(outcome(() -> nothing(() -> out.write(four, 2, 3))));
            log.add(outcome(() -> nothing(() -> out.write(four, 0, -1))));
            log.add(outcome(() -> nothing(() -> out.write(null, 0, 1))));
            log.add(outcome(() -> nothing(() -> out.write(four, 4, 0))));
        }
    }

    private static void factoryMethods(SocketKind kind, List<Object> log) throws IOException {
        InetAddress any = new InetSocketAddress(0).getAddress();
        try (ServerSocket server = kind.listen()) {
            String host = kind.serverAddress().getHostAddress();
            int port = server.getLocalPort();
            kind.sockets().createSocket(host, port).close();
            kind.sockets().createSocket(host, port, any, 0).close();
            kind.sockets().createSocket(kind.serverAddress(), port, any, 0).close();
            log.add(outcome(() -> kind.sockets().createSocket("weir.invalid", port)));
        }
    }

    // ---- what is ours alone

    @Test
    void sendUrgentData_ofOurs_isRefused() throws IOException {
        try (Ends ends = ours.connect()) {
            SocketException e =
                    assertThrows(SocketException.class, () -> ends.near().sendUrgentData(1));
            assertEquals("Urgent data not supported", e.getMessage());
        }
    }
}
