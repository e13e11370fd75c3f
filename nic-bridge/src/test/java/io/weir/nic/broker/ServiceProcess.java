package io.weir.nic.broker;

import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * A service without privileges: {@code socket echo PORT} sends back what it gets, until it is ended, and with {@code
 * echo-always} also when its broker has ended and is back; {@code socket ask ADDRESS PORT} sends bytes there and
 * compares what comes back.
 */
public final class ServiceProcess {
    static final String SERVING = "SERVING";
    static final String ANSWERED = "ANSWERED";
    static final String ENDED = "ENDED";
    private static final int BYTES = 2_000_000;
    /** More payload than a frame has at an MTU of 1500, and less than at 9000. */
    private static final int LONG_FRAME_BYTES = 4_000;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private ServiceProcess() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        // It lives for a moment, and nobody measures it: nothing is played before its port opens.
        TransportConfig config = TransportConfig.builder()
                .backend(BrokerBackend.NAME)
                .reopen(arguments[1].equals("echo-always"))
                .warmUpNanosMax(0)
                .build();
        try (Transport transport = Transport.open(arguments[0], config)) {
            if (arguments[1].startsWith("echo")) {
                echo(transport, Integer.parseInt(arguments[2]));
            } else {
                ask(transport, new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3])));
            }
        } catch (IOException e) {
            System.out.println(ENDED + " " + e.getMessage());
        }
    }

    @SuppressWarnings("SystemOut")
    private static void echo(Transport transport, int port) throws IOException {
        try (WeirServerSocket listener = transport.listen(port)) {
            System.out.println(SERVING);
            while (true) {
                WeirSocket socket = listener.accept();
                Thread thread = new Thread(() -> echo(socket), "echo");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    @SuppressWarnings("SystemOut")
    private static void echo(WeirSocket socket) {
        try (socket) {
            socket.inputStream().transferTo(socket.outputStream());
        } catch (IOException e) {
            System.out.println("echo: " + e.getMessage());
        }
    }

    @SuppressWarnings("SystemOut")
    private static void ask(Transport transport, InetSocketAddress remote) throws IOException {
        byte[] sent = new byte[BYTES];
        new Random(1).nextBytes(sent);
        try (WeirSocket socket = transport.connect(remote, PATIENCE)) {
            CompletableFuture<Void> written = Background.run(() -> write(socket, sent));
            byte[] echoed = socket.inputStream().readAllBytes();
            written.join();
            String path = socket.isOnSharedMemory() ? " by shared memory" : " by the broker";
            long frames = transport.counters().get(CounterId.DATA_FRAMES_RECEIVED);
            String length = frames < BYTES / LONG_FRAME_BYTES ? " in long frames" : " in short frames";
            System.out.println((Arrays.equals(sent, echoed) ? ANSWERED : "DIFFERENT") + path + length);
        }
    }

    private static void write(WeirSocket socket, byte[] bytes) {
        try {
            socket.write(ByteBuffer.wrap(bytes));
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
