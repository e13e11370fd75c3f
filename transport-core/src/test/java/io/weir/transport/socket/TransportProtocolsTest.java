package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which protocol the connections of two transports get, and that each of the catalogue moves bytes in real time.
 */
class TransportProtocolsTest {
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", PORT);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Transport client;
    private Transport server;

    private void open(TransportConfig clientConfig, TransportConfig serverConfig) throws IOException {
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 1_000_000_000L);
        client = Transport.open(pair.get(0), left, clientConfig);
        server = Transport.open(pair.get(1), right, serverConfig);
    }

    private static TransportConfig speaking(ProtocolConfig... protocols) {
        return TransportConfig.builder().protocols(List.of(protocols)).build();
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
            server.close();
        }
    }

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void connect_eachProtocol_isAgreedAndMovesBytes(ProtocolConfig protocol) throws Exception {
        open(TransportConfig.DEFAULT, TransportConfig.DEFAULT);
        byte[] sent = new byte[2_000_000];
        new Random(1).nextBytes(sent);
        try (WeirServerSocket listener = server.listen(PORT)) {
            CompletableFuture<byte[]> received = Background.run(() -> readAll(listener, protocol.id()));
            try (WeirSocket socket = client.connect(SERVER, PATIENCE, protocol.id())) {
                assertEquals(protocol.id(), socket.protocol());
                socket.write(ByteBuffer.wrap(sent));
                socket.shutdownOutput();
                assertArrayEquals(sent, received.get());
            }
        }
    }

    private static byte[] readAll(WeirServerSocket listener, ProtocolId protocol) throws IOException {
        try (WeirSocket socket = listener.accept()) {
            assertEquals(protocol, socket.protocol());
            return socket.inputStream().readAllBytes();
        }
    }

    @Test
    void connect_nothingSaid_isByThePreferredOne() throws Exception {
        open(
                TransportConfig.builder().prefer(NewReno.KIND.usual()).build(),
                speaking(ExpressPass.weir(), NewReno.KIND.usual()));
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE)) {
            assertEquals(PORT, listener.localPort());
            assertEquals(NewReno.KIND.id(), socket.protocol());
        }
    }

    @Test
    void connect_peerDoesNotSpeakIt_getsOneThatBothSpeakAndSaysSo() throws Exception {
        open(TransportConfig.DEFAULT, speaking(ExpressPass.weir()));
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(SERVER, PATIENCE, NewReno.KIND.id())) {
            assertEquals(PORT, listener.localPort());
            assertEquals(ExpressPass.KIND.id(), socket.protocol());
        }
    }

    @Test
    void connect_protocolThatThisEndDoesNotSpeak_isRefusedNamingThoseThatItDoes() throws Exception {
        open(speaking(ExpressPass.weir()), TransportConfig.DEFAULT);
        String message = assertThrows(
                        IllegalArgumentException.class, () -> client.connect(SERVER, PATIENCE, NewReno.KIND.id()))
                .getMessage();
        assertEquals("this transport speaks expresspass and not newreno; add it to TransportConfig.protocols", message);
    }

    @Test
    void connect_withAHandler_hearsTheProtocolAtBothEnds() throws Exception {
        open(TransportConfig.DEFAULT, TransportConfig.DEFAULT);
        CompletableFuture<ProtocolId> atServer = new CompletableFuture<>();
        CompletableFuture<ProtocolId> atClient = new CompletableFuture<>();
        server.listen(PORT, connection -> new Teller(atServer));
        client.connect(SERVER, new Teller(atClient), NewReno.KIND.id());
        assertEquals(NewReno.KIND.id(), atClient.get());
        assertEquals(NewReno.KIND.id(), atServer.get());
    }

    @Test
    void parametersOf_spokenProtocol_areThoseOfThisEnd() throws Exception {
        open(TransportConfig.builder().prefer(ExpressPass.paper()).build(), TransportConfig.DEFAULT);
        assertEquals("paper", client.parametersOf(ExpressPass.KIND.id()).preset());
        assertEquals("weir", server.parametersOf(ExpressPass.KIND.id()).preset());
        assertEquals("newreno", client.parametersOf(NewReno.KIND.id()).preset());
    }

    /** Tells by which protocol its connection is. */
    private static final class Teller extends PassiveHandler {
        private final CompletableFuture<ProtocolId> protocol;

        Teller(CompletableFuture<ProtocolId> protocol) {
            this.protocol = protocol;
        }

        @Override
        public void onConnected(Connection connection) {
            protocol.complete(connection.protocol());
        }

        @Override
        public void onClosed(Connection connection, CloseReason reason) {}
    }
}
