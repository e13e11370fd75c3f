package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@code weir demo} prints and returns. */
@Timeout(120)
class DemoCommandTest {
    @Test
    void demo_inMemory_printsOneDocumentWhoseCriteriaAreMet() {
        CommandRun run = CommandRun.execute(
                "demo", "--memory", "--json", "-t", "200ms", "-n", "4MiB", "--flows", "2", "--seed", "5");
        assertEquals(0, run.await(), run.err());
        JsonNode document = Documents.valid(run.out());
        assertEquals("demo", document.path("command").asText());
        assertEquals(5, document.at("/environment/seed").asInt());
        assertEquals(4, document.at("/environment/ports").size());
        assertEquals(document.at("/result/transfer/expectedSha256"), document.at("/result/transfer/receivedSha256"));
        assertEquals(3, document.path("criteria").size());
        assertTrue(document.at("/result/tcp").isNull());
        assertTrue(document.at("/result/tcpSkipped").asText().contains("memory"), run.out());
    }

    @ParameterizedTest
    @CsvSource({
        "--rate, 20Gbps, above --host-rate",
        "--flows, 0, --flows 0 is outside 1..256",
        "--bytes, 100KB, --bytes 100000 is not a multiple of 64KiB",
        "--time, 1ms, --time 1000000 ns is outside 100ms..60s",
        "--delay, 5, has no unit",
    })
    void demo_impossibleOption_saysWhichAndTheLimit(String option, String value, String message) {
        CommandRun run = CommandRun.execute("demo", "--memory", option, value);
        assertEquals(2, run.await());
        assertTrue(run.err().contains(message), run.err());
        assertEquals("", run.out());
    }
}
