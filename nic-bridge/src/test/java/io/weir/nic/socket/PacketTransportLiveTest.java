package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.UdpEcho;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests sockets over AF_PACKET, next to the kernel, which sees every frame too. */
@LiveTest
@SuppressWarnings("try") // peers that are only there
class PacketTransportLiveTest {
    private static final int PORT = 4720;
    private static final Duration PATIENCE = Deadline.HANG_GUARD;
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);

    @Test
    void write_bothFamilies_arriveUnchanged() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                Transport client = open(hosts.a(), 1500);
                Transport server = open(hosts.b(), 1500)) {
            transfer(client, server, SERVER, 20_000_000);
            transfer(client, server, new InetSocketAddress("fd77::2", PORT), 2_000_000);
        }
    }

    @Test
    void write_jumboFrames_arriveUnchanged() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withMtuBytes(9000));
                Transport client = open(hosts.a(), 9000);
                Transport server = open(hosts.b(), 9000)) {
            transfer(client, server, SERVER, 20_000_000);
        }
    }

    @Test
    void write_toAPeerOverAfXdp_arrivesUnchanged() throws Exception {
        try (TwoHosts hosts = TwoHosts.create()) {
            FramePool pool = new FramePool(8_192, 2_048);
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.b().name())
                    .build();
            // The peer's program lets the other end's driver take frames from it.
            try (Transport server = Transport.open(AfXdpInterface.open(config, pool), pool, TransportConfig.DEFAULT);
                    Transport client = open(hosts.a(), 1500)) {
                transfer(client, server, SERVER, 2_000_000);
            }
        }
    }

    @Test
    void write_kernelSeesTheFramesToo_itAnswersNothingAndKeepsNothing() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(TwoHosts::withoutIpv6);
                Transport client = open(hosts.a(), 1500);
                Transport server = open(hosts.b(), 1500)) {
            // The question that makes the kernel find the neighbour is answered by ICMP; it comes before.
            transfer(client, server, SERVER, 1_000);
            long unreachable = counter(hosts.b(), "Icmp:", "OutDestUnreachs");
            long dropped = counter(hosts.b(), "Udp:", "InErrors");
            transfer(client, server, SERVER, 2_000_000);
            assertEquals(unreachable, counter(hosts.b(), "Icmp:", "OutDestUnreachs"));
            assertTrue(counter(hosts.b(), "Udp:", "InErrors") > dropped + 1000, "the kernel did not see the frames");
            assertEquals("0", receiveQueues(hosts.b()), "bytes that the kernel keeps for nobody");
        }
    }

    @Test
    void ports_ofOtherPrograms_stayTheirs() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                UdpEcho other = UdpEcho.echo(hosts.b(), TwoHosts.ADDRESS_B, PORT + 1);
                Transport server = open(hosts.b(), 1500)) {
            assertThrows(BindException.class, () -> server.listen(PORT + 1));
            server.listen(PORT);
            UdpEcho.ask(hosts.a(), TwoHosts.ADDRESS_A, 0, TwoHosts.ADDRESS_B, PORT + 1);
        }
    }

    /** {@return what waits in the kernel's UDP sockets: 0, or the lines of those that have something} */
    private static String receiveQueues(NetNamespace namespace) throws Exception {
        StringBuilder waiting = new StringBuilder();
        List<String> lines = namespace.call(() -> Files.readAllLines(Path.of("/proc/thread-self/net/udp")));
        for (String line : lines.subList(1, lines.size())) {
            if (!line.contains(":00000000 00:")) {
                waiting.append(line).append('\n');
            }
        }
        return waiting.isEmpty() ? "0" : waiting.toString();
    }

    private static long counter(NetNamespace namespace, String protocol, String name) throws Exception {
        List<String> lines = namespace.call(() -> Files.readAllLines(Path.of("/proc/thread-self/net/snmp")));
        List<String> rows =
                lines.stream().filter(line -> line.startsWith(protocol)).toList();
        int column = List.of(rows.get(0).split(" ", -1)).indexOf(name);
        return Long.parseLong(rows.get(1).split(" ", -1)[column]);
    }

    private static Transport open(NetNamespace namespace, int mtuBytes) throws IOException {
        FramePool pool = new FramePool(4_096, PacketBackend.slotBytes(mtuBytes));
        NetInterface opened = PacketBackend.open(namespace, TwoHosts.INTERFACE, pool, List.of());
        return Transport.open(opened, pool, TransportConfig.DEFAULT);
    }

    private static void transfer(Transport client, Transport server, InetSocketAddress address, int count)
            throws Exception {
        byte[] sent = new byte[count];
        new Random(1).nextBytes(sent);
        try (WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(listener));
            try (WeirSocket socket = client.connect(address, PATIENCE)) {
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
                assertArrayEquals(sent, received.get());
            }
        }
    }

    private static byte[] readAll(WeirServerSocket listener) {
        try (WeirSocket socket = listener.accept()) {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
