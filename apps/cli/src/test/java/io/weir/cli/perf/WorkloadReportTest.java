package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests slowdowns by size, on a link of 8 Gbps: a nanosecond for each byte. */
class WorkloadReportTest {
    private static final long RATE_BPS = 8_000_000_000L;

    private static WorkloadReport.Load load(long baseNanos) {
        return new WorkloadReport.Load("x", 0.5, 1, 1, 0, 0, baseNanos);
    }

    @Test
    void of_messagesAsFastAsAlone_haveASlowdownOfOne() {
        long[] bytes = LongStream.rangeClosed(1, 1_000).map(i -> i * 10).toArray();
        long[] nanos = LongStream.of(bytes).map(size -> 500 + size).toArray();
        WorkloadReport report = WorkloadReport.of(load(500), bytes, nanos, RATE_BPS);
        assertEquals(10, report.sizes().size());
        report.sizes().forEach(sizes -> {
            assertEquals(100, sizes.count());
            assertEquals(1.0, sizes.p50Slowdown(), 1e-9);
            assertEquals(1.0, sizes.p99Slowdown(), 1e-9);
        });
        assertEquals(10, report.sizes().get(0).bytesMin());
        assertEquals(1_000, report.sizes().get(0).bytesMax());
        assertEquals(10_000, report.sizes().get(9).bytesMax());
    }

    @Test
    void of_oneSlowMessageInAHundred_isTheTailAndNotTheMedian() {
        long[] bytes = IntStream.range(0, 100).mapToLong(i -> 1_000).toArray();
        long[] nanos =
                IntStream.range(0, 100).mapToLong(i -> i < 98 ? 2_000 : 8_000).toArray();
        WorkloadReport.Sizes all =
                WorkloadReport.of(load(1_000), bytes, nanos, RATE_BPS).all();
        assertEquals(1.0, all.p50Slowdown(), 1e-9);
        assertEquals(4.0, all.p99Slowdown(), 1e-9);
        assertEquals(8_000, all.p99Nanos());
    }

    @Test
    void of_noMessages_isEmpty() {
        WorkloadReport report = WorkloadReport.of(load(0), new long[0], new long[0], RATE_BPS);
        assertEquals(0, report.all().count());
        assertEquals(0, report.sizes().size());
    }
}
