package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.catalogue.Catalogue;
import org.junit.jupiter.api.Test;

/** Tests {@link WarmUp}. */
class WarmUpTest {
    private static TransportConfig config(String protocol, long nanosMax) {
        return TransportConfig.builder()
                .prefer(Catalogue.find(protocol).orElseThrow())
                .warmUpNanosMax(nanosMax)
                .build();
    }

    @Test
    void play_twice_playsOnce() {
        assertTrue(WarmUp.play(config("vegas", 1_000_000)) > 0);
        assertEquals(0, WarmUp.play(config("vegas", 1_000_000)));
        assertTrue(WarmUp.play(config("hull", 1_000_000)) > 0, "another protocol is other code");
    }

    @Test
    void play_notWanted_playsNothing() {
        assertEquals(0, WarmUp.play(config("cubic", 0)));
    }
}
