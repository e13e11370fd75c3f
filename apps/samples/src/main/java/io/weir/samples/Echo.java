package io.weir.samples;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends back what comes, with sockets that wait and a thread for each connection. */
public final class Echo {
    private static final int PORT = 4720;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Echo() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws IOException {
        if (args.length == 2 && args[0].equals("server")) {
            serve(args[1]);
        } else if (args.length == 3 && args[0].equals("client")) {
            ask(args[1], args[2]);
        } else {
            System.err.println("usage: Echo server INTERFACE | Echo client INTERFACE ADDRESS");
            System.exit(2);
        }
    }

    private static void serve(String interfaceName) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                WeirServerSocket listener = transport.listen(PORT)) {
            System.out.println("listening on " + interfaceName + ", port " + PORT);
            while (true) {
                WeirSocket socket = listener.accept();
                new Thread(() -> echo(socket), "echo").start();
            }
        }
    }

    private static void echo(WeirSocket socket) {
        try (socket) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (socket.read(bytes) >= 0) {
                socket.write(bytes.flip());
                bytes.clear();
            }
            socket.shutdownOutput();
        } catch (IOException e) {
            System.err.println(socket.remoteAddress() + ": " + e.getMessage());
        }
    }

    private static void ask(String interfaceName, String server) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                WeirSocket socket = transport.connect(new InetSocketAddress(server, PORT), TIMEOUT)) {
            socket.setReadTimeout(TIMEOUT);
            socket.write(ByteBuffer.wrap("Hello, Weir".getBytes(StandardCharsets.UTF_8)));
            socket.shutdownOutput();
            String answer = new String(socket.inputStream().readAllBytes(), StandardCharsets.UTF_8);
            System.out.println(server + " sent back: " + answer);
        }
    }
}
