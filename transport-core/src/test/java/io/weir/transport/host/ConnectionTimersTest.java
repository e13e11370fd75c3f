package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests {@link ConnectionTimers}. */
class ConnectionTimersTest {
    @Test
    void build_boundsThatMoveTogether_areLookedAtTogether() {
        ConnectionTimers.Builder timers = ConnectionTimers.builder()
                .ackDelayNanos(1)
                .retransmitNanosInitial(10)
                .retransmitNanosMin(5)
                .retransmitNanosMax(30)
                .userTimeoutNanos(40)
                .lingerNanos(2);
        ConnectionTimers built = timers.build();
        assertEquals(new ConnectionTimers(1, 10, 5, 30, 40, 2), built);
        assertEquals(built, built.toBuilder().build());
        assertThrows(
                ConfigException.class, () -> built.toBuilder().ackDelayNanos(0).build());
        assertThrows(
                ConfigException.class,
                () -> built.toBuilder().retransmitNanosMin(11).build());
        assertThrows(
                ConfigException.class,
                () -> built.toBuilder().retransmitNanosInitial(31).build());
        assertThrows(
                ConfigException.class,
                () -> built.toBuilder().userTimeoutNanos(29).build());
    }
}
