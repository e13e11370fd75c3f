package io.weir.bench.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests {@link SocketOptions}. */
class SocketOptionsTest {
    @Test
    void parse_nothing_isTheDefault() {
        assertEquals(new SocketOptions(60, 2_000, 64, false, 0), SocketOptions.parse());
    }

    @Test
    void parse_everything_isTaken() {
        assertEquals(
                new SocketOptions(10, 5, 1_000, true, 1.1),
                SocketOptions.parse(
                        "--rounds", "10", "--memory", "--trips", "5", "--size", "1000", "--require", "1.1"));
    }

    @Test
    void parse_wrong_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> SocketOptions.parse("--rounds", "1"));
        assertThrows(IllegalArgumentException.class, () -> SocketOptions.parse("--size", "0"));
        assertThrows(IllegalArgumentException.class, () -> SocketOptions.parse("--trip", "2"));
        assertThrows(IllegalArgumentException.class, () -> SocketOptions.parse("--trips"));
    }
}
