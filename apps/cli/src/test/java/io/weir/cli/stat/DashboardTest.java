package io.weir.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.WeirCommand;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard by Prometheus itself: each of its queries finds something of a transport that moves data. */
@EnabledIf("isPrometheusInstalled")
class DashboardTest {
    private static final Path DASHBOARD = Path.of("..", "..", "docs", "deploy", "grafana-weir.json");
    private static final String SECONDS_MAX = "300";

    @TempDir
    Path folder;

    /** {@return whether it is there: where live tests are required it must be} */
    static boolean isPrometheusInstalled() {
        boolean isThere = isExecutable("prometheus") && isExecutable("promtool");
        if (!isThere && "1".equals(System.getenv("WEIR_REQUIRE_LIVE"))) {
            throw new IllegalStateException("prometheus is not installed: apt-get install prometheus");
        }
        return isThere;
    }

    private static boolean isExecutable(String name) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            if (Path.of(place, name).toFile().canExecute()) {
                return true;
            }
        }
        return false;
    }

    /** {@return the queries as Grafana would send them for all interfaces} */
    private static List<String> queries() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                queries.add(
                        target.get("expr").asText().replace("$interface", ".*").replace("$__rate_interval", "10s"));
            }
        }
        JsonNode variable = dashboard.at("/templating/list/1/query");
        assertEquals("label_values(weir_transport_info, interface)", variable.asText());
        queries.add("weir_transport_info");
        return queries;
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private Process prometheus(int port, String target) throws IOException {
        Path config = Files.writeString(
                folder.resolve("prometheus.yml"),
                "global: {scrape_interval: 1s}\n" + "scrape_configs: [{job_name: weir, static_configs: [{targets: ['"
                        + target + "']}]}]\n");
        return new ProcessBuilder(
                        "timeout",
                        SECONDS_MAX,
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    /** {@return whether there is a sample} */
    private static boolean finds(int port, String query) {
        try {
            Process asked = new ProcessBuilder("promtool", "query", "instant", "http://127.0.0.1:" + port, query)
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return asked.waitFor() == 0 && answer.contains("=>");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void queries_ofEachPanel_findATransportThatMovesData() throws Exception {
        List<String> queries = queries();
        assertTrue(queries.size() > 12, queries.toString());
        List<String> withFolder = List.of("env", "JAVA_TOOL_OPTIONS=-Dweir.dir=" + folder);
        CommandRun stat = CommandRun.start("stat", "--dir", folder.toString(), "--listen", "0");
        stat.awaitText("/metrics");
        URI metrics =
                URI.create(stat.out().substring(stat.out().indexOf("http://")).strip());
        int port = freePort();
        Process prometheus = prometheus(port, metrics.getAuthority());
        try (ChildJvm perf = ChildJvm.start(
                withFolder, WeirCommand.class, "perf", "-c", "--backend", "memory", "-t", "600", "-i", "1")) {
            perf.awaitLine("bits/sec");
            for (String query : queries) {
                Deadline.await("a sample of " + query, () -> finds(port, query));
            }
            perf.kill();
        } finally {
            prometheus.destroy();
            prometheus.waitFor();
            stat.stop();
        }
    }
}
