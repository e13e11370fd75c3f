package io.weir.cli.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.weir.cli.output.Json;
import java.util.Set;

/** Documents held against the published schema. */
public final class Documents {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Json.schema());

    private Documents() {}

    /** {@return the one document that the text is; fails unless it is one, and follows the schema} */
    public static JsonNode valid(String text) {
        JsonNode document = parse(text);
        assertEquals(Set.of(), problems(document), text);
        return document;
    }

    /** {@return what the schema has against a document} */
    public static Set<ValidationMessage> problems(JsonNode document) {
        return SCHEMA.validate(document);
    }

    /** {@return the one document that the text is} */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not one JSON document: " + text, e);
        }
    }
}
