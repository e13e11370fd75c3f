package io.weir.cli.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link ParameterBlock} with a protocol that has parameters of every unit and kind. */
class ParameterBlockTest {
    private static final Parameter<Long> TIME =
            Parameter.nanos("time", 25_000, "a time").within(1_000, 1e9);
    private static final Parameter<Long> SIZE = Parameter.bytes("size", 64_000, "a size");
    private static final Parameter<Long> RATE =
            Parameter.bps("rate", 40_000_000, "a rate").within(1e6, 1e9);
    private static final Parameter<Double> SHARE =
            Parameter.fraction("share", 0.0625, 1, "a share").within(0.01, 1);
    private static final Parameter<Double> GAIN = Parameter.fraction("gain", 0.5, 4, "a gain");
    private static final Parameter<Long> COUNT = Parameter.count("count", 2, 1, 64, "a number");
    private static final Parameter<Boolean> FLAG = Parameter.flag("flag", true, "a choice");

    private static final Parameter<Long> EXACT =
            Parameter.ppm("exact", 970_000, "an exact share").within(1, 1_000_000);
    private static final Parameter<Long> CAP = Parameter.optionalBps("cap", 1_000, "a rate, or none");
    private static final Parameter<Long> LEAST = Parameter.bytes("least", 84, "the least");
    private static final Parameter<Long> MOST =
            Parameter.bytes("most", 92, "the most").notBelow(LEAST);

    private enum Mode {
        BEST,
        SECOND_BEST
    }

    private static final Parameter<Mode> MODE = Parameter.choice("mode", Mode.BEST, "one of two");
    private static final Parameter<Long> DEPTH =
            Parameter.count("depth", 3, 1, 9, "how deep").onlyWith(MODE, Mode.SECOND_BEST);
    private static final Parameter<Long> DEPTH_OF_PART =
            Parameter.count("depth", 3, 1, 9, "how deep").required();
    private static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(15, "every"),
                    "nowhere",
                    List.of(TIME, SIZE, RATE, SHARE, GAIN, COUNT, FLAG, MODE, DEPTH, EXACT, CAP, LEAST, MOST),
                    (settings, random) -> null)
            .with("every-other", settings -> settings.with(COUNT, 4))
            .with("every-second", settings -> settings.with(MODE, Mode.SECOND_BEST)
                    .with(DEPTH, 7));

    private static Settings read(String yaml) {
        YamlMap map = YamlFile.parse("s.yaml", yaml);
        map.allowOnly(ParameterBlock.keysOf(KIND.parameters()));
        return ParameterBlock.read(map, KIND.usual());
    }

    @ParameterizedTest
    @CsvSource({
        "time, 100us, 100000",
        "size, 64KiB, 65536",
        "rate, 1Gbps, 1000000000",
        "share, 1/16, 0.0625",
        "share, 6.25%, 0.0625",
        "gain, 150%, 1.5",
        "gain, 4, 4.0",
        "count, 64, 64",
        "flag, false, false",
        "exact, 87.5%, 875000",
        "cap, 2kbps, 2000",
        "most, 84B, 84",
        "mode, second-best, SECOND_BEST"
    })
    void read_valueInItsUnit_isKept(String key, String text, String value) {
        Settings settings = read(key + ": " + text);
        Parameter<?> parameter = KIND.parameters().stream()
                .filter(candidate -> candidate.key().equals(key))
                .findFirst()
                .orElseThrow();
        assertEquals(value, settings.get(parameter).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time: 100 | 1:7: time: \"100\" is not a duration: it has no unit",
                "time: 10Mbps | 1:7: time: \"10Mbps\" is not a duration",
                "time: 999ns | 1:7: time: \"999ns\" is outside 1us to 1s",
                "time: 2s | 1:7: time: \"2s\" is outside 1us to 1s",
                "size: 1ms | 1:7: size: \"1ms\" is not a size",
                "size: 0B | 1:7: size: \"0B\" is outside 1B to ",
                "rate: 64KB | 1:7: rate: \"64KB\" is not a rate",
                "rate: 10Gbps | 1:7: rate: \"10Gbps\" is outside 1Mbps to 1Gbps",
                "share: 3/2 | 1:8: share: \"3/2\" is not a share; write 0 to 1, 0% to 100%",
                "share: 0.1% | 1:8: share: \"0.1%\" is outside 0.01 to 1",
                "gain: 5 | 1:7: gain: \"5\" is not a share; write 0 to 4, 0% to 400%",
                "count: 65 | 1:8: count: 65 is outside 1..64",
                "count: many | 1:8: count: \"many\" is not a whole number",
                "flag: maybe | 1:7: flag: \"maybe\" is not true or false",
                "flagg: true | 1:1: flagg: unknown key; did you mean \"flag\"?",
                "hue: 3 | 1:1: hue: unknown key; known here: time, size, rate, share, gain, count, flag,"
                        + " mode, depth, exact, cap, least, most",
                "mode: third | 1:7: mode: \"third\" is none of best, second-best",
                "exact: 0 | 1:8: exact: \"0\" is outside 0.0001% to 100%",
                "exact: 1/3 | 1:8: exact: \"1/3\" is not a share; write 0 to 1 or 0% to 100%, in steps of a millionth",
                "cap: 999bps | 1:6: cap: \"999bps\" is outside 1kbps to ",
                "{least: 90, most: 89} | 1:19: most: \"89\" is outside 90B to ",
                "depth: 4 | 1:8: depth: means nothing with mode: best; leave it out"
            })
    void read_mistake_isNamedWithItsPlaceAndRemedy(String yaml, String message) {
        String said = assertThrows(ConfigException.class, () -> read(yaml)).getMessage();
        assertTrue(said.startsWith("s.yaml:" + message), said);
    }

    @Test
    void read_nothingChanged_isTheStartItself() {
        Settings other = KIND.presets().get(1);
        assertEquals(other, ParameterBlock.read(YamlFile.parse("s.yaml", "{}"), other));
        assertEquals(4, other.whole(COUNT));
    }

    /** The first preset that has the choice says what goes with it. */
    @Test
    void read_anotherChoice_bringsTheParametersThatGoWithIt() {
        assertEquals(7, read("mode: second-best").whole(DEPTH));
        assertEquals(4, read("{depth: 4, mode: second-best}").whole(DEPTH));
        assertEquals(KIND.usual(), read("mode: best"));
    }

    @Test
    void read_least_raisesWhatIsNeverBelowIt() {
        assertEquals(100, read("least: 100").whole(MOST));
        assertEquals(92, read("least: 90").whole(MOST));
        assertEquals(200, read("{least: 100, most: 200}").whole(MOST));
    }

    @Test
    void read_requiredKey_mustBeThere() {
        PortPart part = new PortPart("part", "A part.", List.of(COUNT, DEPTH_OF_PART), (settings, port) -> null);
        String said = assertThrows(
                        ConfigException.class,
                        () -> ParameterBlock.read(YamlFile.parse("s.yaml", "count: 3"), part.usual()))
                .getMessage();
        assertTrue(said.contains("the key \"depth\" is missing"), said);
        assertEquals(
                5,
                ParameterBlock.read(YamlFile.parse("s.yaml", "depth: 5"), part.usual())
                        .whole(DEPTH_OF_PART));
    }

    @Test
    void toDocument_settings_readBackAsTheSame() {
        Settings plain = KIND.usual();
        assertEquals(plain, readBack(plain));
        Settings other = plain.choosing(MODE, Mode.SECOND_BEST)
                .with(CAP, 5_000)
                .with(FLAG, false)
                .with(LEAST, 100);
        assertEquals(other, readBack(other));
        assertFalse(ParameterBlock.toDocument(plain).containsKey("cap"));
        assertFalse(ParameterBlock.toDocument(plain).containsKey("depth"));
    }

    private static Settings readBack(Settings settings) {
        StringBuilder yaml = new StringBuilder();
        ParameterBlock.toDocument(settings)
                .forEach((key, value) ->
                        yaml.append(key).append(": ").append(value).append('\n'));
        return read(yaml.toString());
    }

    @Test
    void print_usualValues_readBackAsTheSame() {
        for (Parameter<?> parameter : KIND.parameters()) {
            if (!KIND.usual().isUsed(parameter) || parameter.presence() == Parameter.Presence.OPTIONAL) {
                continue; // files may not have it
            }
            String text = ParameterBlock.print(parameter, parameter.usual());
            assertEquals(KIND.usual(), read(parameter.key() + ": " + text), text);
        }
    }
}
