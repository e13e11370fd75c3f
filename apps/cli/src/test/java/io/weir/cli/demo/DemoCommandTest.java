package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.output.Json;
import io.weir.cli.output.ResultDocument;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@code weir demo} prints and returns. */
class DemoCommandTest {
    @Test
    void demo_inMemory_printsOneDocumentWithItsCriteria() {
        CommandRun run = CommandRun.execute(
                "demo", "--memory", "--json", "-t", "200ms", "-n", "4MiB", "--flows", "2", "--seed", "5");
        JsonNode document = Documents.valid(run.out());
        // Whether credits are dropped depends on how much of a core the receivers get.
        assertEquals(document.path("ok").asBoolean() ? 0 : 1, run.await(), run.err());
        assertTrue(document.at("/criteria/0/met").asBoolean(), run.out());
        assertTrue(document.at("/criteria/1/met").asBoolean(), run.out());
        assertEquals("demo", document.path("command").asText());
        assertEquals(5, document.at("/environment/seed").asInt());
        assertEquals(4, document.at("/environment/ports").size());
        assertEquals(document.at("/result/transfer/expectedSha256"), document.at("/result/transfer/receivedSha256"));
        assertEquals(3, document.path("criteria").size());
        assertTrue(document.at("/result/tcp").isNull());
        assertTrue(document.at("/result/tcpSkipped").asText().contains("memory"), run.out());
    }

    @Test
    void demo_text_isShort() {
        CommandRun run = CommandRun.execute("demo", "--memory", "-t", "200ms", "-n", "1MiB", "--flows", "2");
        int status = run.await();
        assertTrue(run.out().lines().count() <= 10 + status * 3L, run.out());
        run.out().lines().forEach(line -> assertEquals("", line.length() <= 110 ? "" : line));
    }

    @Test
    void play_planOfTheDemo_isCalmInVirtualTime() throws Exception {
        VirtualFigures figures = VirtualFigures.play(Samples.PLAN, new StopRequest());
        assertEquals(0, figures.dataDrops());
        assertTrue(
                figures.goodputBps()
                        >= ExpectedGoodput.of(Samples.PLAN.bottleneckBps(), Trunk.credits(Samples.PLAN))
                                .bps(),
                figures.toString());
        assertTrue(figures.queueBytesMax() <= Verdicts.QUEUE_BYTES_MAX, figures.toString());
        assertTrue(figures.idleP50Nanos() >= Samples.PLAN.roundTripNanos(), figures.toString());
        assertTrue(figures.loadedP99Nanos() >= figures.idleP50Nanos(), figures.toString());
    }

    /** At any speed: a verdict is met, not met or not judged, and the status follows. */
    @Test
    void demo_strict_hasTheStatusThatItsVerdictsSay() {
        CommandRun run = CommandRun.execute(
                "demo", "--memory", "--strict", "--json", "-t", "200ms", "-n", "4MiB", "--flows", "2");
        int status = run.await();
        JsonNode document = Documents.valid(run.out());
        assertEquals(8, document.path("criteria").size());
        boolean isAnyFailed = false;
        boolean isAnyUnknown = false;
        for (JsonNode criterion : document.path("criteria")) {
            boolean isUnknown = !criterion.path("notJudged").isNull();
            isAnyUnknown |= isUnknown;
            isAnyFailed |= !isUnknown && !criterion.path("met").asBoolean();
        }
        assertEquals(isAnyFailed ? ExitCode.FAILED : isAnyUnknown ? ExitCode.NOT_JUDGED : ExitCode.DONE, status);
        assertEquals(status == ExitCode.DONE, document.path("ok").asBoolean());
        assertEquals(2, document.at("/result/weir/pauses/hosts").size());
    }

    /** What nothing was measured of is null in documents, and they follow the schema. */
    @Test
    void document_nothingMeasured_hasNulls() {
        DemoResult result = Samples.result(Samples.nothing("Weir"), Samples.busy("TCP"));
        JsonNode document =
                Documents.valid(Json.line(ResultDocument.of("demo", Fingerprint.take(), result, Verdicts.of(result))));
        for (String path : List.of(
                "alone/queue/bytesP999",
                "idle/p50Nanos",
                "loaded/maxNanos",
                "fairness/jainIndex",
                "join/medianRoundTrips")) {
            assertTrue(document.at("/result/weir/" + path).isNull(), path);
        }
        assertEquals(
                "no message was answered",
                document.at("/result/weir/notJudged").path("idle.p50Nanos").asText());
        assertEquals(0.4, document.at("/result/tcp/pauses/offCoreFraction").asDouble(), 1e-9);
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
