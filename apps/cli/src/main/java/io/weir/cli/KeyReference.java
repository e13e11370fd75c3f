package io.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of a file, read from its JSON Schema: the file itself, and every block that has a title. A reference to a
 * block is its title in brackets, which is how the block's own section begins.
 */
final class KeyReference {
    private static final String PROPERTIES = "properties";
    private static final String DESCRIPTION = "description";
    private static final String TITLE = "title";
    private static final String DEFAULT = "default";
    private static final String ONE_OF = "oneOf";
    private static final String ANY_OF = "anyOf";

    /** Definitions that are kinds of quantity, by the name that people use. */
    private static final Map<String, String> QUANTITIES = Map.of(
            "rateText", "rate",
            "sizeText", "size",
            "durationText", "duration",
            "shareText", "share",
            "ratioText", "share or ratio",
            "gainText", "share or ratio, or more");

    private final JsonNode schema;

    KeyReference(JsonNode schema) {
        this.schema = schema;
    }

    /**
     * A key of a block.
     *
     * @param name the key
     * @param meaning what it says, in sentences; may be empty
     * @param values what may stand there
     * @param absent "needed", or what holds where the key is left out; empty where its meaning says so
     */
    record FileKey(String name, String meaning, String values, String absent) {}

    /**
     * A block, or the file itself.
     *
     * @param title how other blocks refer to it
     * @param description what it is, in sentences
     * @param forms the ways in which it may be written, each a list of keys
     */
    record Block(String title, String description, List<List<FileKey>> forms) {}

    /** {@return the file and every block that has a title, in the schema's order} */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block("the file", schema.path(DESCRIPTION).asText(), List.of(keys(schema))));
        for (JsonNode property : schema.path(PROPERTIES)) {
            add(blocks, property.path("items"));
            add(blocks, property);
        }
        schema.path("$defs").forEach(definition -> add(blocks, definition));
        return blocks;
    }

    private void add(List<Block> blocks, JsonNode definition) {
        if (definition.has(TITLE)) {
            blocks.add(new Block(definition.path(TITLE).asText(), description(definition), forms(definition)));
        }
    }

    private String description(JsonNode definition) {
        String text = definition.path(DESCRIPTION).asText();
        return definition.has(ONE_OF) ? text + " Written as " + values(definition) + "." : text;
    }

    private List<List<FileKey>> forms(JsonNode definition) {
        if (definition.has(PROPERTIES)) {
            return List.of(keys(definition));
        }
        List<List<FileKey>> forms = new ArrayList<>();
        for (JsonNode form : definition.path(ONE_OF)) {
            if (form.has(PROPERTIES)) {
                forms.add(keys(form));
            }
        }
        return forms;
    }

    private List<FileKey> keys(JsonNode object) {
        Set<String> required = new HashSet<>();
        object.path("required").forEach(name -> required.add(name.asText()));
        List<FileKey> keys = new ArrayList<>();
        for (Map.Entry<String, JsonNode> property : object.path(PROPERTIES).properties()) {
            JsonNode value = property.getValue();
            String absent = required.contains(property.getKey()) ? "needed" : defaultOf(value);
            keys.add(new FileKey(property.getKey(), meaning(value), values(value), absent));
        }
        return keys;
    }

    private JsonNode referred(JsonNode value) {
        return value.has("$ref") ? schema.at(value.path("$ref").asText().substring(1)) : value;
    }

    private String meaning(JsonNode value) {
        String text = value.path(DESCRIPTION).asText();
        return text.isEmpty() ? referred(value).path(DESCRIPTION).asText() : text;
    }

    private String defaultOf(JsonNode value) {
        JsonNode definition = value.has(DEFAULT) ? value : referred(value);
        return definition.has(DEFAULT) ? "default " + plain(definition.path(DEFAULT)) : "";
    }

    private static String plain(JsonNode value) {
        String text = value.asText();
        return text.isEmpty() ? "empty" : text;
    }

    private String values(JsonNode value) {
        if (value.has("$ref")) {
            return reference(value);
        }
        if (value.has("const")) {
            return plain(value.path("const"));
        }
        if (value.has("enum") || value.has(ONE_OF) || value.has(ANY_OF)) {
            List<String> choices = new ArrayList<>();
            value.path("enum").forEach(choice -> choices.add(plain(choice)));
            value.path(ONE_OF).forEach(choice -> choices.add(values(choice)));
            value.path(ANY_OF).forEach(choice -> choices.add(values(choice)));
            return String.join(", ", choices);
        }
        return ofType(value);
    }

    private String reference(JsonNode value) {
        String name = value.path("$ref").asText().substring("#/$defs/".length());
        JsonNode referred = referred(value);
        if (QUANTITIES.containsKey(name)) {
            return QUANTITIES.get(name);
        }
        return referred.has(TITLE) ? titled(referred) : values(referred);
    }

    private static String titled(JsonNode definition) {
        return "[" + definition.path(TITLE).asText() + "]";
    }

    private String ofType(JsonNode value) {
        return switch (value.path("type").asText()) {
            case "integer" -> range(value);
            case "boolean" -> "true, false";
            case "array" -> "list of " + values(value.path("items"));
            case "object" -> value.has(TITLE) ? titled(value) : "a block";
            default -> "text";
        };
    }

    private static String range(JsonNode value) {
        if (!value.has("minimum")) {
            return "whole number";
        }
        String from = value.path("minimum").asText();
        return value.has("maximum") ? from + " to " + value.path("maximum").asText() : from + " or more";
    }
}
