package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests {@link PortConfig}: limits, what properties set, and what they do not. */
class PortConfigTest {
    private static UnaryOperator<String> properties(String... pairs) {
        return name -> {
            for (int i = 0; i < pairs.length; i += 2) {
                if (pairs[i].equals(name)) {
                    return pairs[i + 1];
                }
            }
            return null;
        };
    }

    private static void assertRefused(String text, Executable refused) {
        ConfigException e = assertThrows(ConfigException.class, refused);
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void orProperties_none_isTheSame() {
        assertEquals(PortConfig.DEFAULT, PortConfig.DEFAULT.orProperties(properties()));
    }

    @Test
    void orProperties_each_setsWhatWasLeftToTheBackend() {
        UnaryOperator<String> all = properties(
                "weir.frames",
                "4096",
                "weir.ring",
                "512",
                "weir.queue",
                "0,2-3",
                "weir.xdp-mode",
                "generic",
                "weir.copy",
                "true");
        PortConfig expected = new PortConfig(4_096, 512, List.of(0, 2, 3), XdpMode.GENERIC, true);
        assertEquals(expected, PortConfig.DEFAULT.orProperties(all));
        PortConfig chosen = new PortConfig(8_192, 64, List.of(1), XdpMode.NATIVE, true);
        assertEquals(chosen, chosen.orProperties(all), "what was chosen stays");
        assertEquals(
                false,
                PortConfig.DEFAULT
                        .orProperties(properties("weir.copy", "false"))
                        .forceCopy());
        assertEquals(
                true,
                PortConfig.DEFAULT.orProperties(properties("weir.copy", "")).forceCopy());
    }

    @Test
    void orProperties_wrong_isRefusedByName() {
        for (Map.Entry<String, String> wrong : Map.of(
                        "weir.frames", "many",
                        "weir.ring", "1.5",
                        "weir.xdp-mode", "fast",
                        "weir.copy", "perhaps")
                .entrySet()) {
            assertRefused(
                    wrong.getKey() + "=" + wrong.getValue(),
                    () -> PortConfig.DEFAULT.orProperties(properties(wrong.getKey(), wrong.getValue())));
        }
        assertRefused("1000", () -> PortConfig.DEFAULT.orProperties(properties("weir.ring", "1000")));
    }

    @Test
    void orProperties_zeroCopy_isWrittenWithAHyphen() {
        PortConfig config = PortConfig.DEFAULT.orProperties(properties("weir.xdp-mode", "zero-copy"));
        assertEquals(XdpMode.ZERO_COPY, config.xdpMode());
        assertRefused(
                "none of auto, native, zero-copy, generic",
                () -> PortConfig.DEFAULT.orProperties(properties("weir.xdp-mode", "zero_copy")));
    }

    @Test
    void loopCount_property_isRead() {
        assertEquals(1, PortConfig.loopCount(properties()));
        assertEquals(4, PortConfig.loopCount(properties("weir.queues", "4")));
        assertRefused("weir.queues=65", () -> PortConfig.loopCount(properties("weir.queues", "65")));
        assertRefused("weir.queues=x", () -> PortConfig.loopCount(properties("weir.queues", "x")));
    }

    @Test
    void parseQueues_list_isRead() {
        assertEquals(List.of(0, 2, 3, 4, 7), PortConfig.parseQueues("0,2-4,7"));
        for (String wrong : List.of("", "a", "1,", "3-1", "-1", "1024", "0-9999999999")) {
            assertThrows(ConfigException.class, () -> PortConfig.parseQueues(wrong), wrong);
        }
    }

    @Test
    void constructor_outOfRange_isRefusedWithTheLimit() {
        assertRefused("256..524288", () -> PortConfig.DEFAULT.withFrameCount(1));
        assertRefused("64..32768", () -> PortConfig.DEFAULT.withRingFrames(96));
        assertRefused("0..1023", () -> PortConfig.DEFAULT.withQueues(List.of(1024)));
        assertRefused(
                "xdpMode=ZERO_COPY and forceCopy=true",
                () -> PortConfig.DEFAULT.withForceCopy(true).withXdpMode(XdpMode.ZERO_COPY));
        assertRefused("names one twice", () -> PortConfig.DEFAULT.withQueues(List.of(2, 2)));
    }

    @Test
    void requireNoXdp_chosen_isRefusedByName() {
        PortConfig.DEFAULT.withFrameCount(512).requireNoXdp("dpdk");
        assertRefused(
                "ringFrames=64 is for AF_XDP, and means nothing to backend dpdk",
                () -> PortConfig.DEFAULT.withRingFrames(64).requireNoXdp("dpdk"));
        assertRefused(
                "queues=[1]", () -> PortConfig.DEFAULT.withQueues(List.of(1)).requireNoXdp("memory"));
        assertRefused(
                "xdpMode", () -> PortConfig.DEFAULT.withXdpMode(XdpMode.NATIVE).requireNoXdp("broker"));
        assertRefused("forceCopy", () -> PortConfig.DEFAULT.withForceCopy(true).requireNoXdp("af-packet"));
    }
}
