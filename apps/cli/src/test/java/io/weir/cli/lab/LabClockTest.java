package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link LabClock}. */
class LabClockTest {
    private long machineNanos = 7_000_000;

    private LabClock clock(boolean standsStill) {
        return new LabClock(standsStill, () -> machineNanos);
    }

    @Test
    void getAsLong_loopIsInTime_isTheMachinesTime() {
        LabClock clock = clock(true);
        for (int step = 1; step <= 10; step++) {
            machineNanos += LabClock.STEP_NANOS_MAX;
            assertEquals(step * LabClock.STEP_NANOS_MAX, clock.getAsLong());
        }
        assertEquals(0, clock.awayNanos());
        assertTrue(clock.standsStill());
    }

    @Test
    void getAsLong_loopWasAway_hasStoodStill() {
        LabClock clock = clock(true);
        machineNanos += 10_000;
        clock.getAsLong();
        machineNanos += 47_000_000;
        assertEquals(30_000, clock.getAsLong());
        assertEquals(46_980_000, clock.awayNanos());
        assertEquals(1, clock.awayCount());
    }

    @Test
    void getAsLong_machineTime_goesOnAndCounts() {
        LabClock clock = clock(false);
        machineNanos += 47_000_000;
        assertEquals(47_000_000, clock.getAsLong());
        assertEquals(46_980_000, clock.awayNanos());
        assertFalse(clock.standsStill());
    }
}
