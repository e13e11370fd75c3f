package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.output.Criterion;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests {@link StatedCriterion} and {@link ResultPath}. */
class StatedCriterionTest {
    private static final String RESULT = """
            {
              "flows": [
                {"id": "a-1", "bytes": 100, "goodputBps": 2e9, "completionNanos": 5000},
                {"id": "a-2", "bytes": 200, "goodputBps": 1e9, "completionNanos": null}],
              "ports": [
                {"node": "left", "port": "right", "queueBytesMax": 1538, "utilization": 0.9},
                {"node": "right", "port": "left", "queueBytesMax": 84, "utilization": 0.1}],
              "summary": {
                "jainIndex": 0.9, "utilization": 0.94, "dataDrops": 0,
                "completionNanos": [{"name": "S", "flows": 2, "completionNanos": {"count": 2, "p99": 5000}}]}
            }
            """;

    private static Criterion judge(String criterion) throws IOException {
        JsonNode result = new ObjectMapper().readTree(RESULT);
        return StatedCriterion.parse(criterion).judge(result);
    }

    @Test
    void judge_figureOfTheSummary_isCompared() throws IOException {
        assertTrue(judge("utilization >= 94%").met());
        assertFalse(judge("utilization >= 0.941").met());
        assertTrue(judge("summary.jainIndex <= 0.9").met());
        assertTrue(judge("dataDrops == 0").met());
        assertEquals("utilization", judge("utilization >= 0.5").name());
    }

    @Test
    void judge_manyFigures_reportsTheWorst() throws IOException {
        Criterion atLeast = judge("flows.goodputBps >= 1.5Gbps");
        assertFalse(atLeast.met());
        assertEquals(1e9, atLeast.measured());
        assertEquals(1.5e9, atLeast.limit());
        assertEquals("bps", atLeast.unit());
        assertTrue(judge("ports.queueBytesMax <= 1538B").met());
        assertFalse(judge("ports.queueBytesMax <= 1KB").met());
        assertFalse(judge("flows.bytes == 100B").met());
    }

    @Test
    void judge_oneElement_isFoundByNumberIdNameOrEnds() throws IOException {
        assertEquals(200.0, judge("flows[1].bytes >= 1B").measured());
        assertEquals(100.0, judge("flows[a-1].bytes >= 1B").measured());
        assertEquals(84.0, judge("ports[right>left].queueBytesMax <= 1KB").measured());
        Criterion tail = judge("completionNanos[S].completionNanos.p99 <= 5us");
        assertTrue(tail.met());
        assertEquals("ns", tail.unit());
        assertEquals(2.0, judge("completionNanos[S].flows == 2").measured());
        assertEquals(2.0, judge("completionNanos[S].completionNanos.count == 2").measured());
    }

    @Test
    void judge_someElements_areFoundByTheBeginningOfTheirIdOrFromANumberOn() throws IOException {
        assertEquals(100.0, judge("flows[a*].bytes >= 150B").measured());
        assertEquals("nothing", judge("flows[b*].bytes >= 1B").measured());
        assertTrue(judge("flows[1..].bytes >= 150B").met());
        assertFalse(judge("flows[0..].bytes >= 150B").met());
    }

    @Test
    void judge_nothingThere_isNotMet() throws IOException {
        Criterion criterion = judge("completionNanos[XL].completionNanos.p99 <= 5us");
        assertFalse(criterion.met());
        assertEquals("nothing", criterion.measured());
        assertFalse(judge("flows[9].bytes >= 0B").met());
    }

    @Test
    void parse_unknownFigure_isRefusedWithTheNearest() {
        assertEquals(
                "\"ports.queueByteMax\": the result has no \"queueByteMax\"; did you mean \"queueBytesMax\"?",
                assertThrows(ConfigException.class, () -> StatedCriterion.parse("ports.queueByteMax <= 5KB"))
                        .getMessage());
    }
}
