package io.weir.transport.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Settings}, {@link Parameter} and {@link ProtocolKind} together: none is anything without the others. */
class SettingsTest {
    private static final Parameter<Double> GAIN = Parameter.fraction("gain", 0.25, 0.5, "a share");
    private static final Parameter<Long> WAIT = Parameter.nanos("wait", 1_000, "a time");
    private static final Parameter<Boolean> FAST = Parameter.flag("fast", true, "a choice");
    private static final Parameter<Long> FOREIGN = Parameter.count("foreign", 1, 0, 2, "of another protocol");

    private static ProtocolKind kind() {
        return new ProtocolKind(
                new ProtocolId(15, "pigeon"), "RFC 1149", List.of(GAIN, WAIT, FAST), (settings, random) -> null);
    }

    @Test
    void usual_ofAKind_hasItsNameAndUsualValues() {
        Settings usual = kind().usual();
        assertEquals("pigeon", usual.preset());
        assertEquals(0.25, usual.fraction(GAIN));
        assertEquals(1_000, usual.whole(WAIT));
        assertTrue(usual.flag(FAST));
    }

    @Test
    void with_preset_isListedAfterTheUsualAndDiffersInThoseValues() {
        ProtocolKind kind =
                kind().with("pigeon-slow", slow -> slow.with(WAIT, 5_000).with(FAST, false));
        assertEquals(
                List.of("pigeon", "pigeon-slow"),
                kind.presets().stream().map(Settings::preset).toList());
        Settings slow = kind.presets().get(1);
        assertEquals(5_000, slow.whole(WAIT));
        assertFalse(slow.flag(FAST));
        assertEquals(0.25, slow.fraction(GAIN));
    }

    @Test
    void with_value_leavesTheOriginalAsItWas() {
        Settings usual = kind().usual();
        Settings other = usual.with(GAIN, 0.5);
        assertEquals(0.25, usual.fraction(GAIN));
        assertEquals(0.5, other.fraction(GAIN));
        assertNotEquals(usual, other);
    }

    @Test
    void with_valueOutsideItsLimits_isRefusedByKeyValueAndLimits() {
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> kind().usual().with(GAIN, 0.6));
        assertEquals("gain=0.6 is outside 0.0..0.5", refusal.getMessage());
        assertThrows(ConfigException.class, () -> kind().usual().with(GAIN, Double.NaN));
        assertThrows(ConfigException.class, () -> kind().usual().with(WAIT, 0));
    }

    @Test
    void with_parameterOfAnotherProtocol_isRefused() {
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> kind().usual().with(FOREIGN, 1));
        assertEquals("pigeon has no parameter foreign", refusal.getMessage());
    }

    @Test
    void parameter_usualValueOutsideItsLimits_isRefused() {
        assertThrows(ConfigException.class, () -> Parameter.count("n", 3, 4, 5, ""));
        assertThrows(ConfigException.class, () -> Parameter.fraction("f", 0.6, 0.5, ""));
    }

    @Test
    void protocolId_codeOutsideFourBits_isRefused() {
        assertThrows(ConfigException.class, () -> new ProtocolId(0, "none"));
        assertThrows(ConfigException.class, () -> new ProtocolId(16, "many"));
        assertEquals(1 << 15, new ProtocolId(15, "last").bit());
    }
}
