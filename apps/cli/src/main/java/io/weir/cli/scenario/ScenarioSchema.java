package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.yaml.ParameterSchema;
import io.weir.cli.yaml.PortSchema;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;

/**
 * The published schema of scenario files: what the resource says, and a block for each protocol of the catalogue, made
 * of its parameters, so that a new protocol has nothing to add here.
 */
public final class ScenarioSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String RESOURCE = "scenario-1";
    private static final String PROTOCOL = "protocol";
    private static final String DESCRIPTION = "description";

    private ScenarioSchema() {}

    /** {@return the schema as text} */
    public static String text() {
        return tree().toPrettyString() + "\n";
    }

    /** {@return the schema} */
    static JsonNode tree() {
        ObjectNode schema = PortSchema.of(RESOURCE);
        ObjectNode definitions = (ObjectNode) schema.path("$defs");
        ParameterSchema.strings((ArrayNode) definitions.at("/" + PROTOCOL + "/anyOf/0/enum"), Catalogue.names());
        ArrayNode forms = (ArrayNode) definitions.at("/" + PROTOCOL + "/anyOf");
        Catalogue.KINDS.forEach(kind -> forms.addObject().put("$ref", "#/$defs/" + definitionOf(kind)));
        schema.set(
                "$defs",
                ParameterSchema.insertAfter(
                        definitions,
                        PROTOCOL,
                        others -> Catalogue.KINDS.forEach(kind -> others.set(definitionOf(kind), block(kind)))));
        return schema;
    }

    /** {@return the name of the block's definition; ports may have a block of the same word} */
    static String definitionOf(ProtocolKind kind) {
        return PROTOCOL + "-" + kind.id().name();
    }

    private static ObjectNode block(ProtocolKind kind) {
        String word = kind.id().name();
        String where =
                kind.realPortObstacle().isEmpty() ? "" : " In simulations only: " + kind.realPortObstacle() + ".";
        ObjectNode block = MAPPER.createObjectNode()
                .put("title", "protocol: " + word)
                .put(DESCRIPTION, "Source: " + kind.source() + "." + where);
        ObjectNode properties = block.putObject("properties");
        properties.putObject("id").put("const", word);
        ParameterSchema.strings(
                properties
                        .putObject("preset")
                        .put(DESCRIPTION, "What the block starts from.")
                        .putArray("enum"),
                kind.presets().stream().map(Settings::preset).toList());
        properties
                .putObject("name")
                .put(DESCRIPTION, "What results call these parameters; the preset's name, if left out.")
                .put("type", "string");
        return ParameterSchema.describe(block, kind.parameters());
    }
}
