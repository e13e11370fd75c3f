package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests what is read of proc(5). */
class CpuUseTest {
    @Test
    void parse_nameWithSpacesAndBrackets_findsTheTimesBehindIt() {
        String stat = "4242 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0";
        CpuUse use = CpuUse.parse(stat, 10_000_000_000L).since(new CpuUse(0, 0, 4_000_000_000L));
        assertEquals(2_500_000_000L, use.userNanos());
        assertEquals(500_000_000L, use.systemNanos());
        assertEquals(0.5, use.cores(), 1e-9);
    }
}
