package io.weir.bench.sharing;

import io.weir.bench.command.Arguments;
import io.weir.bench.sharing.SharingTurn.Carrier;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Measures two processes of one host next to kernel TCP over loopback, each with its like: spinning with spinning,
 * default with default; and what the broker's hop costs. The processes stay, and take turns (TCP, Weir, Weir, TCP);
 * what counts is the ratio of each pair.
 */
public final class SharingBenchmark {
    private static final int SHORT_FRAME_BYTES = 106;
    private static final int LONG_FRAME_BYTES = 1_514;

    private final SharingOptions options;
    private final PrintStream out;
    private final NetNamespace host;
    private final NetNamespace other;
    private final Path socket;

    private SharingBenchmark(
            SharingOptions options, PrintStream out, NetNamespace host, NetNamespace other, Path socket) {
        this.options = options;
        this.out = out;
        this.host = host;
        this.other = other;
        this.socket = socket;
    }

    /** Runs the benchmark. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        SharingOptions options =
                Arguments.readOrExit(() -> SharingOptions.parse(List.of(arguments)), SharingOptions.USAGE);
        run(options, System.out);
        System.exit(0);
    }

    static void run(SharingOptions options, PrintStream out) throws Exception {
        Path folder = Files.createTempDirectory("weir-sharing");
        Path socket = folder.resolve("broker.sock");
        try (TwoHosts hosts = TwoHosts.createQuiet(options.mtuBytes())) {
            new SharingBenchmark(options, out, hosts.a(), hosts.b(), socket).run();
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(folder);
        }
    }

    private void run() throws IOException {
        out.printf(
                "a frame into a ring and out of it, by one thread: %.0f ns of %d B, %.0f ns of %d B%n",
                RingCost.nanos(SHORT_FRAME_BYTES),
                SHORT_FRAME_BYTES,
                RingCost.nanos(LONG_FRAME_BYTES),
                LONG_FRAME_BYTES);
        if (options.isSameHost()) {
            sameHost();
        }
        if (options.isHop()) {
            hop();
        }
    }

    private void sameHost() throws IOException {
        try (SharingProcess broker = broker();
                SharingProcess server = end(host, "server");
                SharingProcess client = end(host, "client")) {
            broker.await("READY");
            server.await("READY");
            client.await("READY");
            for (boolean isBulk : new boolean[] {false, true}) {
                for (boolean isSpinning : new boolean[] {true, false}) {
                    compare(
                            server,
                            client,
                            new SharingTurn(Carrier.TCP, isSpinning, isBulk),
                            new SharingTurn(Carrier.SAME_HOST, isSpinning, isBulk));
                }
            }
        }
    }

    /** Alone and by the broker in turns; the broker has the interface only in its turns. */
    private void hop() throws IOException {
        try (SharingProcess server = end(host, "server");
                SharingProcess client = end(other, "client")) {
            server.await("READY");
            client.await("READY");
            for (boolean isBulk : new boolean[] {false, true}) {
                SharingTurn alone = new SharingTurn(Carrier.ALONE, false, isBulk);
                compare(server, client, alone, new SharingTurn(Carrier.BROKER, false, isBulk));
            }
        }
    }

    private SharingProcess broker() throws IOException {
        return SharingProcess.start(host, SharingBroker.class, List.of(TwoHosts.INTERFACE, socket.toString()));
    }

    private SharingProcess end(NetNamespace namespace, String role) throws IOException {
        return SharingProcess.start(
                namespace,
                SharingEnd.class,
                List.of(
                        role,
                        TwoHosts.ADDRESS_A,
                        TwoHosts.INTERFACE,
                        socket.toString(),
                        Double.toString(options.seconds())));
    }

    private void compare(SharingProcess server, SharingProcess client, SharingTurn base, SharingTurn turn)
            throws IOException {
        // The first run of each is its compiler's.
        run(server, client, base);
        run(server, client, turn);
        double[] bases = new double[options.pairCount()];
        double[] values = new double[options.pairCount()];
        double[] ratios = new double[options.pairCount()];
        for (int i = 0; i < ratios.length; i++) {
            boolean isBaseFirst = i % 2 == 0;
            double first = run(server, client, isBaseFirst ? base : turn);
            double second = run(server, client, isBaseFirst ? turn : base);
            bases[i] = isBaseFirst ? first : second;
            values[i] = isBaseFirst ? second : first;
            ratios[i] = values[i] / bases[i];
        }
        print(base, bases);
        print(turn, values);
        Arrays.sort(ratios);
        out.printf(
                "  ratio %.2f (%.2f..%.2f), %d pairs%n",
                median(ratios), ratios[0], ratios[ratios.length - 1], ratios.length);
        out.flush();
    }

    private void print(SharingTurn turn, double[] values) {
        double value = median(values);
        out.printf(
                turn.isBulk() ? "%s: %.2f Gbps%n" : "%s: p50 %.1f us%n",
                turn.label(),
                turn.isBulk() ? value / 1e9 : value);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double run(SharingProcess server, SharingProcess client, SharingTurn turn) throws IOException {
        if (turn.carrier() == Carrier.BROKER) {
            try (SharingProcess broker = broker()) {
                broker.await("READY");
                return first(runTurn(server, client, turn));
            }
        }
        return first(runTurn(server, client, turn));
    }

    private static double first(String values) {
        return Double.parseDouble(values.split(" ", -1)[0]);
    }

    /** {@return what the client measured, as it says it} */
    static String runTurn(SharingProcess server, SharingProcess client, SharingTurn turn) throws IOException {
        server.tell(turn.text());
        server.await("READY");
        client.tell(turn.text());
        String value = client.await("DONE");
        server.tell("");
        server.await("IDLE");
        return value;
    }
}
