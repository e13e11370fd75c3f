package io.weir.transport.examples;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.peers.NewReno;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.SocketFactory;
import org.agrona.DirectBuffer;

/** The code of docs/EMBEDDING.md: {@code EmbeddingExamplesTest} runs it, and compares it with the document. */
final class EmbeddingExamples {
    private EmbeddingExamples() {}

    // example open
    static Transport open() throws IOException {
        return Transport.open("eth0");
    }

    static Transport openSpinning() throws IOException {
        TransportConfig config = TransportConfig.builder()
                .idleMode(IdleMode.BUSY_SPIN)
                .linkRateBps(10_000_000_000L) // where the device does not know it, as in virtual machines
                .build();
        return Transport.open("eth0", config);
    }

    // end

    // example client
    static String ask(Transport transport, InetSocketAddress server, String question) throws IOException {
        try (WeirSocket socket = transport.connect(server, Duration.ofSeconds(5))) {
            socket.setReadTimeout(Duration.ofSeconds(5));
            socket.write(ByteBuffer.wrap(question.getBytes(StandardCharsets.UTF_8)));
            socket.shutdownOutput();
            return new String(socket.inputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    // end

    // example protocol
    static TransportConfig preferring(String name) {
        return TransportConfig.builder()
                .prefer(Catalogue.find(name).orElseThrow()) // a protocol or a preset, as in "newreno" or "paper"
                .build();
    }

    static WeirSocket connectByNewReno(Transport transport, InetSocketAddress server) throws IOException {
        ProtocolId wanted = NewReno.KIND.id();
        WeirSocket socket = transport.connect(server, Duration.ofSeconds(5), wanted);
        if (!socket.protocol().equals(wanted)) {
            socket.close(); // the server does not speak it, and chose another
            throw new IOException(server + " does not speak " + wanted.name());
        }
        return socket;
    }

    // end

    // example server
    static void echo(WeirServerSocket listener) throws IOException {
        try (WeirSocket socket = listener.accept()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(64 * 1024);
            while (socket.read(bytes) >= 0) {
                socket.write(bytes.flip());
                bytes.clear();
            }
            socket.shutdownOutput();
        }
    }

    // end

    // example factories
    static String askBySocket(Transport transport, InetSocketAddress server, String question) throws IOException {
        SocketFactory factory = new WeirSocketFactory(transport); // for whatever takes a SocketFactory
        try (Socket socket = factory.createSocket(server.getAddress(), server.getPort())) {
            socket.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static ServerSocket listenBySocket(Transport transport, int port) throws IOException {
        return new WeirServerSocketFactory(transport).createServerSocket(port);
    }

    // end

    // example handler
    /** Sends back what comes. */
    static final class Echo implements ConnectionHandler {
        @Override
        public void onConnected(Connection connection) {}

        @Override
        public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
            // What there is no room for is not taken: it stays, and the peer gets no more credits than fit.
            return connection.write(buffer, index, length);
        }

        @Override
        public void onWritable(Connection connection) {
            connection.resumeReading();
        }

        @Override
        public void onEnd(Connection connection) {
            connection.shutdownOutput();
        }

        @Override
        public void onClosed(Connection connection, CloseReason reason) {}
    }

    static void listen(Transport transport, int port) throws IOException {
        transport.listen(port, connection -> new Echo());
    }

    // end

    // example invoker
    static void runLoop(Transport transport, CountDownLatch end) {
        transport.loop().adopt();
        while (end.getCount() > 0) {
            int work = transport.runOnce();
            if (work == 0) {
                Thread.onSpinWait(); // or the application's own work
            }
        }
    }
    // end
}
