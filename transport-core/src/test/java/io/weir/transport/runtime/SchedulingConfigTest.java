package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests {@link SchedulingConfig}. */
class SchedulingConfigTest {
    private static void requireRefused(String option, Supplier<SchedulingConfig> config) {
        ConfigException refused = assertThrows(ConfigException.class, config::get);
        assertTrue(refused.getMessage().startsWith(option), refused.getMessage());
    }

    @Test
    void new_outOfRange_isRefusedWithTheLimit() {
        SchedulingConfig usual = SchedulingConfig.DEFAULT;
        requireRefused("sliceNanos=99999 is outside 100000..100000000", () -> usual.withSliceNanos(99_999));
        requireRefused("sliceNanos=-1", () -> usual.withSliceNanos(-1));
        requireRefused("sliceNanos=100000001", () -> usual.withSliceNanos(100_000_001));
        requireRefused("realtimePriority=100", () -> usual.withRealtimePriority(100));
        requireRefused("realtimePriority=-1", () -> usual.withRealtimePriority(-1));
        requireRefused("compilerNice=20", () -> usual.withCompilerNice(20));
        requireRefused("compilerNice=-1", () -> usual.withCompilerNice(-1));
    }

    @Test
    void new_limits_areTaken() {
        SchedulingConfig config = new SchedulingConfig(0, 99, CpuSet.parse("0"), 19);
        assertTrue(config.isRealTime());
        assertEquals(
                config, config.withSliceNanos(SchedulingConfig.SLICE_NANOS_MAX).withSliceNanos(0));
    }

    @Test
    void default_anyMachine_takesFromNobody() {
        assertFalse(SchedulingConfig.DEFAULT.isRealTime());
        assertTrue(SchedulingConfig.DEFAULT.cpus().isAny());
        assertEquals(0, SchedulingConfig.DEFAULT.compilerNice());
    }
}
