package io.weir.bench.sockets;

import io.weir.bench.command.Arguments;
import io.weir.nic.lab.TransportPair;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures round trips by {@code java.net.Socket} over Weir and by {@link WeirSocket}, in turns on one thread, each
 * over its own connection of the same two transports. What drifts, and what the machine does meanwhile, meets both.
 */
public final class SocketBenchmark {
    private static final int WEIR_PORT = 4720;
    private static final int JDK_PORT = 4721;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final double NANOS_PER_MICRO = 1e3;

    private SocketBenchmark() {}

    /**
     * What was measured.
     *
     * @param weirNanos the median over the turns of the medians of Weir's own sockets
     * @param ratio the median over the turns of what {@code java.net.Socket} takes / that
     * @param ratioMin the smallest of them
     * @param ratioMaximum the largest of them
     */
    record Result(double weirNanos, double ratio, double ratioMin, double ratioMaximum) {}

    /** Measures; the exit status is 1 when {@code --require} is not met, 2 when the command line is wrong. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        SocketOptions options = Arguments.readOrExit(() -> SocketOptions.parse(arguments), SocketOptions.USAGE);
        Result result = run(options, System.out);
        if (options.ratioMax() > 0 && result.ratio() > options.ratioMax()) {
            System.out.printf(Locale.ROOT, "NOT MET: %.2f of %.2f%n", result.ratio(), options.ratioMax());
            System.exit(1);
        }
        // The threads that echo wait for messages.
        System.exit(0);
    }

    static Result run(SocketOptions options, PrintStream out) throws Exception {
        try (TransportPair world = options.isMemory()
                        ? TransportPair.inMemory(TransportConfig.DEFAULT)
                        : TransportPair.overAfXdp(TransportConfig.DEFAULT);
                WeirServerSocket weirListener = world.server().listen(WEIR_PORT);
                ServerSocket jdkListener = new WeirServerSocketFactory(world.server()).createServerSocket(JDK_PORT)) {
            InetSocketAddress weirAddress = world.serverAddress(WEIR_PORT);
            InetSocketAddress jdkAddress = world.serverAddress(JDK_PORT);
            try (WeirSocket weir = world.client().connect(weirAddress, PATIENCE);
                    WeirSocket weirServed = weirListener.accept();
                    Socket jdk = new WeirSocketFactory(world.client()).createSocket()) {
                jdk.connect(jdkAddress, (int) PATIENCE.toMillis());
                try (Socket jdkServed = jdkListener.accept()) {
                    int sizeBytes = options.sizeBytes();
                    echo(new WeirMessages(weirServed, sizeBytes));
                    echo(new JdkMessages(jdkServed, sizeBytes));
                    return measure(options, new WeirMessages(weir, sizeBytes), new JdkMessages(jdk, sizeBytes), out);
                }
            }
        }
    }

    private static void echo(MessageStream stream) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (stream.receive()) {
                            stream.send();
                        }
                    } catch (IOException e) {
                        // Closed: the run is over.
                    }
                },
                "socket-echo");
        thread.setDaemon(true);
        thread.start();
    }

    private static Result measure(SocketOptions options, MessageStream weir, MessageStream jdk, PrintStream out)
            throws IOException {
        int counted = options.rounds() - options.rounds() / 2;
        double[] weirNanos = new double[counted];
        double[] ratios = new double[counted];
        for (int i = -options.rounds() / 2; i < counted; i++) {
            double first = medianNanos(weir, options.trips());
            double second = medianNanos(jdk, options.trips());
            if (i >= 0) {
                weirNanos[i] = first;
                ratios[i] = second / first;
            }
        }
        Arrays.sort(weirNanos);
        Arrays.sort(ratios);
        Result result = new Result(weirNanos[counted / 2], ratios[counted / 2], ratios[0], ratios[counted - 1]);
        out.printf(
                Locale.ROOT,
                "%d B, %s, %d turns of %,d round trips: Weir's sockets p50 %.1f us; java.net.Socket / Weir's %.2f"
                        + " (%.2f to %.2f)%n",
                options.sizeBytes(),
                options.isMemory() ? "memory" : "AF_XDP",
                counted,
                options.trips(),
                result.weirNanos() / NANOS_PER_MICRO,
                result.ratio(),
                result.ratioMin(),
                result.ratioMaximum());
        return result;
    }

    private static double medianNanos(MessageStream stream, int trips) throws IOException {
        long[] nanos = new long[trips];
        for (int i = 0; i < trips; i++) {
            long startNanos = System.nanoTime();
            stream.send();
            if (!stream.receive()) {
                throw new IOException("the connection ended early");
            }
            nanos[i] = System.nanoTime() - startNanos;
        }
        Arrays.sort(nanos);
        return nanos[trips / 2];
    }
}
