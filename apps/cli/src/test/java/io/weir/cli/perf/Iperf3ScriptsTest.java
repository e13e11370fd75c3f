package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs scripts that were written for iperf3, unchanged, with iperf3 and with {@code weir perf}. */
@EnabledIf("isIperf3Installed")
class Iperf3ScriptsTest {
    private static final int RUNS = 3;
    private static final int RUNS_MANY = 100;

    @TempDir
    private Path folder;

    static boolean isIperf3Installed() {
        return Iperf3.isInstalled();
    }

    private static String weir() {
        return Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                + " --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -cp " + System.getProperty("java.class.path")
                + " " + WeirCommand.class.getName() + " perf --protocol kernel";
    }

    private static String command(String program) {
        return program.equals("iperf3") ? program : weir();
    }

    private Iperf3.Run script(String name, String program, int port, int runs)
            throws IOException, InterruptedException {
        Path script = folder.resolve(name);
        try (InputStream text = Iperf3ScriptsTest.class.getResourceAsStream(name)) {
            Files.write(script, text.readAllBytes());
        }
        ProcessBuilder builder =
                new ProcessBuilder("timeout", "1200", "sh", script.toString()).directory(folder.toFile());
        builder.environment().put("IPERF", command(program));
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("RUNS", Integer.toString(runs));
        builder.environment().put("WEIR_PERF_FORMAT", "iperf3");
        return Iperf3.run(builder);
    }

    /** A server of the program's that runs until it is closed. */
    private Process server(String program, int port) throws IOException {
        ProcessBuilder builder = new ProcessBuilder((command(program) + " -s -p " + port).split(" "))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server").toFile());
        return builder.start();
    }

    private Iperf3.Run withServer(String name, String program, int runs) throws Exception {
        int port = FreePort.next();
        Process server = server(program, port);
        try {
            Iperf3.awaitPort(server, port);
            return script(name, program, port, runs);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    void csvByJq_hasAnIntervalALine(String program) throws Exception {
        Iperf3.Run run = withServer("csv.sh", program, 1);
        assertEquals(0, run.status(), run.err());
        assertTrue(run.out().lines().count() >= 2, run.out());
        assertTrue(run.out().lines().allMatch(line -> line.split(",", -1).length == 4), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    void exporter_findsEveryField(String program) throws Exception {
        Iperf3.Run run = withServer("exporter.sh", program, 1);
        assertEquals(0, run.status(), run.err());
        assertEquals(7, run.out().lines().count(), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    void retryOnStatus_endsOnceTheServerIsThere(String program) throws Exception {
        Iperf3.Run run = script("retry.sh", program, FreePort.next(), 1);
        assertEquals(0, run.status(), run.out() + run.err());
        assertTrue(run.out().endsWith("done after failures\n"), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    void serverInTheBackground_servesAndEndsByItsNumber(String program) throws Exception {
        Iperf3.Run run = script("daemon.sh", program, FreePort.next(), 1);
        assertEquals(0, run.status(), run.out() + run.err());
        assertTrue(run.out().endsWith("ended\n"), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    void fewRuns_allSucceed(String program) throws Exception {
        assertRuns(program, RUNS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iperf3", "weir"})
    @Tag("slow")
    void hundredRuns_allSucceed(String program) throws Exception {
        assertRuns(program, RUNS_MANY);
    }

    private void assertRuns(String program, int runs) throws Exception {
        Iperf3.Run run = withServer("loop.sh", program, runs);
        assertEquals(0, run.status(), run.out() + run.err());
        assertEquals(runs + " runs\n", run.out());
        if (program.equals("weir")) {
            assertEquals("", run.err(), "a server that lets the next client in is not busy");
        }
    }
}
