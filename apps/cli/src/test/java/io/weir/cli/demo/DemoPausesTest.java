package io.weir.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what two readings of a loop's counters show, and how the pauses of several loops add up. */
class DemoPausesTest {
    @Test
    void of_somePauses_hasTheirShareAndMean() {
        DemoPauses.Loop pauses = Samples.loop("switches", 4, 2_000_000, 10_000_000);
        assertEquals(0.2, pauses.offCoreFraction(), 1e-12);
        assertEquals(500_000, pauses.meanNanos());
        assertTrue(pauses.p99Nanos() >= 500_000 && pauses.p99Nanos() <= 562_500, pauses.toString());
    }

    @Test
    void of_noPause_hasNoMean() {
        assertEquals(new DemoPauses.Loop("switches", 0, 0, null, null, null, null), Samples.loop("switches", 0, 0, 10));
    }

    @Test
    void of_pauseThatBeganBefore_isAtMostTheWholeTime() {
        assertEquals(1, Samples.loop("switches", 1, 20, 10).offCoreFraction());
    }

    @Test
    void offCoreFraction_hostsShareAThread_countsTheirPausesOnce() {
        DemoPauses pauses = new DemoPauses(
                1_000,
                List.of(Samples.loop("client", 3, 100, 1_000), Samples.loop("server", 4, 120, 1_000)),
                Samples.loop("switches", 2, 50, 1_000));
        assertEquals(0.17, pauses.offCoreFraction(), 1e-12);
        assertEquals(170, pauses.offCoreNanos(), 1e-9);
        assertEquals(6, pauses.count());
    }

    @Test
    void offCoreFraction_kernelPlaysTheHosts_isThatOfTheSwitches() {
        DemoPauses pauses = new DemoPauses(1_000, List.of(), Samples.loop("switches", 2, 50, 1_000));
        assertEquals(0.05, pauses.offCoreFraction(), 1e-12);
        assertEquals(2, pauses.count());
    }
}
