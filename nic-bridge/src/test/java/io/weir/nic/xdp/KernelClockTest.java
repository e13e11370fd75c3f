package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link KernelClock}: the driver's clock began at 1,000,000 of the kernel's. */
class KernelClockTest {
    private static final long EPOCH = 1_000_000;

    private long machineNanos;
    private final KernelClock clock = new KernelClock(() -> machineNanos);

    private long arrival(long arrivedNanos, long pollNanos, long lookedNanos) {
        machineNanos = EPOCH + lookedNanos;
        return clock.arrivalNanos(EPOCH + arrivedNanos, pollNanos);
    }

    @Test
    void arrivalNanos_lookedAtLate_learnsTheDistance() {
        assertEquals(4_700, arrival(5_000, 9_000, 9_300));
        assertEquals(14_960, arrival(15_000, 19_000, 19_040));
        assertEquals(24_960, arrival(25_000, 99_000, 99_500));
    }

    @Test
    void arrivalNanos_cameAfterThePollBegan_isThePoll() {
        arrival(0, 0, 0);
        assertEquals(9_000, arrival(9_100, 9_000, 9_300));
    }

    @Test
    void arrivalNanos_framesOfOnePoll_lookOnce() {
        arrival(5_000, 9_000, 9_000);
        assertEquals(6_000, arrival(6_000, 9_000, 20));
    }

    @Test
    void arrivalNanos_stampOfAnotherClock_isUnknown() {
        arrival(0, 0, 0);
        assertEquals(KernelClock.UNKNOWN, arrival(3_600_000_000_000L, 9_000, 9_000));
        assertEquals(KernelClock.UNKNOWN, arrival(-3_600_000_000_000L, 9_000, 9_000));
    }
}
