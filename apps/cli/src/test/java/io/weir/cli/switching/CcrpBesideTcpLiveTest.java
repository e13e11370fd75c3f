package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.testing.Background;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CCRP through {@code weir switch}, next to a stream of the kernel's TCP with ECN on: both arrive, and the switch
 * marks. How much each gets depends on who has a core; shares are compared in virtual time, by {@code CcrpTest}.
 */
@LiveTest
class CcrpBesideTcpLiveTest {
    private static final long RATE_BPS = 200_000_000L;
    private static final int WEIR_BYTES = 8_000_000;
    /** TCP goes on until Weir's bytes and these have arrived. */
    private static final long TCP_BYTES_MIN = 2_000_000;

    private static final int CHUNK_BYTES = 1 << 14;

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
    void transfer_besideKernelTcp_bothArriveAndAreMarked() throws Exception {
        CommandRun run = CommandRun.start("switch", "--json", file.toString());
        run.awaitText("Forwarding between 2 ports");
        AtomicLong tcpBytes = new AtomicLong();
        AtomicBoolean isOver = new AtomicBoolean();
        long tcpBytesSent;
        try (ServerSocket listener = hosts.listen()) {
            CompletableFuture<Void> sink = Background.run(() -> drain(listener, tcpBytes));
            try (Socket socket = hosts.connect()) {
                CompletableFuture<Long> source = Background.run(() -> fill(socket, isOver));
                transfer(Ccrp.KIND.id());
                Deadline.await("bytes of TCP", run::err, () -> tcpBytes.get() >= TCP_BYTES_MIN);
                isOver.set(true);
                tcpBytesSent = source.get();
            }
            sink.get();
        }
        assertEquals(0, run.stop(), run.err());
        JsonNode towardsB = new ObjectMapper().readTree(run.out()).at("/result/ports/1");
        assertTrue(towardsB.path("marks").asLong() > 0, towardsB.toString());
        assertEquals(tcpBytesSent, tcpBytes.get());
    }

    private void transfer(ProtocolId protocol) throws Exception {
        TransportConfig config = TransportConfig.builder().linkRateBps(RATE_BPS).build();
        byte[] sent = SwitchedHosts.bytes(WEIR_BYTES);
        try (SwitchedHosts.Stream stream = hosts.open(protocol, config)) {
            stream.send(sent);
        }
    }

    /** {@return how many bytes it took} */
    private static long fill(Socket socket, AtomicBoolean isOver) {
        try {
            OutputStream output = socket.getOutputStream();
            byte[] chunk = new byte[CHUNK_BYTES];
            long count = 0;
            for (; !isOver.get(); count += CHUNK_BYTES) {
                output.write(chunk);
            }
            socket.shutdownOutput();
            return count;
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
