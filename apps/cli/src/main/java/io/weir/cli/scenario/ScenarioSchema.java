package io.weir.cli.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.output.Json;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The published schema of scenario files: what the resource says, and a block for each protocol of the catalogue, made
 * of its parameters, so that a new protocol has nothing to add here.
 */
public final class ScenarioSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String RESOURCE = "scenario-1";
    private static final String PROTOCOL = "protocol";
    private static final String DESCRIPTION = "description";
    private static final String DEFAULT = "default";

    private ScenarioSchema() {}

    /** {@return the schema as text} */
    public static String text() {
        return tree().toPrettyString() + "\n";
    }

    /** {@return the schema} */
    static JsonNode tree() {
        try {
            ObjectNode schema = (ObjectNode) MAPPER.readTree(Json.schema(RESOURCE));
            ObjectNode definitions = (ObjectNode) schema.path("$defs");
            strings((ArrayNode) definitions.at("/" + PROTOCOL + "/anyOf/0/enum"), Catalogue.names());
            ArrayNode forms = (ArrayNode) definitions.at("/" + PROTOCOL + "/anyOf");
            Catalogue.KINDS.forEach(kind -> forms.addObject().put("$ref", "#/$defs/" + definitionOf(kind)));
            schema.set("$defs", withBlocks(definitions));
            return schema;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the name of the block's definition; ports may have a block of the same word} */
    static String definitionOf(ProtocolKind kind) {
        return PROTOCOL + "-" + kind.id().word();
    }

    private static void strings(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }

    /** {@return the definitions with the blocks of the catalogue behind that of protocols} */
    private static ObjectNode withBlocks(ObjectNode definitions) {
        ObjectNode all = MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> definition : definitions.properties()) {
            all.set(definition.getKey(), definition.getValue());
            if (definition.getKey().equals(PROTOCOL)) {
                Catalogue.KINDS.forEach(kind -> all.set(definitionOf(kind), block(kind)));
            }
        }
        return all;
    }

    private static ObjectNode block(ProtocolKind kind) {
        String word = kind.id().word();
        String where =
                kind.realPortObstacle().isEmpty() ? "" : " In simulations only: " + kind.realPortObstacle() + ".";
        ObjectNode block = MAPPER.createObjectNode()
                .put("title", "protocol: " + word)
                .put(DESCRIPTION, "Source: " + kind.source() + "." + where)
                .put("type", "object")
                .put("additionalProperties", false);
        ObjectNode properties = block.putObject("properties");
        properties.putObject("id").put("const", word);
        strings(
                properties
                        .putObject("preset")
                        .put(DESCRIPTION, "What the block starts from.")
                        .putArray("enum"),
                kind.presets().stream().map(Settings::preset).toList());
        properties
                .putObject("name")
                .put(DESCRIPTION, "What results call these parameters; the preset's name, if left out.")
                .put("type", "string");
        kind.parameters().forEach(parameter -> properties.set(parameter.key(), value(parameter)));
        return block;
    }

    private static ObjectNode value(Parameter<?> parameter) {
        ObjectNode value = MAPPER.createObjectNode().put(DESCRIPTION, description(parameter));
        String usual = SettingsBlock.print(parameter, parameter.usual());
        switch (parameter.unit()) {
            case NANOS -> refer(value, "durationText").put(DEFAULT, usual);
            case BYTES -> refer(value, "sizeText").put(DEFAULT, usual);
            case BPS -> refer(value, "rateText").put(DEFAULT, usual);
            case FRACTION ->
                refer(value, parameter.max() > 1 ? "gainText" : "ratioText").put(DEFAULT, (Double) parameter.usual());
            case COUNT ->
                value.put("type", "integer")
                        .put("minimum", Math.round(parameter.min()))
                        .put("maximum", Math.round(parameter.max()))
                        .put(DEFAULT, (Long) parameter.usual());
            case FLAG -> value.put("type", "boolean").put(DEFAULT, (Boolean) parameter.usual());
            case CHOICE -> {
                strings(value.putArray("enum"), words(parameter.choices()));
                value.put(DEFAULT, usual);
            }
        }
        return value;
    }

    /** {@return the meaning as a sentence, after the choices with which there is one} */
    private static String description(Parameter<?> parameter) {
        String meaning = parameter.meaning();
        return parameter.condition() == null
                ? Character.toUpperCase(meaning.charAt(0)) + meaning.substring(1) + "."
                : String.join(", ", words(parameter.condition().values())) + ": " + meaning + ".";
    }

    private static List<String> words(List<?> choices) {
        return choices.stream().map(Parameter::word).toList();
    }

    private static ObjectNode refer(ObjectNode value, String definition) {
        return value.put("$ref", "#/$defs/" + definition);
    }
}
