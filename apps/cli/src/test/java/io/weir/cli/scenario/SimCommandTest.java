package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.testing.Deadline;
import io.weir.transport.testing.Tshark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link SimCommand}: what it prints, writes and ends with. */
class SimCommandTest {
    private static final String DUMBBELL =
            Scenarios.EXAMPLES.resolve("dumbbell.yaml").toString();
    private static final String[] SHORT = {
        "--set", "duration=10ms", "--set", "measure.warmUp=5ms", "--set", "measure.interval=500us"
    };

    @TempDir
    private Path folder;

    private static CommandRun sim(String file, String... options) {
        return CommandRun.execute(Stream.of(Stream.of("sim"), Stream.of(options), Stream.of(file))
                .flatMap(words -> words)
                .toArray(String[]::new));
    }

    private static String[] shortened(String... more) {
        return Stream.concat(Stream.of(SHORT), Stream.of(more)).toArray(String[]::new);
    }

    private String scenario(String text) throws IOException {
        Path file = folder.resolve("s.yaml");
        Files.writeString(file, text);
        return file.toString();
    }

    // ---- text

    @Test
    void run_text_hasFlowsPortsAndSummary() {
        CommandRun run = sim(DUMBBELL, shortened());
        assertEquals(0, run.await(), run.out() + run.err());
        List<String> lines = run.out().lines().toList();
        assertEquals("dumbbell: 32 hosts, 2 switches, 33 links, seed 1", lines.get(0));
        assertTrue(
                lines.get(1).matches("10 ms in .*; [0-9,]+ events, [0-9,]+ frames on links, trace [0-9a-f]+"),
                lines.get(1));
        assertTrue(run.out().contains("\nlong-16   h16  h32  expresspass:weir "), run.out());
        assertTrue(run.out().contains("\nleft > right "), run.out());
        assertTrue(run.out().contains("the 20 ports with the longest queues of 34"), run.out());
        assertTrue(run.out().contains("\nJain's index          0.9"), run.out());
        assertTrue(run.out().contains("\nmet     utilization: 0.93"), run.out());
        assertEquals("", run.err());
    }

    @Test
    void run_manyFlows_showsTheSlowestAndTheFastest() throws IOException {
        CommandRun run = sim(scenario("""
                duration: 5ms
                topology: {kind: star, hosts: 6, rate: 10Gbps}
                traffic: [{kind: flows, from: all, to: all, pairing: all, size: 10KB}]
                """));
        assertEquals(0, run.await(), run.out() + run.err());
        assertTrue(run.out().contains("the 10 slowest and the 10 fastest of 30;"), run.out());
        assertTrue(run.out().contains("6 hosts, 1 switch, 6 links"), run.out());
        assertTrue(run.out().lines().anyMatch(line -> line.matches("S +30 +30 .*")), run.out());
    }

    @Test
    void trace_everyFrameOnEveryLink_isInAFileThatTsharkReads() throws Exception {
        Path file = folder.resolve("sim.pcapng");
        CommandRun run = sim(scenario("""
                        duration: 5ms
                        topology: {kind: star, hosts: 2, rate: 1Gbps}
                        traffic: [{kind: flows, from: all, to: all, pairing: all, size: 3KB}]
                        """), "--json", "--trace", file.toString());
        assertEquals(0, run.await(), run.err());
        JsonNode figures = Documents.valid(run.out()).at("/result/run");
        List<String> lines = new Tshark(Path.of("..", ".."), folder)
                .dissect(file, "-T", "fields", "-e", "frame.interface_name", "-e", "_ws.col.Info");
        assertEquals(figures.get("packetHops").asLong(), lines.size());
        for (String type : List.of("OPEN ", "CREDIT ", "DATA [0,", "ACK ")) {
            assertTrue(lines.stream().anyMatch(line -> line.contains("\t" + type)), type + " is not in " + lines);
        }
        assertTrue(lines.get(0).startsWith("h1.0\t") || lines.get(0).startsWith("h2.0\t"), lines.get(0));
    }

    @Test
    void trace_folderThatIsNot_endsWithTheReason() {
        CommandRun run = sim(
                DUMBBELL, shortened("--trace", folder.resolve("no/such/file").toString()));
        assertEquals(1, run.await());
        assertTrue(run.err().contains("no/such/file"), run.err());
    }

    // ---- criteria

    @Test
    void run_criterionThatFails_endsWithOne() {
        CommandRun run = sim(DUMBBELL, shortened("--set", "criteria=[utilization >= 99%, dataDrops == 0]"));
        assertEquals(1, run.await());
        assertTrue(run.out().contains("NOT MET utilization: 0.93"), run.out());
        assertTrue(run.out().contains("met     dataDrops: 0 (must be == 0)"), run.out());
    }

    // ---- JSON

    @Test
    void run_json_isOneDocumentAsPublished() {
        CommandRun run = sim(
                DUMBBELL,
                shortened("--json", "--seed", "7", "--set", "measure.perFlow=true", "--set", "measure.perPort=true"));
        assertEquals(0, run.await(), run.err());
        JsonNode document = Documents.valid(run.out());
        assertEquals("sim", document.path("command").asText());
        assertEquals(7, document.at("/environment/seed").asLong());
        assertEquals(7, document.at("/result/run/seed").asLong());
        assertTrue(document.at("/result/complete").asBoolean());
        assertEquals("simulation", document.at("/result/world").asText());
        assertEquals(16, document.at("/result/flows").size());
        assertEquals(20, document.at("/result/series/totalGoodputBps").size());
        assertEquals(16, document.at("/result/series/flows").size());
        assertEquals(34, document.at("/result/series/ports").size());
        assertTrue(document.at("/result/series/ports/0/queueBytes/0").isNumber());
        assertTrue(document.at("/result/run/events").asLong() > 10_000);
    }

    @Test
    void run_sameSeed_sameResult() {
        List<JsonNode> results = Stream.of("3", "3", "4")
                .map(seed -> Documents.valid(
                        sim(DUMBBELL, shortened("--json", "--seed", seed)).out()))
                .map(document -> document.path("result"))
                .toList();
        assertEquals(results.get(0).path("flows"), results.get(1).path("flows"));
        assertEquals(results.get(0).at("/run/traceHash"), results.get(1).at("/run/traceHash"));
        assertFalse(results.get(0).at("/run/traceHash").equals(results.get(2).at("/run/traceHash")));
    }

    // ---- interrupted

    @Test
    void run_interrupted_printsWhatIsThereAsPartial() throws Exception {
        CommandRun run = CommandRun.start(
                "sim",
                "--json",
                "--out",
                folder.resolve("out").toString(),
                "--set",
                "duration=1h",
                "--set",
                "measure.interval=10s",
                DUMBBELL);
        awaitFolder(folder.resolve("out"));
        assertEquals(1, run.stop());
        JsonNode document = Documents.valid(run.out());
        assertFalse(document.at("/result/complete").asBoolean());
        assertFalse(document.path("ok").asBoolean());
        assertEquals(1, document.at("/error/exitCode").asInt(), run.out());
        assertTrue(run.err().contains("weir: interrupted"), run.err());
        assertEquals(1, document.path("criteria").size(), "nothing is judged of a part: " + document.path("criteria"));
        assertTrue(document.at("/result/run/virtualNanos").asLong() < 3_600_000_000_000L);
        assertEquals(
                document,
                new ObjectMapper().readTree(folder.resolve("out/result.json").toFile()));
    }

    private static void awaitFolder(Path path) throws Exception {
        Deadline.await("folder " + path, () -> Files.exists(path));
    }

    // ---- files

    @Test
    void out_folder_hasResultTablesAndTheScenarioAsItRan() throws IOException {
        Path out = folder.resolve("a/b");
        CommandRun run =
                sim(DUMBBELL, shortened("--out", out.toString(), "--seed", "5", "--set", "measure.perPort=true"));
        assertEquals(0, run.await(), run.err());
        List<String> flows = Files.readAllLines(out.resolve("flows.csv"));
        assertEquals(17, flows.size());
        assertTrue(flows.get(0).startsWith("id,source,destination,protocol,bytes,"), flows.get(0));
        assertTrue(flows.get(16).startsWith("long-16,h16,h32,expresspass:weir,"), flows.get(16));
        assertEquals(35, Files.readAllLines(out.resolve("ports.csv")).size());
        List<String> series = Files.readAllLines(out.resolve("series.csv"));
        assertEquals(1 + 20 + 34 * 20, series.size());
        assertTrue(series.get(1).startsWith("500000,goodputBps,all,"), series.get(1));
        ScenarioPlan again = ScenarioFile.read(out.resolve("scenario.yaml"), List.of());
        assertEquals(5, again.scenario().seed());
        assertEquals(10_000_000, again.scenario().durationNanos());
        Documents.valid(Files.readString(out.resolve("result.json")));
    }

    @Test
    void out_sizesBesideTheScenario_areCopied() throws IOException {
        Files.writeString(folder.resolve("sizes.csv"), "1000,0\n2000,1\n");
        String file = scenario("""
                duration: 1ms
                topology: {kind: star, hosts: 3, rate: 10Gbps}
                traffic: [{kind: poisson, sizes: ./sizes.csv, load: 10%}]
                """);
        Path out = folder.resolve("out");
        assertEquals(0, sim(file, "--out", out.toString()).await());
        assertEquals(0, sim(out.resolve("scenario.yaml").toString()).await());
    }

    @Test
    void plot_charts_areDrawn() throws IOException {
        Path out = folder.resolve("charts");
        CommandRun run = sim(
                DUMBBELL,
                shortened(
                        "--out",
                        out.toString(),
                        "--plot",
                        "--set",
                        "traffic[0].size=100KB",
                        "--set",
                        "criteria=[]",
                        "--set",
                        "measure.perPort=true"));
        assertEquals(0, run.await(), run.err());
        for (String name : List.of("goodput", "queues", "completion-times")) {
            assertTrue(Files.readString(out.resolve(name + ".svg")).contains("<svg"), name);
            assertEquals(900, ImageIO.read(out.resolve(name + ".png").toFile()).getWidth(), name);
        }
    }

    // ---- what is refused

    @Test
    void call_plotWithoutAFolder_isRefused() {
        CommandRun run = sim(DUMBBELL, "--plot");
        assertEquals(2, run.await());
        assertTrue(run.err().contains("--plot: charts need a folder; add --out DIR"), run.err());
    }

    @Test
    void call_outIsAFile_isRefused() throws IOException {
        Path file = folder.resolve("file");
        Files.writeString(file, "");
        CommandRun run = sim(DUMBBELL, "--out", file.toString());
        assertEquals(2, run.await());
        assertTrue(run.err().contains("--out: " + file + " is no folder; name another"), run.err());
    }

    @Test
    void call_badFile_saysFileLineKeyAndRemedy() throws IOException {
        String file = scenario("duration: 1ms\ntopology:\n  kind: star\n  hosts: 2\n  rate: 0bps\ntraffic: []\n");
        CommandRun run = sim(file);
        assertEquals(2, run.await());
        assertEquals(
                "weir: " + file
                        + ":5:9: topology.rate: rate \"0bps\" is outside 1bps..1Tbps; write it as in 500Mbps or 1Gbps\n",
                run.err().replace("\r", ""));
        assertEquals("", run.out());
    }

    @Test
    void call_badSet_saysTheOption() {
        assertTrue(sim(DUMBBELL, "--set", "topology.pairs=none")
                .err()
                .contains("--set topology.pairs=none: topology.pairs: \"none\" is not a whole number"));
        assertTrue(sim(DUMBBELL, "--set", "topology.pair=1")
                .err()
                .contains("--set topology.pair=1: topology.pair: unknown key; did you mean \"pairs\"?"));
        assertTrue(sim(DUMBBELL, "--set", "topology").err().contains("--set: \"topology\" does not set anything;"));
        assertTrue(sim(DUMBBELL, "--seed", "x").err().contains("--seed"));
    }

    @Test
    void call_wholeThatDoesNotFit_saysTheFile() throws IOException {
        String file = scenario("""
                duration: 1ms
                topology: {kind: star, hosts: 2, rate: 1Gbps, mtu: 9000, host: {receiveBuffer: 4KiB}}
                traffic: [{kind: flows, from: h1, to: h2}]
                """);
        CommandRun run = sim(file);
        assertEquals(2, run.await());
        assertTrue(run.err().startsWith("weir: " + file + ": receiveBufferBytes=4096 holds no segment"), run.err());
    }

    // ---- check

    @Test
    void check_file_printsItAsItWouldRun() {
        CommandRun run = sim(
                DUMBBELL,
                "--check",
                "--set",
                "topology.pairs=2",
                "--set",
                "traffic[0].from=h1..h2",
                "--set",
                "traffic[0].to=h3..h4");
        assertEquals(0, run.await(), run.err());
        ScenarioPlan printed = ScenarioFile.parse("dumbbell.yaml", run.out());
        assertEquals(4, printed.scenario().network().hosts().size());
        Documents.valid(sim(DUMBBELL, "--check", "--json").out());
    }
}
