package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpEcho;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests what {@code kill -9} under traffic leaves behind: nothing. {@code -Dweir.kill.count=100} sets how often, five
 * times without. It prints how long the interface took to be clean and the server to serve again; a test of speed it is
 * not.
 */
@LiveTest
class KillLiveTest {
    private static final int PORT = 4725;
    private static final int OTHER_PORT = 6001;
    private static final int COUNT = Integer.getInteger("weir.kill.count", 5);
    private static final int BYTES = 1_000_000;
    private static final String SERVING = "SERVING";

    @Test
    @SuppressWarnings({"SystemOut", "try"
    }) // figures for those who ask for many; the kernel's server is not spoken to by name
    void server_killedUnderTraffic_leavesNothingAndServesAgain() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                Transport client = hosts.openTransport(hosts.a());
                UdpEcho other = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, OTHER_PORT)) {
            long cleanNanosMax = 0;
            long servingNanosMax = 0;
            ChildJvm server = start(hosts.b());
            for (int i = 0; i < COUNT; i++) {
                WeirSocket traffic = connect(client);
                AtomicLong echoedBytes = new AtomicLong();
                CompletableFuture<Void> writes = Background.run(() -> writeForever(traffic));
                CompletableFuture<Void> reads = Background.run(() -> readForever(traffic, echoedBytes));
                Deadline.await("traffic", () -> echoedBytes.get() > BYTES);
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, TwoHosts.ADDRESS_B, OTHER_PORT);
                long startNanos = System.nanoTime();
                server.kill();
                Deadline.await(
                        "the interface to be clean",
                        () -> TwoHosts.facts(hosts.b()).xdpProgramId() == 0);
                cleanNanosMax = Math.max(cleanNanosMax, System.nanoTime() - startNanos);
                UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, TwoHosts.ADDRESS_B, OTHER_PORT);
                long againNanos = System.nanoTime();
                server = start(hosts.b());
                servingNanosMax = Math.max(servingNanosMax, System.nanoTime() - againNanos);
                traffic.abort();
                writes.join();
                reads.join();
                transfer(client, i);
            }
            server.kill();
            assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
            System.out.printf(
                    "killed %d times: clean within %d ms, serving again within %d ms, all transfers verified%n",
                    COUNT,
                    TimeUnit.NANOSECONDS.toMillis(cleanNanosMax),
                    TimeUnit.NANOSECONDS.toMillis(servingNanosMax));
        }
    }

    private static ChildJvm start(NetNamespace namespace) throws IOException {
        ChildJvm server = ChildJvm.start(List.of("ip", "netns", "exec", namespace.name()), EchoServer.class);
        assertEquals(SERVING, server.awaitLine(SERVING));
        return server;
    }

    private static WeirSocket connect(Transport client) throws IOException {
        return client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), Deadline.HANG_GUARD);
    }

    /** Sends bytes, and compares what comes back. */
    private static void transfer(Transport client, int seed) throws Exception {
        byte[] sent = new byte[BYTES];
        new Random(seed).nextBytes(sent);
        try (WeirSocket socket = connect(client)) {
            CompletableFuture<Void> written = Background.run(() -> write(socket, sent));
            byte[] echoed = socket.inputStream().readAllBytes();
            written.get();
            assertArrayEquals(sent, echoed);
        }
    }

    private static void write(WeirSocket socket, byte[] bytes) {
        try {
            socket.write(ByteBuffer.wrap(bytes));
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void writeForever(WeirSocket socket) {
        try {
            while (true) {
                socket.write(ByteBuffer.wrap(new byte[1 << 16]));
            }
        } catch (IOException e) {
            // The server is gone, and the socket aborted.
        }
    }

    private static void readForever(WeirSocket socket, AtomicLong bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            for (int count = socket.read(buffer); count >= 0; count = socket.read(buffer)) {
                bytes.addAndGet(count);
                buffer.clear();
            }
        } catch (IOException e) {
            // The server is gone, and the socket aborted.
        }
    }

    /** A process that sends back what it gets, until it is killed; with a number of loops it reopens its interface. */
    static final class EchoServer {
        private EchoServer() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws IOException {
            TransportConfig config = TransportConfig.builder()
                    .reopen(arguments.length > 0)
                    .queueCount(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1)
                    .build();
            try (Transport transport = Transport.open(TwoHosts.INTERFACE, config);
                    WeirServerSocket listener = transport.listen(PORT)) {
                System.out.println(SERVING);
                while (true) {
                    WeirSocket socket = listener.accept();
                    Thread thread = new Thread(() -> echo(socket), "echo");
                    thread.setDaemon(true);
                    thread.start();
                }
            }
        }

        private static void echo(WeirSocket socket) {
            try (socket) {
                socket.inputStream().transferTo(socket.outputStream());
            } catch (IOException e) {
                // The client has aborted, or else its test fails and wants to know this.
                System.err.println("echo of " + socket.remoteAddress() + ": " + e);
            }
        }
    }
}
