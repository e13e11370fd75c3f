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
        "1, 1, 1, 1, -1, standingBytesMax"
    })
    void create_impossibleParameter_isRefusedByName(
            long stop, long request, long lifetime, long expiry, int standing, String name) {
        ConfigException refused = assertThrows(ConfigException.class, () -> CreditConfig.DEFAULT
                .withStopNanos(stop)
                .withRequestTimeoutNanos(request)
                .withCreditLifetimeNanos(lifetime)
                .withCreditExpiryNanos(expiry)
                .withStandingBytesMax(standing));
        assertEquals(name, refused.getMessage().replaceFirst("=.*", ""));
    }

    @Test
    void with_oneParameter_leavesTheOthersAlone() {
        CreditConfig usual = CreditConfig.DEFAULT;
        CreditConfig changed = usual.withBacklogLimited(false).withStandingBytesMax(3);
        assertEquals(
                usual,
                changed.withBacklogLimited(usual.backlogLimited()).withStandingBytesMax(usual.standingBytesMax()));
    }
}
