package io.weir.cli.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.output.Json;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import java.io.UncheckedIOException;

/**
 * The published schema of a file that describes ports: what its resource says, and what each protocol of the catalogue
 * asks of ports, made of its parameters. The resource shows where: a block of a protocol may stand wherever {@code ecn}
 * may, and {@code $defs} has the credit meter as an empty object.
 */
public final class PortSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NEIGHBOUR = "ecn";

    private PortSchema() {}

    /** {@return the schema that is published as {@code name}} */
    public static ObjectNode of(String name) {
        try {
            ObjectNode schema = (ObjectNode) MAPPER.readTree(Json.schema(name));
            referToParts(schema);
            ObjectNode definitions = (ObjectNode) schema.path("$defs");
            ParameterSchema.describe(
                    ((ObjectNode) definitions.path(CreditSettings.KEY))
                            .put("title", CreditSettings.KEY)
                            .put("description", CreditSettings.MEANING),
                    CreditSettings.DEFAULT.parameters());
            schema.set(
                    "$defs",
                    ParameterSchema.insertAfter(definitions, CreditSettings.KEY, others -> Catalogue.portParts()
                            .forEach(part -> others.set(definitionOf(part), block(part)))));
            return schema;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the name of a part's definition; other things may have the same name} */
    public static String definitionOf(PortPart part) {
        return "port-" + part.key();
    }

    private static void referToParts(JsonNode node) {
        node.forEach(PortSchema::referToParts);
        JsonNode properties = node.path("properties");
        if (properties.has(NEIGHBOUR)) {
            ObjectNode all =
                    ParameterSchema.insertAfter((ObjectNode) properties, NEIGHBOUR, others -> Catalogue.portParts()
                            .forEach(
                                    part -> others.putObject(part.key()).put("$ref", "#/$defs/" + definitionOf(part))));
            ((ObjectNode) node).set("properties", all);
        }
    }

    private static ObjectNode block(PortPart part) {
        ObjectNode block = MAPPER.createObjectNode()
                .put("title", part.key())
                .put("description", part.meaning())
                .put("default", EcnBlock.OFF);
        block.putArray("oneOf").addObject().put("const", EcnBlock.OFF);
        ParameterSchema.describe(block.withArrayProperty("oneOf").addObject(), part.parameters());
        return block;
    }
}
