package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds what {@code --format iperf3} prints against what iperf3 prints, field by field. */
class Iperf3JsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Pattern LINE = Pattern.compile(
            "\\[ *(\\d+|SUM)\\](\\[[RT]X-[CS]\\])? +\\d+\\.\\d\\d-\\d+\\.\\d\\d +sec +[\\d.]+ [KMG]?Bytes +[\\d.]+"
                    + " [KMG]?bits/sec.*");

    /** {@return each field's type by its path; of lists, that of all elements together} */
    private static Map<String, String> fields(JsonNode node) {
        Map<String, String> found = new TreeMap<>();
        collect("", node, found);
        return found;
    }

    private static void collect(String path, JsonNode node, Map<String, String> found) {
        if (node.isObject()) {
            node.properties().forEach(field -> collect(path + "/" + field.getKey(), field.getValue(), found));
        } else if (node.isArray()) {
            node.forEach(element -> collect(path + "[]", element, found));
        } else {
            found.put(path, node.getNodeType().toString());
        }
    }

    private static String weir(String... options) {
        int port = FreePort.next();
        String[] serving = {"perf", "-s", "--protocol", "kernel", "-1", "-p", Integer.toString(port), "-J"};
        CommandRun server = CommandRun.start(serving);
        server.awaitText("Serving on");
        List<String> all = new ArrayList<>(
                List.of("perf", "-c", "127.0.0.1", "--protocol", "kernel", "-p", Integer.toString(port)));
        all.addAll(List.of(options));
        CommandRun run = CommandRun.execute(all.toArray(String[]::new));
        assertEquals(ExitCode.DONE, run.await(), run.err());
        assertEquals(ExitCode.DONE, server.await(), server.err());
        return run.out();
    }

    static boolean isIperf3Installed() {
        return Iperf3.isInstalled();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-P 2", "-R", "--bidir", "--get-server-output -T me --extra-data x"})
    @EnabledIf("isIperf3Installed")
    void json_eachFieldOfIperf3_isThereAndOfItsType(String options) throws Exception {
        List<String> all = new ArrayList<>(List.of("-t", "1", "-b", "10M", "-J"));
        all.addAll(List.of(options.split(" ", -1)));
        JsonNode theirs;
        try (Iperf3.Server server = Iperf3.Server.start()) {
            List<String> client = new ArrayList<>(List.of("-c", "127.0.0.1", "-p", Integer.toString(server.port())));
            client.addAll(all);
            Iperf3.Run run = Iperf3.run(client.toArray(String[]::new));
            assertEquals(0, run.status(), run.out());
            theirs = MAPPER.readTree(run.out());
        }
        all.addAll(List.of("--format", "iperf3"));
        Map<String, String> ours = fields(MAPPER.readTree(weir(all.toArray(String[]::new))));
        Map<String, String> missing = new TreeMap<>();
        fields(theirs).forEach((path, type) -> {
            if (!type.equals(ours.get(path))) {
                missing.put(path, type + ", here " + ours.get(path));
            }
        });
        assertTrue(missing.isEmpty(), "fields of iperf3 that are not here: " + missing);
    }

    /** The events of iperf3 3.17: an object a line with its name and its data. */
    @Test
    void jsonStream_startIntervalsAndEnd_areEventsWithTheSameData() throws Exception {
        String out = weir("-t", "300ms", "-i", "100ms", "--format", "iperf3", "--json-stream");
        List<JsonNode> events = new ArrayList<>();
        for (String line : out.lines().toList()) {
            events.add(MAPPER.readTree(line));
        }
        assertEquals("start", events.get(0).path("event").asText());
        assertEquals(1, events.get(0).at("/data/test_start/num_streams").asInt());
        JsonNode last = events.get(events.size() - 1);
        assertEquals("end", last.path("event").asText());
        assertTrue(last.at("/data/sum_received/bytes").asLong() > 0, out);
        events.subList(1, events.size() - 1)
                .forEach(event -> assertEquals("interval", event.path("event").asText()));
        assertTrue(events.size() >= 3, out);
    }

    @Test
    void error_testThatDidNotBegin_isInTheDocumentAndInTheStatus() throws Exception {
        String port = Integer.toString(FreePort.next());
        for (String stream : List.of("-J", "--json-stream")) {
            CommandRun run = CommandRun.execute(
                    "perf", "-c", "127.0.0.1", "--protocol", "kernel", "-p", port, "--format", "iperf3", stream);
            assertEquals(ExitCode.FAILED, run.await());
            JsonNode document = MAPPER.readTree(run.out());
            String error = stream.equals("-J")
                    ? document.path("error").asText()
                    : document.path("data").asText();
            assertTrue(error.startsWith("error - nobody listens at 127.0.0.1:" + port), run.out());
        }
        CommandRun wrong = CommandRun.execute("perf", "--format=iperf3", "--nonsense");
        assertEquals(ExitCode.USAGE, wrong.await());
        assertTrue(MAPPER.readTree(wrong.out()).path("error").asText().contains("--nonsense"), wrong.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-P 2", "-R", "--bidir -f m", "-f K -O 1"})
    @EnabledIf("isIperf3Installed")
    void text_ofBoth_hasTheSameColumns(String options) throws Exception {
        List<String> all = new ArrayList<>(List.of("-t", "1"));
        all.addAll(List.of(options.split(" ", -1)));
        String theirs;
        try (Iperf3.Server server = Iperf3.Server.start()) {
            List<String> client = new ArrayList<>(List.of("-c", "127.0.0.1", "-p", Integer.toString(server.port())));
            client.addAll(all);
            theirs = Iperf3.run(client.toArray(String[]::new)).out();
        }
        String ours = weir(all.toArray(String[]::new));
        for (String text : List.of(theirs, ours)) {
            boolean isBytes = options.contains("-f K");
            List<String> lines = text.lines()
                    .filter(line -> line.contains(" sec "))
                    .map(line -> isBytes ? line.replace("KBytes/sec", "Kbits/sec") : line)
                    .toList();
            assertTrue(lines.size() >= 3, text);
            lines.forEach(line -> assertTrue(LINE.matcher(line).matches(), line));
            assertTrue(text.contains("sender") && text.contains("receiver"), text);
            assertTrue(text.contains("] Interval           Transfer     Bitrate         Retr"), text);
        }
        assertEquals(roles(theirs), roles(ours));
        assertTrue(ours.endsWith("perf Done.\n"), ours);
    }

    /** {@return what marks the direction of lines, each once} */
    private static List<String> roles(String text) {
        return Arrays.stream(new String[] {"[TX-C]", "[RX-C]", "[SUM]", "(omitted)"})
                .filter(text::contains)
                .toList();
    }
}
