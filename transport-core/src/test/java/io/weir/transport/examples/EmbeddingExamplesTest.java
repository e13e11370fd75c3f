package io.weir.transport.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.testing.Background;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the examples of docs/EMBEDDING.md work, and that the document shows them as they are. */
class EmbeddingExamplesTest {
    private static final String SOURCE =
            "transport-core/src/test/java/io/weir/transport/examples/EmbeddingExamples.java";
    private static final Pattern EXAMPLE = Pattern.compile("(?ms)^    // example (\\w+)\\n(.*?)\\n*^    // end$");
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", PORT);

    private interface Use {
        void with(Transport client, Transport server) throws Exception;
    }

    private static void withPair(TransportConfig serverConfig, Use use) throws Exception {
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        try (Transport client = Transport.open(pair.get(0), left, TransportConfig.DEFAULT);
                Transport server = Transport.open(pair.get(1), right, serverConfig)) {
            use.with(client, server);
        }
    }

    @Test
    void document_examples_areTheCode() {
        List<String> names = EXAMPLE.matcher(Document.read(SOURCE))
                .results()
                .map(example -> {
                    String code = example.group(2).replaceAll("(?m)^    ", "");
                    Document.requireBlock(
                            "docs/EMBEDDING.md", "example " + example.group(1), "```java\n" + code + "\n```\n");
                    return example.group(1);
                })
                .toList();
        assertEquals(List.of("open", "client", "protocol", "server", "factories", "handler", "invoker"), names);
    }

    @Test
    void sockets_askAndEcho_answer() throws Exception {
        withPair(TransportConfig.DEFAULT, (client, server) -> {
            try (WeirServerSocket listener = server.listen(PORT)) {
                CompletableFuture<Void> echo = Background.run(() -> {
                    EmbeddingExamples.echo(listener);
                    return null;
                });
                assertEquals("anybody there?", EmbeddingExamples.ask(client, SERVER, "anybody there?"));
                echo.get();
            }
        });
    }

    @Test
    void factories_askAndEcho_answer() throws Exception {
        withPair(TransportConfig.DEFAULT, (client, server) -> {
            try (ServerSocket listener = EmbeddingExamples.listenBySocket(server, PORT)) {
                CompletableFuture<Long> echo = Background.run(() -> {
                    try (Socket socket = listener.accept()) {
                        return socket.getInputStream().transferTo(socket.getOutputStream());
                    }
                });
                assertEquals("anybody there?", EmbeddingExamples.askBySocket(client, SERVER, "anybody there?"));
                assertEquals(14, echo.get());
            }
        });
    }

    @Test
    void protocols_preferredOrByConnection_areAgreedOrRefused() throws Exception {
        withPair(EmbeddingExamples.preferring("newreno"), (client, server) -> {
            EmbeddingExamples.listen(server, PORT);
            try (WeirSocket socket = EmbeddingExamples.connectByNewReno(client, SERVER)) {
                assertEquals("newreno", socket.protocol().name());
            }
        });
        TransportConfig without = TransportConfig.builder()
                .protocols(List.of(Catalogue.find("weir").orElseThrow()))
                .build();
        withPair(without, (client, server) -> {
            EmbeddingExamples.listen(server, PORT);
            IOException refusal =
                    assertThrows(IOException.class, () -> EmbeddingExamples.connectByNewReno(client, SERVER));
            assertTrue(refusal.getMessage().endsWith("does not speak newreno"), refusal.getMessage());
        });
    }

    @Test
    void handler_moreThanTheBuffersHold_echoesAll() throws Exception {
        withPair(TransportConfig.DEFAULT, (client, server) -> {
            EmbeddingExamples.listen(server, PORT);
            String question = "0123456789".repeat(10_000);
            assertEquals(question, EmbeddingExamples.ask(client, SERVER, question));
        });
    }

    @Test
    void invoker_loopOnTheApplicationsThread_answers() throws Exception {
        TransportConfig config =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        withPair(config, (client, server) -> {
            EmbeddingExamples.listen(server, PORT);
            CountDownLatch end = new CountDownLatch(1);
            Thread application = new Thread(() -> EmbeddingExamples.runLoop(server, end));
            application.start();
            assertEquals("anybody there?", EmbeddingExamples.ask(client, SERVER, "anybody there?"));
            end.countDown();
            application.join();
            server.loop().adopt();
            assertTrue(server.loop().isLoopThread());
        });
    }
}
