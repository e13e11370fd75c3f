package io.weir.bench.held;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests {@link HeldBenchmark}; what a connection costs at most is {@code ConnectionMemoryTest}'s. */
class HeldBenchmarkTest {
    @Test
    void run_fewConnections_saysWhatOneCosts() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        HeldBenchmark.run(new HeldOptions(40, 100_000, 0, 0), new PrintStream(said, true, StandardCharsets.UTF_8));
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(
                text.startsWith("40 connections, idle for 0.0 s after each has carried 100,000 B both ways: "), text);
    }
}
