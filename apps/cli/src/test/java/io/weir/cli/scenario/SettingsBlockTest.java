package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.yaml.YamlFile;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link SettingsBlock} with a protocol that has a parameter of every unit. */
class SettingsBlockTest {
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

    private enum Mode {
        BEST,
        SECOND_BEST
    }

    private static final Parameter<Mode> MODE = Parameter.choice("mode", Mode.BEST, "one of two");
    private static final Parameter<Long> DEPTH =
            Parameter.count("depth", 3, 1, 9, "how deep").onlyWith(MODE, Mode.SECOND_BEST);
    private static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(15, "every"),
                    "nowhere",
                    List.of(TIME, SIZE, RATE, SHARE, GAIN, COUNT, FLAG, MODE, DEPTH),
                    (settings, random) -> null)
            .with("every-other", settings -> settings.with(COUNT, 4))
            .with("every-second", settings -> settings.with(MODE, Mode.SECOND_BEST)
                    .with(DEPTH, 7));

    private static Settings read(String yaml) {
        return SettingsBlock.read(YamlFile.parse("s.yaml", yaml), KIND.usual());
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
                "hue: 3 | 1:1: hue: unknown key; known here: id, preset, name, time, size, rate, share, gain, count, flag,"
                        + " mode, depth",
                "mode: third | 1:7: mode: \"third\" is none of best, second-best",
                "depth: 4 | 1:8: depth: means nothing with mode: best; leave it out"
            })
    void read_mistake_isNamedWithItsPlaceAndRemedy(String yaml, String message) {
        String said = assertThrows(ConfigException.class, () -> read(yaml)).getMessage();
        assertTrue(said.startsWith("s.yaml:" + message), said);
    }

    @Test
    void read_nothingChanged_isTheStartItself() {
        Settings other = KIND.presets().get(1);
        assertEquals(other, SettingsBlock.read(YamlFile.parse("s.yaml", "id: every"), other));
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
    void read_name_isWhatResultsCallIt() {
        assertEquals("slow", read("name: slow").preset());
        assertEquals("every", read("time: 1ms").preset());
    }

    @Test
    void print_usualValues_readBackAsTheSame() {
        for (Parameter<?> parameter : KIND.parameters()) {
            if (!KIND.usual().isUsed(parameter)) {
                continue; // files may not have it
            }
            String text = SettingsBlock.print(parameter, parameter.usual());
            assertEquals(KIND.usual(), read(parameter.key() + ": " + text), text);
        }
    }
}
