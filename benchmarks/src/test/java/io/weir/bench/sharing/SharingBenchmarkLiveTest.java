package io.weir.bench.sharing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the benchmark for a moment: that it works, not what it finds. */
@LiveTest
@Tag("slow")
class SharingBenchmarkLiveTest {
    @Test
    void run_everythingForAMoment_reportsBothSides() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            SharingBenchmark.run(new SharingOptions(1, 0.1, 1500, true, true), out);
        }
        String report = bytes.toString(StandardCharsets.UTF_8);
        long ratios =
                Pattern.compile("ratio [0-9.]+ ").matcher(report).results().count();
        assertTrue(ratios == 6 && report.contains("Weir, through a broker"), report);
    }
}
