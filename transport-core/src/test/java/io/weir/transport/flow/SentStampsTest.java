package io.weir.transport.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a device has told of departures. */
class SentStampsTest {
    private final SentStamps stamps = new SentStamps(4);

    @Test
    void departureNanos_told_isWhatTheDeviceSaid() {
        stamps.onSent(7, 100);
        stamps.onDeparted(7, 150);
        assertEquals(150, stamps.departureNanos(7, 100));
    }

    @Test
    void departureNanos_notToldYet_isUnknown() {
        stamps.onSent(7, 100);
        assertEquals(SentStamps.UNKNOWN, stamps.departureNanos(7, 100));
    }

    @Test
    void departureNanos_stampOfAnotherFrame_isUnknown() {
        stamps.onSent(7, 100);
        stamps.onDeparted(7, 150);
        assertEquals(SentStamps.UNKNOWN, stamps.departureNanos(7, 99));
    }

    @Test
    void departureNanos_forgotten_isUnknown() {
        stamps.onSent(7, 100);
        stamps.onDeparted(7, 150);
        stamps.onSent(11, 200);
        assertEquals(SentStamps.UNKNOWN, stamps.departureNanos(7, 100));
    }

    @Test
    void onDeparted_forgotten_isLeftAlone() {
        stamps.onSent(11, 200);
        stamps.onDeparted(7, 150);
        assertEquals(SentStamps.UNKNOWN, stamps.departureNanos(11, 200));
    }

    @Test
    void onDeparted_beyond32Bits_isFound() {
        long number = (5L << 32) + 3;
        stamps.onSent(number, 100);
        stamps.onDeparted(3, 150);
        assertEquals(150, stamps.departureNanos(number, 100));
    }
}
