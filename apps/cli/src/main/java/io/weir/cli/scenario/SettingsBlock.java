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

/** The block of a protocol that the catalogue describes: a preset, and the parameters that differ from it. */
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

    /** {@return {@code from} with what the block changes} */
    static Settings read(YamlMap map, Settings from) {
        map.allowOnly(keysOf(from.kind()));
        Settings settings = from;
        for (Parameter parameter : from.kind().parameters()) {
            Optional<YamlValue> value = map.find(parameter.key());
            if (value.isPresent()) {
                settings = settings.with(parameter, amount(value.get(), parameter));
            }
        }
        return settings.named(map.get("name", YamlValue::string, settings.preset()));
    }

    private static double amount(YamlValue value, Parameter parameter) {
        double amount =
                switch (parameter.unit()) {
                    case NANOS -> value.parse(Durations::parse);
                    case BYTES -> value.parse(Sizes::parse);
                    case BPS -> value.parse(Rates::parse);
                    case FRACTION -> value.parse(text -> Fractions.parse(text, parameter.max()));
                    case COUNT -> value.integer((long) parameter.min(), (long) parameter.max());
                    case FLAG -> value.bool() ? 1 : 0;
                };
        if (amount < parameter.min() || amount > parameter.max()) {
            throw value.refused("\"" + value.text() + "\" is outside " + print(parameter, parameter.min()) + " to "
                    + print(parameter, parameter.max()));
        }
        return amount;
    }

    /** {@return an amount as files write it} */
    static String print(Parameter parameter, double amount) {
        long whole = Math.round(amount);
        return switch (parameter.unit()) {
            case NANOS -> ExactQuantity.duration(whole);
            case BYTES -> ExactQuantity.size(whole);
            case BPS -> ExactQuantity.rate(whole);
            case FRACTION -> BigDecimal.valueOf(amount).stripTrailingZeros().toPlainString();
            case COUNT -> Long.toString(whole);
            case FLAG -> Boolean.toString(amount != 0);
        };
    }
}
