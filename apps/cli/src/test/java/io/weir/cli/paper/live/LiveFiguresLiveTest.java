package io.weir.cli.paper.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Measures the live figures on this machine, whatever else it does: that there are measurements, not how good they are. */
@LiveTest
@Timeout(120)
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
        assertTrue(figure.at("/tables/0/rows/0/1").asInt() > 10, figure.toString());
    }

    @Test
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
        int tenth = Math.max(1, measured.size() / 10);
        double first = 0;
        double last = 0;
        for (int i = 0; i < tenth; i++) {
            first += measured.get(i).asDouble();
            last += measured.get(measured.size() - 1 - i).asDouble();
        }
        assertTrue(last > first, first / tenth + " us at first, " + last / tenth + " us at last");
    }

    @Test
    void tfcJoining_besideItsSimulation_holdsWhatThePaperSays() {
        JsonNode figure = measure("tfc/live-joining");
        figure.at("/claims")
                .forEach(claim -> assertEquals("MET", claim.at("/verdict").asText(), figure.toString()));
        assertEquals(5, figure.at("/claims").size());
        assertEquals(3, figure.at("/runs").size());
    }
}
