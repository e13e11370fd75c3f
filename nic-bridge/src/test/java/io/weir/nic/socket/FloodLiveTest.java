package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpEcho;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.WeirHeader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Floods a server with a heap of 256 MB by openings from an address that is there and from 256 that are not, while
 * honest clients connect and other programs use the kernel's UDP and TCP. {@code -Dweir.flood.connects=1000} sets how
 * many honest clients, 50 without; it prints how many were served. A test of speed it is not.
 */
@LiveTest
class FloodLiveTest {
    private static final int PORT = 4726;
    private static final int OTHER_PORT = 6002;
    private static final int HONEST_COUNT = Integer.getInteger("weir.flood.connects", 50);
    private static final int PER_MILLISECOND = 20;
    private static final int FALSE_COUNT = 256;
    private static final long MILLISECOND = 1_000_000;
    private static final String REAL = "10.77.0.3";
    private static final String SERVING = "SERVING";
    private static final String HEAP = "HEAP ";
    /** How much more heap than before may be in use once the flood is over, after a collection. */
    private static final long HEAP_BYTES_SLACK = 8 << 20;

    @Test
    @SuppressWarnings({"SystemOut", "try"}) // figures; the kernel's servers are not spoken to by name
    void flood_ofOpenings_leavesHonestClientsTheHeapAndOtherProgramsAlone() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                Transport client = hosts.openTransport(hosts.a());
                UdpEcho other = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, OTHER_PORT);
                ServerSocket tcp = echoTcp(hosts.b());
                ChildJvm server = ChildJvm.start(
                        List.of(
                                "env",
                                "JAVA_TOOL_OPTIONS=-Xmx256m",
                                "ip",
                                "netns",
                                "exec",
                                hosts.b().name()),
                        Server.class)) {
            hosts.lab().run(hosts.a(), "ip", "address", "add", REAL + "/24", "dev", TwoHosts.INTERFACE);
            hosts.lab().run(hosts.a(), "ip", "route", "add", "local", "10.88.0.0/16", "dev", "lo");
            hosts.lab().run(hosts.b(), "ip", "route", "add", "10.88.0.0/16", "dev", TwoHosts.INTERFACE);
            assertEquals(SERVING, server.awaitLine(SERVING));
            askOthers(hosts);
            connect(client);
            long heapBytesBefore = heapBytes(server);
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicLong sentCount = new AtomicLong();
            CompletableFuture<Void> flood = Background.run(() -> flood(hosts.a(), sentCount, isOver));
            Deadline.await("the flood", () -> sentCount.get() > 1_000 * PER_MILLISECOND);
            long sentBefore = sentCount.get();
            int connectedCount = 0;
            long startNanos = System.nanoTime();
            for (int i = 0; i < HONEST_COUNT; i++) {
                connectedCount += connect(client) ? 1 : 0;
                askOthers(hosts);
            }
            long floodNanos = System.nanoTime() - startNanos;
            isOver.set(true);
            long sent = sentCount.get() - sentBefore;
            flood.get();
            long endNanos = System.nanoTime();
            // What was told while the flood went on is read first.
            Deadline.await("the heap to be as before", () -> heapBytes(server) <= heapBytesBefore + HEAP_BYTES_SLACK);
            askOthers(hosts);
            assertTrue(connect(client), "an honest connect after the flood");
            System.out.printf(
                    "%d openings in %d ms; %d of %d honest connects; heap %d B before, as much again within %d ms after%n",
                    sent,
                    floodNanos / MILLISECOND,
                    connectedCount,
                    HONEST_COUNT,
                    heapBytesBefore,
                    (System.nanoTime() - endNanos) / MILLISECOND);
        }
    }

    private static long heapBytes(ChildJvm server) throws IOException {
        String line = server.awaitLine(HEAP);
        assertTrue(line.startsWith(HEAP), "the server ended: " + line);
        return Long.parseLong(line.substring(HEAP.length()));
    }

    private static boolean connect(Transport client) {
        try (WeirSocket socket =
                client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), Duration.ofSeconds(2))) {
            socket.outputStream().write(42);
            return socket.inputStream().read() == 42;
        } catch (IOException e) {
            return false;
        }
    }

    private static void askOthers(TwoHosts hosts) throws IOException {
        UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, TwoHosts.ADDRESS_B, OTHER_PORT);
        hosts.a().call(() -> {
            try (Socket socket = new Socket(TwoHosts.ADDRESS_B, OTHER_PORT)) {
                socket.getOutputStream().write(42);
                assertEquals(42, socket.getInputStream().read());
            }
            return null;
        });
    }

    private static ServerSocket echoTcp(NetNamespace namespace) throws IOException {
        ServerSocket listener = namespace.call(() -> new ServerSocket(OTHER_PORT));
        Thread thread = new Thread(
                () -> {
                    while (!listener.isClosed()) {
                        try (Socket socket = listener.accept()) {
                            socket.getInputStream().transferTo(socket.getOutputStream());
                        } catch (IOException e) {
                            // The client has gone, or the test is over.
                        }
                    }
                },
                "echo-tcp");
        thread.setDaemon(true);
        thread.start();
        return listener;
    }

    /** Sends openings, and counts them, until it is over. */
    private static void flood(NetNamespace namespace, AtomicLong sentCount, AtomicBoolean isOver) {
        List<DatagramSocket> sockets = new ArrayList<>();
        long count = 0;
        try {
            for (int i = 0; i < 2 * FALSE_COUNT; i++) {
                String address = i % 2 == 0 ? REAL : "10.88." + i / 2 + ".1";
                sockets.add(namespace.call(() -> new DatagramSocket(0, InetAddress.getByName(address))));
            }
            UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(OpenHeader.BYTES));
            byte[] opening = new byte[OpenHeader.BYTES];
            DatagramPacket packet =
                    new DatagramPacket(opening, opening.length, new InetSocketAddress(TwoHosts.ADDRESS_B, PORT));
            long startNanos = System.nanoTime();
            while (!isOver.get()) {
                long due = (System.nanoTime() - startNanos) / MILLISECOND * PER_MILLISECOND;
                for (long end = Math.min(due, count + 10 * PER_MILLISECOND); count < end; count++) {
                    write(frame, count);
                    frame.getBytes(0, opening);
                    sockets.get((int) (count % sockets.size())).send(packet);
                }
                sentCount.set(count);
                LockSupport.parkNanos(MILLISECOND / 2);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            sockets.forEach(DatagramSocket::close);
        }
    }

    private static void write(UnsafeBuffer buffer, long number) {
        OpenHeader.write(buffer, 0, 0, 0x5EED_0000_0000_0001L + number);
        WeirHeader.packetNumber(buffer, 0, 1);
        int code = ExpressPass.KIND.id().code();
        OpenHeader.offer(buffer, 0, code, 1 << code, 1_500);
        OpenHeader.amounts(buffer, 0, 1 << 16, 0);
        OpenHeader.creditFrames(buffer, 0, 1);
    }

    /** A process that echoes, and tells every second how much heap is in use after a collection. */
    static final class Server {
        private Server() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] arguments) throws IOException {
            try (Transport transport = Transport.open(TwoHosts.INTERFACE);
                    WeirServerSocket listener = transport.listen(PORT)) {
                System.out.println(SERVING);
                start(Server::tellHeap);
                while (true) {
                    WeirSocket socket = listener.accept();
                    start(() -> echo(socket));
                }
            }
        }

        @SuppressWarnings("SystemOut")
        private static void tellHeap() {
            while (true) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.println(HEAP + (runtime.totalMemory() - runtime.freeMemory()));
                LockSupport.parkNanos(1_000 * MILLISECOND);
            }
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            thread.start();
        }

        private static void echo(WeirSocket socket) {
            try (socket) {
                socket.inputStream().transferTo(socket.outputStream());
            } catch (IOException e) {
                // The client has gone.
            }
        }
    }
}
