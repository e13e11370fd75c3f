package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import org.junit.jupiter.api.Test;

/** Tests {@link ExpressPassConfig}. */
class ExpressPassConfigTest {
    @Test
    void toBuilder_nothingChanged_isTheSame() {
        for (ExpressPassConfig config : new ExpressPassConfig[] {
            ExpressPassConfig.weir(), ExpressPassConfig.paper(), ExpressPassConfig.authors(), ExpressPassConfig.naive()
        }) {
            assertEquals(config, config.toBuilder().build());
        }
    }

    @Test
    void presets_differ_asTheirSourcesDo() {
        assertEquals(
                new CreditShape(84, 92, 80_000, 1538), ExpressPassConfig.paper().creditShape(1538));
        assertEquals(
                new CreditShape(84, 84, 100_000, 1538),
                ExpressPassConfig.authors().creditShape(1538));
        assertTrue(ExpressPassConfig.weir().backlogLimited()
                && !ExpressPassConfig.paper().backlogLimited());
        assertEquals(0, ExpressPassConfig.paper().standingCreditsMax());
        assertEquals("naive", ExpressPassConfig.naive().preset());
    }

    @Test
    void build_impossibleParameters_areRefused() {
        ExpressPassConfig.Builder builder = ExpressPassConfig.weir().toBuilder();
        assertThrows(IllegalArgumentException.class, () -> builder.initialRateFraction(1.5)
                .build());
        builder.initialRateFraction(1);
        assertThrows(IllegalArgumentException.class, () -> builder.stopNanos(0).build());
        builder.stopNanos(1);
        assertThrows(IllegalArgumentException.class, () -> builder.standingCreditsMax(-1)
                .build());
        builder.standingCreditsMax(0);
        assertThrows(IllegalArgumentException.class, () -> builder.creditWireBytes(80, 84)
                .build());
        builder.creditWireBytes(84, 84);
        assertThrows(
                IllegalArgumentException.class, () -> builder.jitterPpm(900_000).build());
    }
}
