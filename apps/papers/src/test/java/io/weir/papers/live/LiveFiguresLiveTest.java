package io.weir.papers.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures the live figures on this machine, whatever else it does: that there are measurements, not how good they are.
 */
@LiveTest
class LiveFiguresLiveTest {
    private static final String PREFIX = "weir-" + ProcessHandle.current().pid() + "-";

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        List<String> ours = NetNamespace.names().stream()
                .filter(name -> name.startsWith(PREFIX))
                .toList();
        assertEquals(List.of(), ours);
    }

    private static JsonNode measure(String id) {
        CommandRun run = CommandRun.execute("paper", "--live", id, "--json");
        JsonNode document = Documents.valid(run.out());
        JsonNode figure = document.at("/result/figures/0");
        assertEquals(id, figure.at("/id").asText());
        assertEquals("", figure.at("/failure").asText());
        return figure;
    }

    @Test
    void kernelNoise_measured_hasSamples() {
        JsonNode figure = measure("dx/fig3");
        assertTrue(figure.at("/tables/0/rows/0/1").asInt() > 0, figure.toString());
    }

    @Test
    @Tag("slow")
    void noiseReduction_measured_hasAllSettingsAndSaysWhichStamps() {
        JsonNode figure = measure("dx/fig10");
        assertEquals(6, figure.at("/tables/0/rows").size());
        String stamps = figure.at("/tables/1/rows/0/2").asText();
        assertTrue(stamps.startsWith("receive software, transmit software"), stamps);
    }

    @Test
    void queueSteps_measured_delayRisesWithTheQueue() {
        JsonNode figure = measure("dx/fig12");
        JsonNode measured = figure.at("/charts/0/series/0/y");
        assertFalse(measured.isEmpty(), figure.toString());
        List<Double> micros = new ArrayList<>();
        measured.forEach(value -> micros.add(value.asDouble()));
        int tenth = Math.max(1, micros.size() / 10);
        double first = median(micros.subList(0, tenth));
        double last = median(micros.subList(micros.size() - tenth, micros.size()));
        assertTrue(last > first, first + " us at first, " + last + " us at last");
    }

    /** {@return what single delays, long because a core was busy, do not move} */
    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    @Test
    @Tag("slow")
    void tfcJoining_besideItsSimulation_holdsWhatThePaperSays() {
        JsonNode figure = measure("tfc/live-joining");
        figure.at("/claims")
                .forEach(claim -> assertEquals("MET", claim.at("/verdict").asText(), figure.toString()));
        assertEquals(5, figure.at("/claims").size());
        assertEquals(3, figure.at("/runs").size());
    }
}
