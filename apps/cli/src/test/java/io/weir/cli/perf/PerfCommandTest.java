package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.testing.ChildJvm;
import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the command with both ends in memory: its options, what it prints, its status. */
class PerfCommandTest {
    private static CommandRun memory(String... options) {
        List<String> arguments = new ArrayList<>(List.of("perf", "-c", "--backend", "memory", "--link-rate", "1Gbps"));
        arguments.addAll(List.of(options));
        return CommandRun.execute(arguments.toArray(String[]::new));
    }

    private static JsonNode result(String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("--json");
        CommandRun run = memory(arguments.toArray(String[]::new));
        JsonNode document = Documents.valid(run.out());
        assertEquals(ExitCode.DONE, run.await(), run.out());
        assertTrue(document.path("ok").asBoolean(), run.out());
        assertEquals("perf", document.path("command").asText());
        return document.path("result");
    }

    private static long bytes(JsonNode side, boolean isSender) {
        return IntStream.range(0, side.path("streams").size())
                .mapToObj(side.path("streams")::get)
                .filter(stream -> stream.path("sender").asBoolean() == isSender)
                .mapToLong(stream -> stream.path("bytes").asLong())
                .sum();
    }

    @Test
    void run_bytes_arriveAtTheServer() {
        JsonNode result = result("-n", "2MB");
        assertEquals(2_000_000, bytes(result.path("client"), true));
        assertEquals(2_000_000, bytes(result.path("server"), false));
        assertTrue(result.at("/client/counts/credits/used").asLong() >= 2_000_000 / 1_500, result.toString());
        assertEquals("memory", result.at("/client/environment/ports/0/backend").asText());
        assertEquals(1_000_000_000, result.at("/client/linkRateBps").asLong());
    }

    @Test
    void run_reverse_arriveAtTheClient() {
        JsonNode result = result("-R", "-n", "1MB", "--verify", "7");
        assertEquals(1_000_000, bytes(result.path("client"), false));
        assertEquals(1_000_000, bytes(result.path("server"), true));
        assertEquals(0, bytes(result.path("client"), true));
    }

    @Test
    void run_limitOfThePayload_holdsAtBothEnds() {
        JsonNode result = result("--bidir", "-n", "60KB", "-M", "600", "--credit-frames", "1");
        for (String end : List.of("client", "server")) {
            assertTrue(result.at("/" + end + "/counts/credits/used").asLong() >= 100, result.toPrettyString());
        }
    }

    @Test
    void run_bothWaysInFourStreams_arriveEverywhere() {
        JsonNode result = result("--bidir", "-P", "4", "-n", "1MB", "-l", "1000");
        assertEquals(8, result.at("/client/streams").size());
        assertEquals(1_000_000, bytes(result.path("client"), false));
        assertEquals(1_000_000, bytes(result.path("server"), false));
    }

    @Test
    void run_time_hasAnIntervalForEachPartOfIt() {
        JsonNode result = result("-t", "600ms", "-i", "200ms");
        JsonNode intervals = result.path("intervals");
        assertFalse(intervals.isEmpty(), result.toString());
        long sum = 0;
        for (int i = 0; i < intervals.size(); i++) {
            long endOfLast = i == 0 ? 0 : intervals.get(i - 1).path("endNanos").asLong();
            assertEquals(endOfLast, intervals.get(i).path("startNanos").asLong());
            sum += intervals.get(i).path("sentBytes").asLong();
        }
        assertEquals(bytes(result.path("client"), true), sum);
    }

    @Test
    void run_bitrate_isNotExceeded() {
        JsonNode result = result("-n", "1MB", "-b", "8Mbps", "-P", "2");
        assertEquals(1_000_000, bytes(result.path("server"), false));
        // Each stream may write 1 MB per second.
        for (JsonNode stream : result.at("/client/streams")) {
            long bytes = stream.path("bytes").asLong();
            long nanos = stream.path("nanos").asLong();
            assertTrue(bytes <= nanos / 1_000, bytes + " B in " + nanos + " ns");
        }
    }

    /** As iperf3 has it: no limit. */
    @Test
    void run_bitrateOfZero_isNoLimit() {
        JsonNode result = result("-n", "5MB", "-P", "5", "-R", "-b", "0");
        assertEquals(5_000_000, bytes(result.path("client"), false));
    }

    /** Of 256 streams each end's report is longer than a connection takes at once. */
    @Test
    void run_asManyStreamsAsThereMayBe_reportsArrive() {
        JsonNode result = result("-P", "128", "--bidir", "-n", "1MB", "--verify", "5");
        assertEquals(256, result.at("/client/streams").size());
        assertEquals(256, result.at("/server/streams").size());
    }

    @Test
    void run_success_saysNothingOnStandardError() throws Exception {
        try (ChildJvm child = ChildJvm.start(
                List.of(), WeirCommand.class, "perf", "--backend", "memory", "--link-rate", "1Gbps", "-n", "200KB")) {
            String printed = child.awaitLine("[WARN]");
            assertFalse(printed.contains("WARN"), printed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0"})
    void run_toThisHost_saysWhatToDoInstead(String address) {
        CommandRun run = CommandRun.execute("perf", "-c", address, "--interface", "lo", "-t", "1");
        assertEquals(ExitCode.USAGE, run.await(), run.err());
        assertTrue(run.err().contains("is this host itself"), run.err());
        assertTrue(run.err().contains("--backend memory"), run.err());
    }

    @Test
    void run_requests_haveLatenciesAndFiles(@TempDir Path directory) throws Exception {
        Path percentiles = directory.resolve("latency.hgrm");
        Path log = directory.resolve("latency.hlog");
        JsonNode result = result(
                "--rr",
                "64",
                "-t",
                "2s",
                "-i",
                "500ms",
                "--histogram",
                percentiles.toString(),
                "--hlog",
                log.toString());
        JsonNode latency = result.at("/client/latency");
        long count = latency.path("count").asLong();
        assertTrue(count > 0);
        assertEquals(count * 64, bytes(result.path("client"), true));
        long before = latency.path("minNanos").asLong();
        for (String name : List.of("p50Nanos", "p90Nanos", "p99Nanos", "p999Nanos", "p9999Nanos", "maxNanos")) {
            assertTrue(latency.path(name).asLong() >= before, latency.toString());
            before = latency.path(name).asLong();
        }
        assertTrue(Files.readString(percentiles).contains("#[Mean"), "no .hgrm file");
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            long logged = 0;
            for (EncodableHistogram next = reader.nextIntervalHistogram(); next != null; ) {
                logged += ((Histogram) next).getTotalCount();
                next = reader.nextIntervalHistogram();
            }
            assertEquals(count, logged);
        }
    }

    @Test
    void run_jsonStream_printsAValidObjectALine() {
        CommandRun run = memory("-t", "300ms", "-i", "100ms", "--json-stream");
        List<JsonNode> lines = run.out().lines().map(Documents::valid).toList();
        assertEquals("start", lines.get(0).path("event").asText());
        assertEquals("end", lines.get(lines.size() - 1).path("event").asText());
        assertTrue(lines.size() >= 3, run.out());
        lines.subList(1, lines.size() - 1)
                .forEach(line -> assertEquals("interval", line.path("event").asText()));
        assertTrue(lines.get(lines.size() - 1).at("/data/ok").asBoolean());
    }

    @Test
    void run_text_tellsIntervalsBothEndsAndCriteria() {
        CommandRun run = memory("-n", "500KB", "--verify", "3", "--verbose");
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertTrue(run.out().contains("Connected to 10.0.0.2:5201: one stream to the server, 500 KB"), run.out());
        assertTrue(run.out().contains("client: expresspass (weir) over memory"), run.out());
        assertTrue(run.out().contains("server: expresspass (weir) over memory"), run.out());
        assertTrue(run.out().contains("met     SHA-256 of stream 0: "), run.out());
    }

    @Test
    void run_severalLoops_moveCheckedBytesAndAreReportedTogether() {
        JsonNode result = result("--queues", "2", "-P", "8", "--bidir", "-n", "500KB", "--verify", "5");
        assertEquals(500_000, bytes(result.path("client"), false));
        assertEquals(500_000, bytes(result.path("server"), false));
        // Each loop has half of it, without the odd byte.
        assertEquals(
                PauseBudget.DEFAULT.bytes() / 2 * 2,
                result.at("/client/loop/pauseBudgetBytes").asLong());
    }

    @Test
    void run_requestsOverSeveralLoops_areAnswered() {
        JsonNode result = result("--queues", "2", "-P", "4", "--rr", "64", "-t", "300ms");
        assertEquals(4, result.at("/client/streams").size());
        result.at("/client/streams")
                .forEach(stream -> assertTrue(stream.path("bytes").asLong() > 0, result.toString()));
    }

    static List<String> protocols() {
        return Catalogue.forRealPorts().stream().map(ProtocolConfig::preset).toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void run_eachProtocol_movesCheckedBytesAndIsNamedOnEachStream(String name) {
        JsonNode result = result("--protocol", name, "-n", "1MB", "-P", "2", "--bidir", "--verify", "5");
        String word = Catalogue.find(name).orElseThrow().id().name();
        for (String side : List.of("client", "server")) {
            for (JsonNode stream : result.at("/" + side + "/streams")) {
                assertEquals(word, stream.path("protocol").asText());
                assertEquals(name, stream.path("preset").asText());
            }
        }
    }

    @Test
    void run_presetOfAProtocol_isNamedToo() {
        CommandRun run = memory("-n", "100KB", "--protocol", "paper");
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertTrue(run.out().contains("client: expresspass (paper) over memory"), run.out());
    }

    @Test
    void run_protocolNameMisspelt_namesTheNearOne() {
        CommandRun run = memory("-n", "100KB", "--protocol", "newrno");
        assertEquals(ExitCode.USAGE, run.await(), run.err());
        assertTrue(run.err().contains("; did you mean newreno?"), run.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-c 10.0.0.1 --backend netmap | --backend netmap is not in this build, which has afxdp, af-packet, dpdk, broker, memory",
                "-c 10.0.0.1 --backend afpacket | --backend afpacket is not in this build, which has afxdp, af-packet, dpdk, broker, memory",
                "-c --backend memory --protocol tcp | --protocol tcp is not in this build, which has expresspass, ",
                "-c 10.0.0.1 -B 192.0.2.77 | -B 192.0.2.77 is no address of this host; give one, or --interface NAME",
                "-c 10.0.0.1 -4 -6 | -4 and -6 contradict each other",
                "-c ::1 -4 | -c ::1 has no IPv4 address here",
                "-c 10.0.0.1 -u | -u is not for perf: Weir carries reliable streams, not datagrams",
                "-c 10.0.0.1 -Z | -Z is not for perf: whether frames are copied is the port's choice",
                "-c 10.0.0.1 -C bbr | -C is not for perf: what schedules a stream is --protocol NAME",
                "-c 10.0.0.1 --sctp | --sctp is not for perf: perf has no SCTP",
                "-c 10.0.0.1 --fq-rate 1M | --fq-rate is not for perf: Weir has no queueing discipline",
                "-c 10.0.0.1 --username me | --username is not for perf: perf has no users and passwords",
                "-c 10.0.0.1 -d | -d is not for perf: write --debug",
                "-c 10.0.0.1 -D | -D is for a server",
                "-s --cport 5 | --cport is for a client to say",
                "-c 10.0.0.1 --server-bitrate-limit 1M | --server-bitrate-limit is for a server",
                "-c 10.0.0.1 -f x | -f x is no format; give one of k, m, g, t for bits",
                "-c 10.0.0.1 -S 1 | -S goes with --protocol kernel alone",
                "-c 10.0.0.1 --protocol kernel -S 300 | -S 300 is outside 0..255",
                "-c 10.0.0.1 --protocol kernel --dscp gold | --dscp gold is no number",
                "-c 10.0.0.1 --protocol kernel --compare | --compare adds the kernel's TCP to another protocol",
                "-c --backend memory -b 1M/0 | -b: \"1M/0\": 0 is outside 1..1000",
                "-c --backend memory -k 10 -n 1M | -k contradicts -n",
                "-c --backend memory -F /nonexistent/x | -F /nonexistent/x cannot be read",
                "-c --backend memory -F /etc/hostname -P 2 | -F with -P 2 would send the file so often",
                "-c --backend memory --rate 1Gbps | --rate 1Gbps is requests per second, which --rr alone has",
                "-c --backend memory --rr 64 --rate 1Gbps | --rate: \"1Gbps\" is no number of requests per second",
                "-c --backend memory --rr 64 --messages 64 | --rr, --messages and --workload are different tests",
                "-c --backend memory --workload nothing | --workload nothing is no distribution and no file",
                "-c --backend memory --load 0.5 | --load is that of --workload",
                "-c --backend memory --outstanding 4 | --outstanding counts requests",
                "-c --backend memory --rr 1 --outstanding 0 | --outstanding is 0, outside 1..4096",
                "-c --backend memory --timestamps=%Q | --timestamps: %Q is not known here",
                "-c --backend memory --logfile /nonexistent/x | --logfile /nonexistent/x cannot be written",
                "-c --backend memory -A 0,1 | -A 0,1 names the server's CPU too",
                "-c --interface eth0 | no host to measure to; give -c HOST",
                "--interface eth0 | no host to measure to; give -c HOST",
                "-s -c 10.0.0.1 | -s and -c contradict each other",
                "-s --backend memory | --backend memory runs both ends in this process",
                "-c 10.0.0.1 --backend memory | --backend memory runs both ends in this process",
                "-s --interface eth0 --json | --json prints one document, and a server serves many tests",
                "-c --backend memory -p 70000 | -p 70000 is outside 1..65535",
                "-c --backend memory -P 129 | -P is 129, outside 1..128; give another number of streams",
                "-c --backend memory -t 25h | -t is 90000s, more than 86400s; give less",
                "-c --backend memory --time=25h | -t is 90000s, more than 86400s; give less",
                "-c --backend memory -n 2000000GB | -n is 2000000GB, more than",
                "-c --backend memory -P 3 -n 2 | -n is 2 B, which leaves some of -P 3 streams without a byte",
                "-c --backend memory --credit-frames 100 | --credit-frames=100 is outside 1..64",
                "-c --backend memory --link-rate 1bps | --link-rate=1 is outside 10000..1000000000000; give the link's rate",
                "-c --backend memory -l 2MiB | -l is 2097152 B, outside 1B..1MiB",
                "-c --backend memory --rr 0 | --rr is 0 B, outside 1B..1MiB",
                "-c --backend memory -n 0 | -n is 0, so that nothing would be sent",
                "-c --backend memory -t 1 -n 1MB | -t and -n contradict each other",
                "-c --backend memory -R --bidir | -R and --bidir contradict each other",
                "-c --backend memory --rr 64 -R | --rr goes without -R, --bidir, -n, -k, -b, -l, -F and --verify",
                "-c --backend memory --rr 64 -b 1Mbps | --rr goes without -R",
                "-c --backend memory --hlog x | --histogram and --hlog write latencies, which only --rr and --messages measure",
                "-c --backend memory --rr 64 --hlog /nonexistent/x | cannot write /nonexistent/x",
                "-c --backend memory -b fast | -b: \"fast\" is not a rate; write bits per second",
                "-c --backend memory --bitrate fast | --bitrate: \"fast\" is not a rate; write bits per second",
                "-c --backend memory -M 99 | -M=99 is outside 500..65535; 0 follows",
                "-c --backend memory -L 1048576 | -L=1048576 is outside 0 (none)..1048575",
                "-c 127.0.0.1 --protocol kernel -M 1000 | -M is for Weir's frames; the kernel's have what is set by",
                "-c 127.0.0.1 --protocol kernel -L 7 | -L is for Weir's frames; the kernel's have what is set by",
                "-c 10.9.0.2 --interface lo -L 7 | -L 7: 10.9.0.2 is an IPv4 address, and IPv4 has no flow label",
                "-c fd00::2 --interface lo -L 7 --compare | -L is for Weir's frames alone, and --compare is for the",
                "-c --backend memory -t5x | -t: \"5x\" is not a duration",
                "-c --backend memory --link-rate 9Zbps | --link-rate: \"9Zbps\" is not a rate: it has the unit",
                "-c --backend memory --connect-timeout soon | --connect-timeout: \"soon\" is not a duration"
            })
    void run_wrongCommandLine_isRefusedWithValueLimitAndRemedy(String options, String message) {
        List<String> arguments = new ArrayList<>(List.of("perf"));
        arguments.addAll(List.of(options.strip().split(" +", -1)));
        CommandRun run = CommandRun.execute(arguments.toArray(String[]::new));
        assertEquals(ExitCode.USAGE, run.await(), run.err());
        assertTrue(run.err().startsWith("weir: " + message), run.err());
        if (options.contains("--json")) {
            assertEquals(
                    ExitCode.USAGE,
                    Documents.valid(run.out()).at("/error/exitCode").asInt());
        } else {
            assertEquals("", run.out());
        }
    }
}
