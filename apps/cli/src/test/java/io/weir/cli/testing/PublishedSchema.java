package io.weir.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.weir.cli.output.Json;
import java.io.IOException;
import java.util.Set;

/** Holds documents against the published schema of results, with a validator that knows nothing of this project. */
public final class PublishedSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PublishedSchema() {}

    /** Fails unless {@code document} is a result as published. */
    public static void assertResult(JsonNode document) throws IOException {
        assertValid(document, schema());
    }

    /** Fails unless {@code part} is what the schema calls {@code definition}. */
    public static void assertPart(String definition, JsonNode part) throws IOException {
        ObjectNode schema = MAPPER.createObjectNode();
        schema.set("$defs", schema().path("$defs"));
        schema.put("$ref", "#/$defs/" + definition);
        assertValid(part, schema);
    }

    private static JsonNode schema() throws IOException {
        return MAPPER.readTree(Json.schema("weir-1"));
    }

    private static void assertValid(JsonNode document, JsonNode schema) {
        assertEquals(
                Set.of(),
                JsonSchemaFactory.getInstance(VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(document));
    }
}
