package io.weir.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LatencyReport}. */
class LatencyReportTest {
    private static LatencyReport.Pair pair(long kernelNanos, long weirNanos) {
        return new LatencyReport.Pair(result(kernelNanos), result(weirNanos));
    }

    private static LatencyResult result(long p50Nanos) {
        return new LatencyResult(1000, p50Nanos, 2 * p50Nanos, 3 * p50Nanos, 4 * p50Nanos, 1.5);
    }

    @Test
    void ratio_severalPairs_isTheMedianOfTheirRatiosNotTheRatioOfMedians() {
        LatencyReport report = new LatencyReport(
                Contest.SPIN, List.of(pair(10_000, 5_000), pair(20_000, 16_000), pair(30_000, 18_000)), 0);
        assertEquals(0.6, report.ratio(), 1e-9);
    }

    @Test
    void print_onePair_namesBothSidesAndAllPercentiles() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            new LatencyReport(Contest.DEFAULT, List.of(pair(10_000, 5_000)), 2).print(out);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("p50 Weir/kernel 0.500 (0.500..0.500)"), text);
        assertTrue(text.contains("1 pairs, 2 noisier left out"), text);
        assertTrue(text.contains("kernel UDP, blocking") && text.contains("Weir sockets, BACK_OFF"), text);
        assertTrue(
                text.matches("(?s).*p50 +5\\.0 +p90 +10\\.0 +p99 +15\\.0 +p99\\.9 +20\\.0 us +off core +1\\.5%.*"),
                text);
    }
}
