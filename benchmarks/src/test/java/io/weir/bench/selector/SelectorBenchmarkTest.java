package io.weir.bench.selector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests {@link SelectorBenchmark}. */
class SelectorBenchmarkTest {
    @Test
    void run_fewKeys_saysWhatOneCosts() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        double ratio = SelectorBenchmark.run(
                new SelectorOptions(20, 50, 1, 0), new PrintStream(said, true, StandardCharsets.UTF_8));
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(ratio > 0, text);
        assertTrue(text.contains("a ready key among 20 / alone: "), text);
        assertTrue(text.contains("all in turn / alone: "), text);
    }
}
