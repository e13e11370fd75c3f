package io.weir.cli.scenario;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The block of a protocol: a preset, and the parameters that differ from it. */
final class SettingsBlock {
    /** The keys besides the parameters. */
    static final List<String> KEYS = List.of("id", "preset", "name");

    private SettingsBlock() {}

    /** {@return the keys of the protocol's block} */
    static List<String> keysOf(ProtocolKind kind) {
        List<String> keys = new ArrayList<>(KEYS);
        kind.parameters().forEach(parameter -> keys.add(parameter.key()));
        return keys;
    }

    /** {@return {@code from} with what the block changes; its choices come first} */
    static Settings read(YamlMap map, Settings from) {
        map.allowOnly(keysOf(from.kind()));
        Settings settings = from;
        for (Parameter<?> parameter : from.kind().parameters()) {
            Optional<YamlValue> value = map.find(parameter.key());
            if (value.isPresent()) {
                refuseUnused(settings, parameter, value.get());
                settings = with(settings, parameter, value.get());
            }
        }
        return settings.named(map.get("name", YamlValue::string, settings.preset()));
    }

    private static void refuseUnused(Settings settings, Parameter<?> parameter, YamlValue value) {
        if (!settings.isUsed(parameter)) {
            Parameter<?> choice = parameter.condition().choice();
            throw value.refused("means nothing with " + choice.key() + ": " + Parameter.word(settings.get(choice))
                    + "; leave it out");
        }
    }

    @SuppressWarnings("unchecked") // the unit says what the parameter is kept as
    private static <T> Settings with(Settings settings, Parameter<T> parameter, YamlValue value) {
        if (parameter.unit() == Parameter.Unit.CHOICE) {
            return settings.choosing(parameter, value.choice(parameter.choices(), Parameter::word));
        }
        return settings.with(parameter, (T) amount(value, parameter));
    }

    private static Object amount(YamlValue value, Parameter<?> parameter) {
        Object amount =
                switch (parameter.unit()) {
                    case NANOS -> value.parse(Durations::parse);
                    case BYTES -> value.parse(Sizes::parse);
                    case BPS -> value.parse(Rates::parse);
                    case FRACTION -> value.parse(text -> Fractions.parse(text, parameter.max()));
                    case COUNT -> value.integer((long) parameter.min(), (long) parameter.max());
                    case FLAG -> value.bool();
                    case CHOICE -> throw new IllegalArgumentException(parameter.key() + " is a choice");
                };
        if (amount instanceof Number number
                && (number.doubleValue() < parameter.min() || number.doubleValue() > parameter.max())) {
            throw value.refused("\"" + value.text() + "\" is outside " + print(parameter, parameter.min()) + " to "
                    + print(parameter, parameter.max()));
        }
        return amount;
    }

    /** {@return a value as files write it} */
    static String print(Parameter<?> parameter, Object value) {
        return switch (parameter.unit()) {
            case NANOS -> ExactQuantity.duration(whole(value));
            case BYTES -> ExactQuantity.size(whole(value));
            case BPS -> ExactQuantity.rate(whole(value));
            case FRACTION ->
                BigDecimal.valueOf(((Number) value).doubleValue())
                        .stripTrailingZeros()
                        .toPlainString();
            case COUNT -> Long.toString(whole(value));
            case FLAG -> value.toString();
            case CHOICE -> Parameter.word(value);
        };
    }

    private static long whole(Object value) {
        return Math.round(((Number) value).doubleValue());
    }
}
