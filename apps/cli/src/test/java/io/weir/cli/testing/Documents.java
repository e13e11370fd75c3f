package io.weir.cli.testing;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** Documents out of what a command printed. */
public final class Documents {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Documents() {}

    /** {@return the one document that the text is; fails unless it is one, and follows the published schema} */
    public static JsonNode valid(String text) {
        JsonNode document = parse(text);
        try {
            PublishedSchema.assertResult(document);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return document;
    }

    /** {@return the one document that the text is} */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new AssertionError("not one JSON document: " + text, e);
        }
    }
}
