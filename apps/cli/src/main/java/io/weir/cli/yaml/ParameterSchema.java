package io.weir.cli.yaml;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.Parameter.Presence;
import java.util.List;
import java.util.function.Consumer;

/** What a schema says of the keys that are {@link Parameter}s. */
public final class ParameterSchema {
    private static final String DESCRIPTION = "description";
    private static final String DEFAULT = "default";

    private ParameterSchema() {}

    /** Makes an object of {@code block} that has the keys that {@code parameters} are, besides those it has already. */
    public static ObjectNode describe(ObjectNode block, List<Parameter<?>> parameters) {
        block.put("type", "object").put("additionalProperties", false);
        List<String> required = ParameterBlock.keysOf(parameters.stream()
                .filter(parameter -> parameter.presence() == Presence.REQUIRED)
                .toList());
        if (!required.isEmpty()) {
            strings(block.putArray("required"), required);
        }
        ObjectNode properties = block.withObjectProperty("properties");
        parameters.forEach(parameter -> properties.set(parameter.key(), value(block.objectNode(), parameter)));
        return block;
    }

    /** {@return a copy of an object in which {@code others} has added members after the one called {@code key}} */
    public static ObjectNode insertAfter(ObjectNode object, String key, Consumer<ObjectNode> others) {
        ObjectNode all = object.objectNode();
        object.properties().forEach(member -> {
            all.set(member.getKey(), member.getValue());
            if (member.getKey().equals(key)) {
                others.accept(all);
            }
        });
        return all;
    }

    /** Adds texts to an array. */
    public static void strings(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }

    private static ObjectNode value(ObjectNode value, Parameter<?> parameter) {
        value.put(DESCRIPTION, description(parameter));
        String usual = ParameterBlock.print(parameter, parameter.usual());
        switch (parameter.unit()) {
            case NANOS -> refer(value, "durationText");
            case BYTES -> refer(value, "sizeText");
            case BPS -> refer(value, "rateText");
            case FRACTION -> refer(value, parameter.max() > 1 ? "gainText" : "ratioText");
            case PPM -> refer(value, "shareText");
            case COUNT ->
                value.put("type", "integer")
                        .put("minimum", Math.round(parameter.min()))
                        .put("maximum", Math.round(parameter.max()));
            case FLAG -> value.put("type", "boolean");
            case CHOICE -> strings(value.putArray("enum"), words(parameter.choices()));
        }
        if (parameter.presence() == Presence.USUAL) {
            switch (parameter.unit()) {
                case FRACTION -> value.put(DEFAULT, (Double) parameter.usual());
                case COUNT -> value.put(DEFAULT, (Long) parameter.usual());
                case FLAG -> value.put(DEFAULT, (Boolean) parameter.usual());
                case NANOS, BYTES, BPS, PPM, CHOICE -> value.put(DEFAULT, usual);
            }
        }
        return value;
    }

    /** {@return the meaning as a sentence, after the choices with which there is one, and before narrow limits} */
    private static String description(Parameter<?> parameter) {
        String meaning = parameter.meaning();
        String sentence = parameter.condition() == null
                ? Character.toUpperCase(meaning.charAt(0)) + meaning.substring(1) + "."
                : String.join(", ", words(parameter.condition().values())) + ": " + meaning + ".";
        return parameter.isNarrowed()
                ? sentence + " " + ParameterBlock.print(parameter, parameter.min()) + " to "
                        + ParameterBlock.print(parameter, parameter.max()) + "."
                : sentence;
    }

    private static List<String> words(List<?> choices) {
        return choices.stream().map(Parameter::nameOf).toList();
    }

    private static void refer(ObjectNode value, String definition) {
        value.put("$ref", "#/$defs/" + definition);
    }
}
