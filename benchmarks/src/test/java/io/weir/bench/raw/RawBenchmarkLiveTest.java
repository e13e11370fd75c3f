package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.lab.LiveTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the benchmark for a moment: that it works, not what it finds. */
@LiveTest
@Tag("slow")
class RawBenchmarkLiveTest {
    /** Who had the core for less than a tenth of a moment may have moved nothing: that pair is run again. */
    private static final double OFF_CORE_PERCENT_MAX = 90;

    @Test
    void run_everyWorkloadForAMoment_reportsBothSides(@TempDir Path folder) throws Exception {
        RawOptions options = new RawOptions(
                List.of(RawJob.values()), List.of(64), 1, 0.5, OFF_CORE_PERCENT_MAX, false, 0, 0, 1, null);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertTrue(RawBenchmark.run(options, reference(folder), out));
        }
        String report = bytes.toString(StandardCharsets.UTF_8);
        for (RawJob workload : RawJob.values()) {
            // A figure a frame is a number where there was a frame; half a second may pass without an answer.
            String moved = workload == RawJob.PING ? "p50 [0-9]" : "[0-9.]+ Mpps [0-9.]+ calls/frame";
            assertTrue(
                    Pattern.compile(workload.label() + " +64 B   C " + moved + ".*Java " + moved)
                            .matcher(report)
                            .find(),
                    report);
        }
        assertTrue(report.contains("kernel UDP, blocking: p50"), report);
    }

    private static CReference reference(Path folder) throws InterruptedException {
        try {
            return CReference.build(folder);
        } catch (IOException e) {
            assertFalse(LiveTest.Rule.isRequired(), "WEIR_REQUIRE_LIVE=1 but " + e.getMessage());
            assumeTrue(false, e.getMessage());
            throw new IllegalStateException("unreachable", e);
        }
    }
}
