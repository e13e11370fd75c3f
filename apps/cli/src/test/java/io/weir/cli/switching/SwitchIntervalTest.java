package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.testing.PublishedSchema;
import io.weir.nic.switching.PortSample;
import io.weir.nic.switching.SwitchSample;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link SwitchInterval} and {@link SwitchText}: half a second on two links of 1 Gbps. */
class SwitchIntervalTest {
    private static final List<PortPlan> PORTS = SwitchFile.parse(
                    "s.yaml", "defaults: {rate: 1Gbps}\nports: [{interface: a}, {interface: b}]\n")
            .ports();

    private final Map<CounterId, Long> earlier = counts();
    private final Map<CounterId, Long> later = counts();
    private final Map<CounterId, Long> laterSwitch = counts();

    private static Map<CounterId, Long> counts() {
        return new EnumMap<>(SwitchSample.zero(2).counts());
    }

    private static PortSample port(Map<CounterId, Long> counts, long lostFrames) {
        return new PortSample(counts, List.of(), 3_076, 9_228, 4_614, 2, 8, lostFrames, null);
    }

    private SwitchInterval interval() {
        PortSample idle = SwitchSample.zero(1).ports().get(0);
        SwitchSample before = new SwitchSample(1_000_000_000, List.of(port(earlier, 0), idle), counts(), 10_000_000, 3);
        SwitchSample after = new SwitchSample(1_500_000_000, List.of(port(later, 7), idle), laterSwitch, 15_000_000, 5);
        return new SwitchInterval(PORTS, before, after);
    }

    @Test
    void utilization_bytesOfTheInterval_areAShareOfTheLink() {
        earlier.put(CounterId.WIRE_BYTES_SENT, 1_000L);
        later.put(CounterId.WIRE_BYTES_SENT, 1_000L + 31_250_000);
        assertEquals(500e6, interval().rateBps(0, CounterId.WIRE_BYTES_SENT));
        assertEquals(0.5, interval().utilization(0, CounterId.WIRE_BYTES_SENT));
        assertEquals(0, interval().utilization(1, CounterId.WIRE_BYTES_SENT));
    }

    @Test
    void stallFraction_timeOffTheCore_isAShareOfTheInterval() {
        assertEquals(0.01, interval().stallFraction());
    }

    @Test
    void dataDrops_creditLimit_isNotAmongThem() {
        later.put(CounterId.DROP_CREDIT_QUEUE, 100L);
        later.put(CounterId.DROP_DATA_QUEUE, 3L);
        later.put(CounterId.DROP_TOO_LONG, 4L);
        earlier.put(CounterId.DROP_TOO_LONG, 1L);
        assertEquals(6, interval().dataDrops(0));
        assertEquals(7, interval().kernelDrops(0));
    }

    @Test
    void toDocument_everyFigure_isAsPublished() throws IOException {
        later.put(CounterId.DROP_DATA_QUEUE, 3L);
        laterSwitch.put(CounterId.DROP_SAME_PORT, 2L);
        laterSwitch.put(CounterId.FRAMES_FLOODED, 1L);
        JsonNode document = new ObjectMapper().valueToTree(interval().toDocument());
        PublishedSchema.assertPart("switchInterval", document);
        assertEquals(0.5, document.path("seconds").asDouble());
        assertEquals(2, document.at("/loop/stallCount").asInt());
        assertEquals(2, document.at("/drops/same_port").asInt());
        assertEquals(1, document.at("/drops").size());
        assertEquals(3, document.at("/ports/0/drops/data_queue").asInt());
        assertEquals(4_614, document.at("/ports/0/queueBytesWindowMax").asInt());
        assertEquals("b", document.at("/ports/1/port").asText());
    }

    @Test
    void assertPart_documentThatLacksAFigure_isRefused() {
        Map<String, Object> document = interval().toDocument();
        document.remove("loop");
        JsonNode lacking = new ObjectMapper().valueToTree(document);
        assertThrows(AssertionError.class, () -> PublishedSchema.assertPart("switchInterval", lacking));
    }

    @Test
    void printWhole_drops_areExplained() {
        later.put(CounterId.FRAMES_RECEIVED, 1_234L);
        later.put(CounterId.DROP_DATA_QUEUE, 3L);
        laterSwitch.put(CounterId.DROP_SAME_PORT, 2L);
        StringWriter text = new StringWriter();
        SwitchText.printWhole(new PrintWriter(text), interval());
        List<String> lines = text.toString().lines().toList();
        assertEquals("in 500 ms: the thread was off its core for 1.0 %", lines.get(1));
        assertTrue(lines.get(2).startsWith("port  rx frames  rx rate"), lines.get(2));
        assertTrue(lines.get(3).matches("a +1234 +0 bps .*3.076 KB +4.614 KB +9.228 KB .*"), lines.get(3));
        assertTrue(lines.contains("a: 3 dropped: data queue full"), text.toString());
        assertTrue(lines.contains("a: 7 lost in the kernel before the switch saw them"), text.toString());
        assertTrue(lines.contains("switch: 2 dropped: destination is behind the ingress port"), text.toString());
        assertFalse(text.toString().contains("b: "), text.toString());
    }

    @Test
    void problems_storm_namesThePortTheLimitAndTheRemedy() {
        assertEquals(List.of(), interval().problems());
        later.put(CounterId.DROP_FLOOD_LIMIT, 17L);
        String problem = interval().problems().get(0);
        assertTrue(problem.startsWith("a: a storm came in by this port: 17 frames"), problem);
        assertTrue(problem.contains("10Mbps"), problem);
        assertTrue(problem.endsWith("raise floodRate"), problem);
        assertEquals(interval().problems(), interval().toDocument().get("problems"));
    }
}
