package io.weir.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link StatCommand} on files that this test writes; StatLiveTest has real transports. */
class StatCommandTest {
    private static final CounterFile.Facts FACTS = new CounterFile.Facts(
            Subject.TRANSPORT, "eth0", "afxdp", "native/copy", "zero-copy was refused", "expresspass:1 dctcp:4");

    @TempDir
    private Path folder;

    private CounterFile file;

    @BeforeEach
    void create() throws IOException {
        file = CounterFile.create(new CounterFolder(folder.resolve("weir")), FACTS, 2);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private CommandRun stat(String... options) {
        return CommandRun.execute(words(options));
    }

    private String[] words(String... options) {
        String[] words = Arrays.copyOf(
                new String[] {"stat", "--dir", folder.resolve("weir").toString()}, 3 + options.length);
        System.arraycopy(options, 0, words, 3, options.length);
        return words;
    }

    private static String text(CommandRun run) {
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertEquals("", run.err());
        return run.out();
    }

    private void count() {
        file.counters(0).add(CounterId.DROP_CRC, 3);
        file.counters(1).add(CounterId.DROP_CRC, 4);
        file.counters(1).add(CounterId.CREDITS_EXPIRED, 17);
        file.gauges(0).set(GaugeId.REPORTED_MILLIS, System.currentTimeMillis());
        file.gauges(0).set(GaugeId.SEND_RATE_BPS, 2_500_000_000L);
        file.gauges(0).set(GaugeId.DUTY_PPM, 400_000);
        file.gauges(1).set(GaugeId.DUTY_PPM, 900_000);
        file.gauges(0).set(GaugeId.CONNECTIONS, 40);
        file.gauges(0).set(GaugeId.LINK_RATE_BPS, 8_000_000_000L);
        file.gauges(0).set(GaugeId.PAUSE_NANOS_MAX, 1_000_000);
        FlowTable flows = file.flows(0);
        flows.begin();
        flows.set(3, FlowField.IP_VERSION, 4);
        flows.set(3, FlowField.LOCAL_LOW, 0x0A000001);
        flows.set(3, FlowField.REMOTE_LOW, 0x0A000002);
        flows.set(3, FlowField.LOCAL_PORT, 5201);
        flows.set(3, FlowField.REMOTE_PORT, 40_000);
        flows.set(3, FlowField.PROTOCOL, 4);
        flows.set(3, FlowField.STATE, 2);
        flows.set(3, FlowField.CREDITS_LOST, 5);
        flows.end(39, 1);
    }

    @Test
    void glance_twoLoops_hasTheirSumsAndWhy() {
        count();
        String text = text(stat());
        for (String part : List.of(
                "eth0",
                "native/copy (zero-copy was refused)",
                "2.5 Gbps",
                "  7 x drop: CRC32C wrong",
                "expired 17, lost 5",
                "a queue of 1 MB",
                "speaks expresspass, dctcp; 2 loops",
                // The second loop has not reported: what it had then is not now.
                "20%")) {
            assertTrue(text.contains(part), part + " is not in:\n" + text);
        }
    }

    @Test
    void flows_oneOfForty_isShownAndTheOthersAreCounted() {
        count();
        String text = text(stat("eth0", "--flows"));
        for (String part : List.of("10.0.0.1:5201", "10.0.0.2:40000", "dctcp", "established", "and 39 connections")) {
            assertTrue(text.contains(part), part + " is not in:\n" + text);
        }
    }

    @Test
    void json_withFlows_followsTheSchema() {
        count();
        JsonNode seen = Documents.valid(text(stat("--json", "--flows"))).at("/result/transports/0");
        assertEquals(7, seen.at("/drops/DROP_CRC").asLong());
        assertEquals(2, seen.get("loops").size());
        assertEquals(40, seen.at("/loops/0/CONNECTIONS").asLong());
        assertEquals("dctcp", seen.at("/flows/0/protocol").asText());
        assertEquals(39, seen.get("omittedFlows").asLong());
    }

    @Test
    void errors_twoOfAKind_areShownOnceWithTheirStack() {
        assertTrue(text(stat("--errors")).contains("nothing went wrong"));
        for (int i = 0; i < 2; i++) {
            file.record(new IllegalStateException("a handler's mistake"));
        }
        String text = text(stat("--errors"));
        for (String part :
                List.of("eth0: 2 x, first 20", "a handler's mistake", "at io.weir.cli.stat.StatCommandTest")) {
            assertTrue(text.contains(part), part + " is not in:\n" + text);
        }
        JsonNode seen = Documents.valid(text(stat("--json", "--errors"))).at("/result/transports/0");
        assertEquals(2, seen.at("/errors/0/count").asInt());
    }

    /** Adds a switch of two ports, the second of which took three frames by the first and dropped one. */
    private List<CounterFile> addSwitch() throws IOException {
        CounterFolder root = new CounterFolder(folder.resolve("weir"));
        List<CounterFile> files = new ArrayList<>();
        files.add(CounterFile.create(root, new CounterFile.Facts(Subject.SWITCH, "switch", "", "", "", ""), 1, 0));
        files.get(0).counters(0).add(CounterId.DROP_NO_ROUTE, 5);
        for (int number = 0; number < 2; number++) {
            CounterFile port = CounterFile.create(
                    root,
                    new CounterFile.Facts(Subject.SWITCH_PORT, "swp" + number, "afxdp", "native/copy", "", ""),
                    1,
                    2);
            port.gauges(0).set(GaugeId.PORT_NUMBER, number);
            port.gauges(0).set(GaugeId.DATA_QUEUE_BYTES_MAX, 45_000);
            FlowTable ingress = port.flows(0);
            ingress.begin();
            ingress.set(0, IngressField.IS_USED, 1);
            ingress.set(1, IngressField.IS_USED, 1);
            ingress.set(0, IngressField.DATA_QUEUED, 3L * number);
            ingress.set(0, IngressField.DATA_DROPPED, number);
            ingress.end(0, 1);
            files.add(port);
        }
        files.get(2).counters(0).add(CounterId.DROP_DATA_QUEUE, 1);
        return files;
    }

    @Test
    void switch_twoPorts_hasQueuesDropsAndWhatCameByWhich() throws IOException {
        List<CounterFile> files = addSwitch();
        String text = text(stat("switch"));
        for (String part : List.of("drop: no port for the destination", "swp0", "45 KB", "credits offered")) {
            assertTrue(text.contains(part), part + " is not in:\n" + text);
        }
        assertTrue(text.lines().anyMatch(line -> line.matches("swp1 +swp0 +3 +1 +0 +0 *")), text);
        assertFalse(text.contains("eth0"), text);
        JsonNode result = Documents.valid(text(stat("--json"))).get("result");
        assertEquals(1, result.get("transports").size());
        assertEquals(5, result.at("/switches/0/drops/DROP_NO_ROUTE").asLong());
        assertEquals("swp0", result.at("/switchPorts/1/ingress/0/by").asText());
        assertEquals(3, result.at("/switchPorts/1/ingress/0/DATA_QUEUED").asLong());
        for (CounterFile each : files) {
            each.close();
        }
    }

    @Test
    void glance_aBroker_hasItsClientsAndFrames() throws IOException {
        CounterFile.Facts facts = new CounterFile.Facts(Subject.BROKER, "eth1", "afxdp", "native/copy", "as asked", "");
        try (CounterFile broker = CounterFile.create(new CounterFolder(folder.resolve("weir")), facts, 1, 0)) {
            broker.gauges(0).set(GaugeId.CLIENTS, 3);
            broker.gauges(0).set(GaugeId.CLIENT_FRAMES_REFUSED, 12);
            String text = text(stat("eth1"));
            assertTrue(text.contains("eth1: broker over afxdp native/copy (as asked)"), text);
            assertTrue(text.contains("clients 3 of 0") && text.contains("refused 12"), text);
            assertEquals(
                    12,
                    Documents.valid(text(stat("--json")))
                            .at("/result/brokers/0/loops/0/CLIENT_FRAMES_REFUSED")
                            .asLong());
        }
    }

    @Test
    void diff_countsMeanwhile_showsWhatHasChangedAlone() {
        count();
        CommandRun run = CommandRun.start(words("--diff", "200ms"));
        run.awaitThat("print what has changed", () -> {
            file.counters(0).increment(CounterId.DROP_CRC);
            return run.out().contains("count");
        });
        String text = text(run);
        assertTrue(text.contains("drop: CRC32C wrong") && !text.contains("expired"), text);
    }

    @Test
    void watch_untilStopped_showsAgainAndAgain() {
        CommandRun run = CommandRun.start(words("--watch", "10ms"));
        run.awaitThat("look three times", () -> run.out().split("process ", -1).length > 3);
        assertEquals(ExitCode.DONE, run.stop());
    }

    @Test
    void wanted_nobody_isTheEnvironments() {
        CommandRun run = stat("eth7");
        assertEquals(ExitCode.ENVIRONMENT, run.await());
        assertTrue(run.err().contains("no transport of a process or interface eth7"), run.err());
        String own = Long.toString(ProcessHandle.current().pid());
        assertTrue(text(stat(own)).contains("eth0"));
    }

    @Test
    void noTransport_atAll_saysWhereItLooked() throws IOException {
        file.close();
        assertTrue(text(stat()).contains("no transport counts in " + folder.resolve("weir")));
    }

    @Test
    void strangeFiles_amongOthers_costASentenceEach() throws IOException {
        Path own = file.path().getParent();
        byte[] whole = Files.readAllBytes(file.path());
        Files.write(own.resolve("short"), Arrays.copyOf(whole, whole.length / 2));
        Files.writeString(own.resolve("foreign"), "something else");
        Files.createDirectory(own.resolve("folder"));
        byte[] later = whole.clone();
        later[8] = 9;
        Files.write(own.resolve("later"), later);
        String text = text(stat());
        for (String part : List.of(
                "short is cut short or damaged",
                "foreign is no counter file",
                "folder is no file",
                "later has version 9, and this reader knows 2")) {
            assertTrue(text.contains(part), part + " is not in:\n" + text);
        }
        assertTrue(text.contains("eth0"));
    }

    @Test
    void thousandFiles_allOfThem_areShown() throws IOException {
        byte[] whole = Files.readAllBytes(file.path());
        for (int i = 0; i < 999; i++) {
            Files.write(file.path().resolveSibling("copy-" + i), whole);
        }
        assertEquals(
                1_000,
                Documents.valid(text(stat("--json"))).at("/result/transports").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--watch --json",
                "--watch --diff 1s",
                "--diff 0s",
                "--errors --flows",
                "--watch 0s",
                "--listen 0 --json",
                "--listen here",
                "--listen 99999",
                "--listen 1.2.3.4.5:80"
            })
    void options_thatContradict_areRefused(String options) {
        CommandRun run = stat(options.split(" ", -1));
        assertEquals(ExitCode.USAGE, run.await());
        assertFalse(run.err().isEmpty());
    }

    private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(CommandRun run) {
        run.awaitText("/metrics");
        return URI.create(run.out().substring(run.out().indexOf("http")).strip());
    }

    @Test
    void listen_eachRequest_hasWhatIsCountedThen() throws Exception {
        count();
        CommandRun run = CommandRun.start(words("--listen", "0"));
        URI uri = uri(run);
        assertTrue(InetAddress.getByName(uri.getHost()).isLoopbackAddress(), uri.toString());
        HttpResponse<String> answer = get(uri);
        assertEquals(200, answer.statusCode());
        String labels = "process=\"" + ProcessHandle.current().pid() + "\",interface=\"eth0\",file=\""
                + file.path().getFileName() + "\",";
        for (String line : List.of(
                "# TYPE weir_drops_total counter",
                "weir_drops_total{" + labels + "reason=\"crc\",} 7",
                "weir_credits_expired_total{" + labels + "} 17",
                "weir_errors_total{" + labels + "} 0",
                "weir_duty_ratio{" + labels + "loop=\"0\",} 0.4",
                "weir_pause_max_seconds{" + labels + "loop=\"0\",} 0.001",
                "weir_send_rate_bytes_per_second{" + labels + "loop=\"0\",} 3.125E8",
                "weir_stat_notes 0")) {
            assertTrue(answer.body().contains("\n" + line + "\n"), line + " is not in:\n" + answer.body());
        }
        file.counters(0).increment(CounterId.DROP_CRC);
        assertTrue(get(uri).body().contains("reason=\"crc\",} 8\n"));
        assertEquals(404, get(uri.resolve("/other")).statusCode());
        assertEquals(ExitCode.DONE, run.stop());
    }

    @Test
    void listen_samplesOfAMetric_standTogetherUnderOneHeading() throws Exception {
        try (CounterFile second = CounterFile.create(new CounterFolder(folder.resolve("weir")), FACTS, 1)) {
            second.counters(0).add(CounterId.DROP_CRC, 1);
            CommandRun run = CommandRun.start(words("--listen", "127.0.0.1:0"));
            String metric = "";
            Set<String> metrics = new HashSet<>();
            for (String line : get(uri(run)).body().split("\n", -1)) {
                if (line.startsWith("# HELP ")) {
                    metric = line.split(" ", -1)[2];
                    assertTrue(metrics.add(metric), metric + " comes twice");
                } else if (!line.isEmpty()) {
                    assertTrue(
                            line.startsWith("# TYPE " + metric + " ") || line.matches(metric + "(\\{.*\\})? \\S+"),
                            line);
                }
            }
            assertTrue(metrics.size() > GaugeId.values().length);
            run.stop();
        }
    }

    @Test
    void listen_portInUse_isTheEnvironments() {
        CommandRun first = CommandRun.start(words("--listen", "0"));
        CommandRun second = stat("--listen", "127.0.0.1:" + uri(first).getPort());
        assertEquals(ExitCode.ENVIRONMENT, second.await());
        assertTrue(second.err().contains("cannot listen at 127.0.0.1:"), second.err());
        first.stop();
    }

    @Test
    void program_ofAJavaProcess_isWhatItRuns() {
        assertEquals(
                "Main", SeenTransport.programOf(List.of("/usr/bin/java", "-Xmx1g", "-cp", "a:b", "org.x.Main", "y")));
        assertEquals("weir.jar", SeenTransport.programOf(List.of("java", "@args", "-jar", "/opt/weir.jar")));
        assertEquals("nginx", SeenTransport.programOf(List.of("/usr/sbin/nginx", "-g")));
        assertEquals("?", SeenTransport.programOf(List.of("")));
    }
}
