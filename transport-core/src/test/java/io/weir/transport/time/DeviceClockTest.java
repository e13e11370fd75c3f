package io.weir.transport.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Stamps of a device's clock by the driver's. */
class DeviceClockTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long APART = 5_000_000_000L;

    private final DeviceClock clock = new DeviceClock();

    @Test
    void isKnown_beforeAnyStamp_no() {
        assertFalse(clock.isKnown());
    }

    @Test
    void arrivalNanos_pollsOfDifferentDelay_areTheDevicesDistancesApart() {
        clock.arrivalNanos(APART + 1_000, 1_300);
        assertEquals(12_300, clock.arrivalNanos(APART + 12_000, 90_000));
        assertEquals(50_300, clock.arrivalNanos(APART + 50_000, 51_000));
    }

    @Test
    void arrivalNanos_neverAfterThePoll() {
        for (int i = 1; i < 10_000; i++) {
            long wireNanos = i * 1_700L;
            long polledNanos = wireNanos + (i * 7_919L) % 3_000;
            assertTrue(clock.arrivalNanos(wireNanos - APART, polledNanos) <= polledNanos);
        }
    }

    @Test
    void toDriverNanos_isThatOfArrivals() {
        clock.arrivalNanos(APART + 1_000, 1_300);
        assertEquals(77_300, clock.toDriverNanos(APART + 77_000));
    }

    @Test
    void arrivalNanos_clocksDrift500Ppm_errorStaysBelowAMicrosecond() {
        long base = clock.arrivalNanos(0, 300);
        for (long i = 1; i < 20_000; i++) {
            long wireNanos = i * 10_000;
            long deviceNanos = wireNanos + wireNanos / 2_000;
            long error = clock.arrivalNanos(deviceNanos, wireNanos + 300 + i % 3 * 5_000) - wireNanos - base;
            assertTrue(Math.abs(error) <= 1_000, "off by " + error + " ns after " + wireNanos);
        }
    }

    @Test
    void arrivalNanos_deviceStepsBack_isForgottenAfterTwoMilliseconds() {
        clock.arrivalNanos(10 * MILLISECOND, 10 * MILLISECOND);
        long now = 10 * MILLISECOND;
        for (int i = 0; i < 300; i++) {
            now += 10_000;
            clock.arrivalNanos(now - MILLISECOND / 2, now + 200);
        }
        assertEquals(now + 10_000, clock.arrivalNanos(now + 10_000 - 200 - MILLISECOND / 2, now + 10_000));
    }

    @Test
    void arrivalNanos_deviceStepsForward_followsAtOnce() {
        clock.arrivalNanos(MILLISECOND, MILLISECOND + 200);
        assertEquals(2 * MILLISECOND, clock.arrivalNanos(9 * MILLISECOND, 2 * MILLISECOND));
    }

    @Test
    void arrivalNanos_afterALongSilence_knowsNothingOfBefore() {
        clock.arrivalNanos(MILLISECOND, MILLISECOND);
        assertEquals(90 * MILLISECOND, clock.arrivalNanos(80 * MILLISECOND, 90 * MILLISECOND));
    }
}
