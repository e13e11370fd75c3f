package io.weir.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Documents as text. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Prints a document, indented. */
    public static void print(PrintWriter out, Object document) {
        try {
            out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
        out.flush();
    }

    /** Prints a document on one line. */
    public static void printLine(PrintWriter out, Object document) {
        out.println(line(document));
        out.flush();
    }

    /** {@return the document on one line} */
    public static String line(Object document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the document as a tree} */
    public static JsonNode tree(Object document) {
        return MAPPER.valueToTree(document);
    }

    /** {@return the schema that is published as {@code name.schema.json}} */
    public static String schema(String name) {
        try (InputStream resource = Json.class.getResourceAsStream("/io/weir/cli/" + name + ".schema.json")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
