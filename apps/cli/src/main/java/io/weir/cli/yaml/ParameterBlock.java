package io.weir.cli.yaml;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.Parameter.Presence;
import io.weir.transport.protocol.Tunable;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The block of a file that sets parameters: of a protocol, of its part at switches, or of a credit meter. */
public final class ParameterBlock {
    private ParameterBlock() {}

    /** {@return the keys of such a block} */
    public static List<String> keysOf(List<Parameter<?>> parameters) {
        return parameters.stream().map(Parameter::key).toList();
    }

    /** {@return {@code from} with what a block changes that has no other keys; it must be consistent} */
    public static <S extends Tunable<S>> S readAlone(YamlValue value, S from) {
        YamlMap map = value.map();
        map.allowOnly(keysOf(from.parameters()));
        S read = read(map, from);
        return value.locate(() -> {
            read.requireConsistent();
            return read;
        });
    }

    /** {@return {@code from} with what the block changes; a choice brings what is usual with it} */
    public static <S extends Tunable<S>> S read(YamlMap map, S from) {
        S settings = from;
        for (Parameter<?> parameter : from.parameters()) {
            Optional<YamlValue> value = parameter.presence() == Presence.REQUIRED
                    ? Optional.of(map.require(parameter.key()))
                    : map.find(parameter.key());
            if (value.isPresent()) {
                refuseUnused(settings, parameter, value.get());
                settings = with(settings, parameter, value.get());
            }
        }
        return settings;
    }

    private static void refuseUnused(Tunable<?> settings, Parameter<?> parameter, YamlValue value) {
        if (!settings.isUsed(parameter)) {
            Parameter<?> choice = parameter.condition().choice();
            throw value.refused("means nothing with " + choice.key() + ": " + Parameter.nameOf(settings.get(choice))
                    + "; leave it out");
        }
    }

    @SuppressWarnings("unchecked") // the unit says what the parameter is kept as
    private static <T, S extends Tunable<S>> S with(S settings, Parameter<T> parameter, YamlValue value) {
        if (parameter.unit() == Parameter.Unit.CHOICE) {
            return settings.choosing(parameter, value.choice(parameter.choices(), Parameter::nameOf));
        }
        double least = parameter.floor() == null
                ? parameter.min()
                : Math.max(parameter.min(), (double) settings.whole(parameter.floor()));
        return settings.with(parameter, (T) amount(value, parameter, least));
    }

    private static Object amount(YamlValue value, Parameter<?> parameter, double least) {
        Object amount =
                switch (parameter.unit()) {
                    case NANOS -> value.parse(Durations::parse);
                    case BYTES -> value.parse(Sizes::parse);
                    case BPS -> value.parse(Rates::parse);
                    case FRACTION -> value.parse(text -> Fractions.parse(text, parameter.max()));
                    case PPM -> (long) value.parse(Fractions::parsePpm);
                    case COUNT -> value.integer((long) parameter.min(), (long) parameter.max());
                    case FLAG -> value.bool();
                    case CHOICE -> throw new IllegalArgumentException(parameter.key() + " is a choice");
                };
        if (amount instanceof Number number
                && (number.doubleValue() < least || number.doubleValue() > parameter.max())) {
            throw value.refused("\"" + value.text() + "\" is outside " + print(parameter, least) + " to "
                    + print(parameter, parameter.max()));
        }
        return amount;
    }

    /** {@return a value as files write it} */
    public static String print(Parameter<?> parameter, Object value) {
        return switch (parameter.unit()) {
            case NANOS -> QuantityPrinter.duration(whole(value));
            case BYTES -> QuantityPrinter.size(whole(value));
            case BPS -> QuantityPrinter.rate(whole(value));
            case FRACTION ->
                BigDecimal.valueOf(((Number) value).doubleValue())
                        .stripTrailingZeros()
                        .toPlainString();
            case PPM -> QuantityPrinter.share((int) whole(value));
            case COUNT -> Long.toString(whole(value));
            case FLAG -> value.toString();
            case CHOICE -> Parameter.nameOf(value);
        };
    }

    private static long whole(Object value) {
        return Math.round(((Number) value).doubleValue());
    }

    /** {@return the block as a file has it, with nothing left to defaults} */
    public static Map<String, Object> toDocument(Tunable<?> settings) {
        Map<String, Object> block = new LinkedHashMap<>();
        for (Parameter<?> parameter : settings.parameters()) {
            Object value = settings.get(parameter);
            boolean isNone = parameter.presence() == Presence.OPTIONAL && value.equals(parameter.usual());
            if (settings.isUsed(parameter) && !isNone) {
                boolean isPlain = parameter.unit() == Parameter.Unit.COUNT || parameter.unit() == Parameter.Unit.FLAG;
                block.put(parameter.key(), isPlain ? value : print(parameter, value));
            }
        }
        return block;
    }
}
