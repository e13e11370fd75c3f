package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.wire.IpAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ArrivalTimes}; {@link StampingTest} tests the stamps that it keeps. */
class ArrivalTimesTest {
    private final ArrivalTimes times = new ArrivalTimes(
            HostConfig.builder(1, List.of(IpAddress.v4(1)), 1_000_000_000L).build());

    @Test
    void onPause_shorterThanACreditLives_makesNothingLate() {
        times.onPause(999_999, 5_000_000);
        assertFalse(times.isAfterPause(5_000_000));
    }

    @Test
    void onPause_asLongAsACreditLives_makesLateForAsLong() {
        times.onPause(1_000_000, 5_000_000);
        assertTrue(times.isAfterPause(5_999_999));
        assertFalse(times.isAfterPause(6_000_000));
    }

    @Test
    void onCaughtUp_afterAPause_endsIt() {
        times.onPause(2_000_000, 5_000_000);
        times.onCaughtUp(5_500_000);
        assertFalse(times.isAfterPause(5_500_000));
    }
}
