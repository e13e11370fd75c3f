package io.weir.bench.sharing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.broker.StrangerProcess;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures what a client of a broker reaches next to a process of another user that attacks, and next to one that only
 * takes as much of the processor; in turns.
 */
@LiveTest
@Tag("slow")
class StrangersBenchmarkLiveTest {
    private static final String USER = "61002";
    private static final String PORT = "4720";
    private static final int PAIRS = 5;
    private static final String SECONDS = "1.5";

    /** Of the rate next to a process that only spins. */
    private static final double RATE_RATIO_MIN = 0.8;
    /** Of the 99th percentile next to a process that only spins. */
    private static final double P99_RATIO_MAX = 1.5;

    @TempDir
    static Path folder;

    private static String classPath;

    @BeforeAll
    static void copyClassPath() throws Exception {
        classPath = ReadableClassPath.copyTo(folder);
    }

    @ParameterizedTest
    @EnumSource(StrangerProcess.Attack.class)
    void victim_nextToAnAttackAndNextToASpinner_reachesAsMuch(StrangerProcess.Attack attack) throws Exception {
        Path run = Files.createTempDirectory(folder, "run");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path socket = run.resolve("weir0.sock");
        try (TwoHosts hosts = TwoHosts.createQuiet(1_500);
                SharingProcess broker = SharingProcess.start(
                        hosts.a(), SharingBroker.class, List.of(TwoHosts.INTERFACE, socket.toString()));
                SharingProcess server = end(hosts, true, socket);
                SharingProcess client = end(hosts, false, socket)) {
            broker.await("READY");
            server.await("READY");
            client.await("READY");
            double rate = ratio(new Turns(hosts, server, client, socket, attack, true));
            double p99 = ratio(new Turns(hosts, server, client, socket, attack, false));
            String found = String.format(
                    Locale.ROOT, "next to %s: %.2f of the rate, %.2f of the p99 next to a spinner", attack, rate, p99);
            print(found);
            assertTrue(rate >= RATE_RATIO_MIN && p99 <= P99_RATIO_MAX, found);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void print(String line) {
        System.out.println(line);
    }

    private static SharingProcess end(TwoHosts hosts, boolean isServer, Path socket) throws Exception {
        return SharingProcess.start(
                isServer ? hosts.a() : hosts.b(),
                SharingEnd.class,
                List.of(
                        isServer ? "server" : "client",
                        TwoHosts.ADDRESS_A,
                        TwoHosts.INTERFACE,
                        socket.toString(),
                        SECONDS));
    }

    /** {@return the median over pairs of what is reached next to an attack, as a part of that next to a spinner} */
    private static double ratio(Turns turns) throws Exception {
        double share = 1;
        double[] ratios = new double[PAIRS];
        for (int i = -1; i < PAIRS; i++) {
            boolean isAttackFirst = i % 2 == 0;
            double first = isAttackFirst ? turns.attacked() : turns.spun(share);
            double second = isAttackFirst ? turns.spun(turns.share) : turns.attacked();
            share = turns.share;
            // The first pair is the compilers', and finds how much of the processor the attack takes.
            if (i >= 0) {
                ratios[i] = isAttackFirst ? first / second : second / first;
            }
        }
        print((turns.isBulk ? "rate: " : "p99: ") + Arrays.toString(ratios) + ", share of a core " + share);
        Arrays.sort(ratios);
        return ratios[PAIRS / 2];
    }

    /** What takes turns. */
    private static final class Turns {
        private final TwoHosts hosts;
        private final SharingProcess server;
        private final SharingProcess client;
        private final Path socket;
        private final StrangerProcess.Attack attack;
        private final boolean isBulk;
        /** Of a core, what the latest attack took. */
        private double share;

        Turns(
                TwoHosts hosts,
                SharingProcess server,
                SharingProcess client,
                Path socket,
                StrangerProcess.Attack attack,
                boolean isBulk) {
            this.hosts = hosts;
            this.server = server;
            this.client = client;
            this.socket = socket;
            this.attack = attack;
            this.isBulk = isBulk;
        }

        /** {@return bits per second, or the 99th percentile of round trips} */
        private double run() throws Exception {
            SharingTurn turn = new SharingTurn(SharingTurn.Carrier.BROKER, false, isBulk);
            String[] values = SharingBenchmark.runTurn(server, client, turn).split(" ", -1);
            return Double.parseDouble(values[values.length - 1]);
        }

        double spun(double ofACore) throws Exception {
            try (ChildJvm spinner = start(SpinnerProcess.class, Double.toString(ofACore))) {
                spinner.awaitLine(SpinnerProcess.SPINS);
                return run();
            }
        }

        double attacked() throws Exception {
            List<String> arguments = List.of(socket.toString(), attack.name(), TwoHosts.ADDRESS_A, PORT, "again");
            try (ChildJvm stranger = start(StrangerProcess.class, arguments.toArray(String[]::new))) {
                stranger.awaitLine(StrangerProcess.DONE);
                long startNanos = System.nanoTime();
                long usedNanos = usedNanos(stranger);
                double value = run();
                share = (usedNanos(stranger) - usedNanos) / (double) (System.nanoTime() - startNanos);
                assertTrue(stranger.isAlive(), "the attack ended");
                return value;
            }
        }

        private static long usedNanos(ChildJvm process) {
            return ProcessHandle.of(process.processId())
                    .flatMap(handle -> handle.info().totalCpuDuration())
                    .map(used -> TimeUnit.MILLISECONDS.toNanos(used.toMillis()))
                    .orElse(0L);
        }

        private ChildJvm start(Class<?> main, String... arguments) throws Exception {
            List<String> launcher =
                    new ArrayList<>(List.of("ip", "netns", "exec", hosts.a().name()));
            launcher.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "--no-new-privs"));
            return ChildJvm.start(launcher, classPath, main, arguments);
        }
    }
}
