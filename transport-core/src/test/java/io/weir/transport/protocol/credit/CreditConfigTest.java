package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link CreditConfig}. */
class CreditConfigTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 1, 0, stopNanos",
        "1, 0, 1, 1, 0, requestTimeoutNanos",
        "1, 1, 0, 1, 0, creditLifetimeNanos",
        "1, 1, 1, -1, 0, creditExpiryNanos",
        "1, 1, 1, 1, -1, standingCreditsMax"
    })
    void create_impossibleParameter_isRefusedByName(
            long stop, long request, long lifetime, long expiry, int standing, String name) {
        ConfigException refused = assertThrows(
                ConfigException.class, () -> new CreditConfig(stop, request, lifetime, expiry, true, standing));
        assertEquals(name, refused.getMessage().replaceFirst("=.*", ""));
    }

    @Test
    void withCredits_leavesTheTimesAlone() {
        CreditConfig usual = CreditConfig.DEFAULT;
        CreditConfig changed = usual.withCredits(false, 3);
        assertEquals(
                new CreditConfig(
                        usual.stopNanos(),
                        usual.requestTimeoutNanos(),
                        usual.creditLifetimeNanos(),
                        usual.creditExpiryNanos(),
                        false,
                        3),
                changed);
    }
}
