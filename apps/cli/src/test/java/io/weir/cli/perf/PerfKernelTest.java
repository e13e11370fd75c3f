package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the command over the kernel's TCP: a server and a client on the loopback, without privileges. */
class PerfKernelTest {
    /** {@return a server for one test that serves} */
    private static CommandRun server(int port, String... options) {
        List<String> all =
                new ArrayList<>(List.of("perf", "-s", "--protocol", "kernel", "-1", "-p", Integer.toString(port)));
        all.addAll(List.of(options));
        CommandRun run = CommandRun.start(all.toArray(String[]::new));
        run.awaitText("Serving on port " + port + " of the kernel's TCP");
        return run;
    }

    private static CommandRun client(int port, String... options) {
        List<String> all = new ArrayList<>(
                List.of("perf", "-c", "127.0.0.1", "--protocol", "kernel", "-p", Integer.toString(port)));
        all.addAll(List.of(options));
        return CommandRun.execute(all.toArray(String[]::new));
    }

    private static JsonNode result(String... options) {
        int port = FreePort.next();
        CommandRun server = server(port);
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--json");
        CommandRun run = client(port, all.toArray(String[]::new));
        assertEquals(ExitCode.DONE, run.await(), run.err() + run.out());
        assertEquals(ExitCode.DONE, server.await(), server.err());
        JsonNode document = Documents.valid(run.out());
        assertTrue(document.path("ok").asBoolean(), run.out());
        return document.path("result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-R", "--bidir", "-P 4", "--bidir -P 3 -l 1000"})
    void run_eachWay_movesCheckedBytes(String options) {
        List<String> all = new ArrayList<>(List.of("-n", "2MB", "--verify", "7"));
        if (!options.isEmpty()) {
            all.addAll(List.of(options.split(" ", -1)));
        }
        JsonNode result = result(all.toArray(String[]::new));
        JsonNode stream = result.at("/client/streams/0");
        assertEquals("kernel", stream.path("protocol").asText());
        assertEquals(64, stream.path("sha256").asText().length());
    }

    @Test
    void run_requestsOneByOneAndManyAtOnce_areAllAnswered() {
        for (String waiting : List.of("1", "64")) {
            JsonNode result = result("--rr", "100", "--outstanding", waiting, "-P", "2", "-t", "300ms");
            long count = result.at("/client/latency/count").asLong();
            assertTrue(count > 2, result.toString());
            long bytes = result.at("/client/streams/0/bytes").asLong()
                    + result.at("/client/streams/1/bytes").asLong();
            assertEquals(count * 100, bytes);
        }
    }

    /** A rate of requests that nothing slows is kept: every request that was due by the end is answered. */
    @Test
    void run_requestsAtARate_beginAtThatRate() {
        JsonNode result = result("--rr", "64", "--rate", "2000", "-P", "2", "-t", "500ms");
        long count = result.at("/client/latency/count").asLong();
        // They begin until the client is told to stop, which may be late on a busy machine.
        assertTrue(count >= 500, result.at("/client/latency").toString());
        assertEquals(2000, result.at("/test/details/requestsPerSecond").asDouble());
    }

    @Test
    void run_messagesOfAWorkload_haveSlowdownsBySizeAndAChart(@TempDir Path folder) throws Exception {
        Path sizes = Files.writeString(folder.resolve("sizes.csv"), "100,0.5\n1000,1\n");
        Path chart = folder.resolve("slowdown");
        JsonNode result = result(
                "--workload",
                sizes.toString(),
                "--load",
                "0.01",
                "--link-rate",
                "1Gbps",
                "-P",
                "8",
                "-t",
                "500ms",
                "--chart",
                chart.toString());
        JsonNode workload = result.at("/client/workload");
        assertTrue(workload.at("/all/count").asLong() > 0, workload.toString());
        assertEquals(
                workload.at("/load/messages").asLong(),
                workload.at("/all/count").asLong());
        assertTrue(workload.at("/load/baseNanos").asLong() > 0);
        long bytesMax = 0;
        for (JsonNode group : workload.path("sizes")) {
            assertTrue(group.path("bytesMin").asLong() >= bytesMax, workload.toString());
            bytesMax = group.path("bytesMax").asLong();
        }
        assertTrue(Files.exists(folder.resolve("slowdown.svg")) && Files.exists(folder.resolve("slowdown.png")));
    }

    @Test
    void run_file_arrivesWhole(@TempDir Path folder) throws Exception {
        byte[] bytes = new byte[1_000_001];
        new Random(3).nextBytes(bytes);
        Path sent = Files.write(folder.resolve("sent"), bytes);
        Path received = folder.resolve("received");
        int port = FreePort.next();
        CommandRun server = server(port, "-F", received.toString());
        CommandRun run = client(port, "-F", sent.toString(), "-t", "600");
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertEquals(ExitCode.DONE, server.await(), server.err());
        assertArrayEquals(bytes, Files.readAllBytes(received));
    }

    @Test
    void run_omit_doesNotCountWhatWasBefore() {
        JsonNode result = result("-O", "200ms", "-t", "300ms", "-i", "100ms", "-b", "80Mbps");
        JsonNode intervals = result.path("intervals");
        assertTrue(intervals.get(0).path("omitted").asBoolean(), result.toString());
        assertFalse(intervals.get(intervals.size() - 1).path("omitted").asBoolean());
        JsonNode stream = result.at("/client/streams/0");
        assertTrue(stream.path("omittedBytes").asLong() > 0, stream.toString());
        long counted = 0;
        for (JsonNode interval : intervals) {
            counted += interval.path("omitted").asBoolean()
                    ? 0
                    : interval.path("sentBytes").asLong();
        }
        assertEquals(stream.path("bytes").asLong(), counted);
    }

    @Test
    void run_serverTextWanted_isPrinted() {
        int port = FreePort.next();
        CommandRun server = server(port);
        CommandRun run = client(port, "-n", "100KB", "--get-server-output", "-T", "mine");
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertTrue(run.out().contains("Server output:"), run.out());
        assertTrue(run.out().contains("Accepted connection from 127.0.0.1:"), run.out());
        assertTrue(run.out().lines().allMatch(line -> line.startsWith("mine:  ")), run.out());
        assertEquals(ExitCode.DONE, server.await());
    }

    @Test
    void serve_moreThanItsLimit_isRefusedOrEnded() {
        int port = FreePort.next();
        CommandRun server = server(port, "--server-bitrate-limit", "1M/1");
        CommandRun run = client(port, "-b", "2M", "-t", "1");
        assertEquals(ExitCode.FAILED, run.await());
        assertTrue(run.err().contains("--server-bitrate-limit; give a lower -b"), run.err());
        assertEquals(ExitCode.FAILED, server.await());
        int other = FreePort.next();
        CommandRun limiting = server(other, "--server-bitrate-limit", "1M/1");
        CommandRun fast = client(other, "-t", "600");
        assertEquals(ExitCode.FAILED, fast.await());
        assertTrue(fast.err().contains("more than the 1000000 of this server's"), fast.err());
        assertEquals(ExitCode.FAILED, limiting.await());
    }

    @Test
    void serve_nobodyComes_endsAfterTheIdleTimeout() {
        int port = FreePort.next();
        CommandRun run = CommandRun.execute(
                "perf", "-s", "--protocol", "kernel", "-1", "-p", Integer.toString(port), "--idle-timeout", "100ms");
        assertEquals(ExitCode.DONE, run.await(), run.err());
    }

    @Test
    void run_nobodyListens_saysSoWithAStatus() {
        CommandRun run = client(FreePort.next(), "-t", "1");
        assertEquals(ExitCode.FAILED, run.await());
        assertTrue(run.err().contains("nobody listens at 127.0.0.1:"), run.err());
    }

    @Test
    void run_compared_hasBothResultsAndTheRatio() {
        CommandRun run = CommandRun.execute(
                "perf", "-c", "--backend", "memory", "--link-rate", "1Gbps", "-n", "1MB", "--verify", "3", "--compare");
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertTrue(run.out().contains("received by the server"), run.out());
        CommandRun json = CommandRun.execute(
                "perf", "-c", "--backend", "memory", "--rr", "64", "-t", "200ms", "--compare", "--json");
        JsonNode document = Documents.valid(json.out());
        assertEquals(
                "expresspass", document.at("/result/client/streams/0/protocol").asText());
        assertEquals(
                "kernel",
                document.at("/result/kernel/client/streams/0/protocol").asText());
        assertTrue(document.path("ok").asBoolean(), json.out());
    }
}
