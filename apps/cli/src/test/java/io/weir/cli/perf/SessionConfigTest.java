package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.ConnectionTimers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests {@link SessionConfig}: no connection ends while its end still waits. */
class SessionConfigTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static long userTimeoutNanos(long patienceNanos, long connectNanosMax) {
        return SessionConfig.timers(patienceNanos, connectNanosMax).userTimeoutNanos();
    }

    @Test
    void timers_usualWaits_areTheUsual() {
        assertEquals(
                ConnectionTimers.DEFAULT,
                SessionConfig.timers(Long.parseLong(SessionConfig.PATIENCE) * SECOND, 5 * SECOND));
    }

    @Test
    void timers_longerWaits_outliveThem() {
        assertTrue(userTimeoutNanos(120 * SECOND, 5 * SECOND) > 120 * SECOND);
        assertTrue(userTimeoutNanos(8 * SECOND, 60 * SECOND) > 60 * SECOND);
    }

    @Test
    void timers_waitOfADay_areTheLongestThatAConnectionHas() {
        assertEquals(ConnectionTimers.NANOS_MAX, userTimeoutNanos(86_400 * SECOND, SECOND));
    }
}
