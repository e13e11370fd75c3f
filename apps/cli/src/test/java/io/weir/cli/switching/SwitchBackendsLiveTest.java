package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.PublishedSchema;
import io.weir.nic.dpdk.DpdkTest;
import io.weir.nic.lab.LiveTest;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link SwitchCommand} with ports of different backends, between two hosts. */
@LiveTest(isBalanced = false) // one of its ports is DPDK's, which keeps sockets, pipes and memory
class SwitchBackendsLiveTest {
    private static final String STARTED = "Forwarding between 2 ports";
    private static final int TCP_BYTES = 2_000_000;
    private static final int WEIR_BYTES = 4_000_000;

    @TempDir
    private Path folder;

    private SwitchedHosts hosts;

    @BeforeEach
    void build() throws IOException {
        hosts = new SwitchedHosts();
    }

    @AfterEach
    void demolish() {
        hosts.close();
    }

    private Path write(String portOfA, String portOfB) throws IOException {
        Path file = folder.resolve("switch.yaml");
        Files.writeString(
                file,
                "defaults: {rate: 200Mbps, namespace: " + hosts.fabric().name() + "}\nports:\n" + port("sw0", portOfA)
                        + port("sw1", portOfB));
        return file;
    }

    private static String port(String interfaceName, String backend) {
        String device =
                "'device=net_af_packet_" + interfaceName + ",iface=" + interfaceName + ";eal=" + DpdkTest.EAL + "'";
        return "- {backend: " + backend + ", interface: " + (backend.equals("dpdk") ? device : interfaceName) + "}\n";
    }

    @ParameterizedTest
    @CsvSource({"af-packet, af-packet", "afxdp, af-packet", "af-packet, afxdp", "dpdk, afxdp", "af-packet, dpdk"})
    void call_portsOfBackends_carryKernelTcpAndMeterCredits(String portOfA, String portOfB) throws Exception {
        CommandRun run =
                CommandRun.start("switch", "--json", write(portOfA, portOfB).toString());
        run.awaitText(STARTED);
        kernelTcp();
        try (SwitchedHosts.Stream stream = hosts.open(ExpressPass.KIND.id(), TransportConfig.DEFAULT)) {
            stream.send(SwitchedHosts.bytes(WEIR_BYTES));
        }
        assertEquals(0, run.stop(), run.err());

        JsonNode document = new ObjectMapper().readTree(run.out());
        PublishedSchema.assertResult(document);
        JsonNode towardsB = document.at("/result/ports/1");
        assertTrue(towardsB.path("wireBytesSent").asLong() > TCP_BYTES + WEIR_BYTES, towardsB.toString());
        JsonNode towardsA = document.at("/result/ports/0");
        long creditsMin = WEIR_BYTES / 1_460;
        assertTrue(towardsA.path("creditsSent").asLong() >= creditsMin, "a credit for each segment: " + towardsA);
    }

    private void kernelTcp() throws Exception {
        byte[] sent = SwitchedHosts.bytes(TCP_BYTES);
        try (ServerSocket listener = hosts.listen()) {
            CompletableFuture<byte[]> received = Background.run(() -> acceptAll(listener));
            try (Socket socket = hosts.connect()) {
                socket.getOutputStream().write(sent);
            }
            assertArrayEquals(sent, received.get());
        }
    }

    private static byte[] acceptAll(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            return socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void call_interfaceForPacketsWithAnAddress_isRefusedWithTheRemedy() throws Exception {
        Path file = write("afxdp", "af-packet");
        String host = "interface: " + SwitchedHosts.HOST_INTERFACE + ", namespace: "
                + hosts.b().name();
        Files.writeString(file, Files.readString(file).replace("interface: sw1", host));
        CommandRun run = CommandRun.start("switch", file.toString());
        assertEquals(3, run.await());
        assertTrue(run.err().contains("eth0 has addresses (" + SwitchedHosts.ADDRESS_B + ")"), run.err());
        assertTrue(run.err().contains("ip address flush dev eth0"), run.err());
    }
}
