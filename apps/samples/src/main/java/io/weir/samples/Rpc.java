package io.weir.samples;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** Calls over one connection: each request and each answer is its length in four bytes, and a text. */
public final class Rpc {
    private static final int PORT = 4721;
    /** A length comes from outside: without a limit, four bytes could ask for two gigabytes. */
    private static final int MESSAGE_BYTES_MAX = 1 << 20;

    private static final int CALLS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Rpc() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws IOException {
        if (args.length == 2 && args[0].equals("server")) {
            serve(args[1]);
        } else if (args.length == 3 && args[0].equals("client")) {
            call(args[1], args[2]);
        } else {
            System.err.println("usage: Rpc server INTERFACE | Rpc client INTERFACE ADDRESS");
            System.exit(2);
        }
    }

    private static void serve(String interfaceName) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                WeirServerSocket listener = transport.listen(PORT)) {
            System.out.println("listening on " + interfaceName + ", port " + PORT);
            while (true) {
                WeirSocket socket = listener.accept();
                new Thread(() -> answerAll(socket), "rpc").start();
            }
        }
    }

    private static void answerAll(WeirSocket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.inputStream()));
            while (true) {
                String request = read(in);
                send(socket, new StringBuilder(request).reverse().toString());
            }
        } catch (EOFException e) {
            // The client has gone.
        } catch (IOException e) {
            System.err.println(socket.remoteAddress() + ": " + e.getMessage());
        }
    }

    private static void call(String interfaceName, String server) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                WeirSocket socket = transport.connect(new InetSocketAddress(server, PORT), TIMEOUT)) {
            socket.setReadTimeout(TIMEOUT);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.inputStream()));
            long[] nanos = new long[CALLS];
            String answer = "";
            for (int i = 0; i < CALLS; i++) {
                long startNanos = System.nanoTime();
                send(socket, "drawer");
                answer = read(in);
                nanos[i] = System.nanoTime() - startNanos;
            }
            Arrays.sort(nanos);
            System.out.println("\"drawer\" is \"" + answer + "\" in reverse");
            System.out.println(CALLS + " calls, median " + nanos[CALLS / 2] / 1_000 + " us");
        }
    }

    private static void send(WeirSocket socket, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + bytes.length);
        socket.write(message.putInt(bytes.length).put(bytes).flip()); // both in one call, and so in one frame
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MESSAGE_BYTES_MAX) {
            throw new IOException("a message of " + length + " bytes; " + MESSAGE_BYTES_MAX + " are allowed");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
