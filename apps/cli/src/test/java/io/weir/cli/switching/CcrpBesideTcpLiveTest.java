package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * CCRP through {@code weir switch}, beside a stream of the kernel's TCP with ECN on. How much each gets is compared where one loop runs
 * everything: {@code LabCommandLiveTest}.
 */
@LiveTest
@Timeout(120)
class CcrpBesideTcpLiveTest {
    private static final String ADDRESS_B = "10.79.0.2";
    private static final String HOST_INTERFACE = "eth0";
    private static final int PORT = 4721;
    private static final long RATE_BPS = 200_000_000L;
    private static final int WEIR_BYTES = 20_000_000;
    private static final int CHUNK_BYTES = 1 << 14;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Far less than TCP gets, so that a machine that has other things to do passes too. */
    private static final double SHARE_MIN = 0.1;

    private static final String SWITCH = """
            defaults:
              namespace: FABRIC
              rate: 200Mbps
              mtu: 1500
              dataQueue: 100KB
              ecn: {threshold: 15KB}
              credits: {model: paper}
            ports:
              - interface: sw0
              - interface: sw1
            """;

    @TempDir
    private Path folder;

    private Lab lab;
    private NetNamespace a;
    private NetNamespace b;
    private Path file;

    @BeforeEach
    void build() throws IOException {
        lab = Lab.create();
        a = lab.namespace("a");
        b = lab.namespace("b");
        NetNamespace fabric = lab.namespace("fabric");
        lab.link(LabLink.between(new LabEnd(a, HOST_INTERFACE, "10.79.0.1/24"), new LabEnd(fabric, "sw0")));
        lab.link(LabLink.between(new LabEnd(b, HOST_INTERFACE, ADDRESS_B + "/24"), new LabEnd(fabric, "sw1")));
        for (NetNamespace namespace : new NetNamespace[] {a, b}) {
            namespace.call(() -> Files.writeString(Path.of("/proc/sys/net/ipv4/tcp_ecn"), "1"));
        }
        file = Files.writeString(folder.resolve("switch.yaml"), SWITCH.replace("FABRIC", fabric.name()));
    }

    @AfterEach
    void demolish() {
        lab.close();
    }

    @Test
    void transfer_besideKernelTcp_arrivesAndLeavesTcpAShare() throws Exception {
        double share = shareOfTcp(Ccrp.KIND.id());
        assertTrue(share > SHARE_MIN, "TCP has " + share + " of the bytes");
    }

    /** {@return the share of TCP in all that came while a verified transfer of the protocol went on} */
    private double shareOfTcp(ProtocolId protocol) throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText("Forwarding between 2 ports");
        AtomicLong tcpBytes = new AtomicLong();
        AtomicBoolean isOver = new AtomicBoolean();
        long during;
        try (ServerSocket listener = b.call(() -> new ServerSocket(PORT))) {
            CompletableFuture<Void> sink = CompletableFuture.runAsync(() -> drain(listener, tcpBytes));
            try (Socket socket = a.call(CcrpBesideTcpLiveTest::connect)) {
                CompletableFuture<Void> source = CompletableFuture.runAsync(() -> fill(socket, isOver));
                during = tcpBytesDuring(protocol, tcpBytes);
                isOver.set(true);
                source.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            sink.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertEquals(0, run.stop(), run.err());
        JsonNode towardsB = new ObjectMapper().readTree(run.out()).at("/result/ports/1");
        assertTrue(towardsB.path("marks").asLong() > 0, towardsB.toString());
        return (double) during / (during + WEIR_BYTES);
    }

    private long tcpBytesDuring(ProtocolId protocol, AtomicLong tcpBytes) throws Exception {
        byte[] sent = new byte[WEIR_BYTES];
        new Random(1).nextBytes(sent);
        try (Transport client = transport(a);
                Transport server = transport(b);
                WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> acceptAll(listener));
            try (WeirSocket socket = client.connect(new InetSocketAddress(ADDRESS_B, PORT), PATIENCE, protocol)) {
                assertEquals(protocol, socket.protocol());
                long before = tcpBytes.get();
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
                byte[] all = received.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
                long during = tcpBytes.get() - before;
                assertArrayEquals(sent, all);
                return during;
            }
        }
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(ADDRESS_B, PORT), (int) PATIENCE.toMillis());
        return socket;
    }

    private static void fill(Socket socket, AtomicBoolean isOver) {
        try {
            OutputStream output = socket.getOutputStream();
            byte[] chunk = new byte[CHUNK_BYTES];
            while (!isOver.get()) {
                output.write(chunk);
            }
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void drain(ServerSocket listener, AtomicLong count) {
        try (Socket socket = listener.accept();
                InputStream input = socket.getInputStream()) {
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int n = input.read(chunk); n >= 0; n = input.read(chunk)) {
                count.addAndGet(n);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] acceptAll(WeirServerSocket listener) {
        try (WeirSocket socket = listener.accept()) {
            return socket.inputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Transport transport(NetNamespace namespace) throws IOException {
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig config =
                AfXdpConfig.host(HOST_INTERFACE).namespace(namespace.name()).build();
        return Transport.open(
                AfXdpInterface.open(config, pool),
                pool,
                TransportConfig.builder().linkRateBps(RATE_BPS).build());
    }
}
