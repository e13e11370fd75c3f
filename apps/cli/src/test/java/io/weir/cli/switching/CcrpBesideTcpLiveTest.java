package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    private static final long RATE_BPS = 200_000_000L;
    private static final int WEIR_BYTES = 20_000_000;
    private static final int CHUNK_BYTES = 1 << 14;
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

    private SwitchedHosts hosts;
    private Path file;

    @BeforeEach
    void build() throws IOException {
        hosts = new SwitchedHosts();
        for (NetNamespace namespace : List.of(hosts.a(), hosts.b())) {
            namespace.call(() -> Files.writeString(Path.of("/proc/sys/net/ipv4/tcp_ecn"), "1"));
        }
        file = Files.writeString(
                folder.resolve("switch.yaml"),
                SWITCH.replace("FABRIC", hosts.fabric().name()));
    }

    @AfterEach
    void demolish() {
        hosts.close();
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
        try (ServerSocket listener = hosts.listen()) {
            CompletableFuture<Void> sink = CompletableFuture.runAsync(() -> drain(listener, tcpBytes));
            try (Socket socket = hosts.connect()) {
                CompletableFuture<Void> source = CompletableFuture.runAsync(() -> fill(socket, isOver));
                during = tcpBytesDuring(protocol, tcpBytes);
                isOver.set(true);
                source.get(SwitchedHosts.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            sink.get(SwitchedHosts.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertEquals(0, run.stop(), run.err());
        JsonNode towardsB = new ObjectMapper().readTree(run.out()).at("/result/ports/1");
        assertTrue(towardsB.path("marks").asLong() > 0, towardsB.toString());
        return (double) during / (during + WEIR_BYTES);
    }

    private long tcpBytesDuring(ProtocolId protocol, AtomicLong tcpBytes) throws Exception {
        TransportConfig config = TransportConfig.builder().linkRateBps(RATE_BPS).build();
        byte[] sent = SwitchedHosts.bytes(WEIR_BYTES);
        try (SwitchedHosts.Stream stream = hosts.open(protocol, config)) {
            long before = tcpBytes.get();
            stream.send(sent);
            return tcpBytes.get() - before;
        }
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
}
