package io.weir.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.runtime.XdpMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link PingPongOptions}. */
class PingPongOptionsTest {
    @Test
    void parse_nothing_runsEveryContestWith64Bytes() {
        PingPongOptions options = PingPongOptions.parse(List.of());
        assertEquals(List.of(Contest.values()), options.contests());
        assertEquals(64, options.sizeBytes());
        assertEquals(XdpMode.NATIVE, options.mode());
    }

    @Test
    void parse_allOptions_areTaken() {
        PingPongOptions options = PingPongOptions.parse(
                List.of("--contests spin,default --size 200 --pairs 3 --seconds 0.5 --generic --pin --require 1.0"
                        .split(" ", -1)));
        assertEquals(List.of(Contest.SPIN, Contest.DEFAULT), options.contests());
        assertEquals(200, options.sizeBytes());
        assertEquals(3, options.pairCount());
        assertEquals(0.5, options.seconds());
        assertEquals(XdpMode.GENERIC, options.mode());
        assertTrue(options.pin());
        assertEquals(1.0, options.ratioMax());
    }

    @Test
    void parse_unknownOptionMissingValueOrImpossibleSize_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> PingPongOptions.parse(List.of("--frobnicate")));
        assertThrows(IllegalArgumentException.class, () -> PingPongOptions.parse(List.of("--pairs")));
        assertThrows(IllegalArgumentException.class, () -> PingPongOptions.parse(List.of("--contests", "chess")));
        assertThrows(IllegalArgumentException.class, () -> PingPongOptions.parse(List.of("--size", "1401")));
        assertThrows(IllegalArgumentException.class, () -> PingPongOptions.parse(List.of("--pairs", "0")));
    }
}
