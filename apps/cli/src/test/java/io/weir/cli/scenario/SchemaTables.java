package io.weir.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables of a document, made of a schema: for each block its keys, with what they say, their values and defaults. */
final class SchemaTables {
    private static final Map<String, String> TEXTS = Map.of(
            "rateText", "rate",
            "sizeText", "size",
            "durationText", "duration",
            "shareText", "share",
            "ratioText", "share or ratio",
            "gainText", "share or ratio, or more");

    private final JsonNode schema;
    private final StringBuilder text = new StringBuilder();

    SchemaTables(JsonNode schema) {
        this.schema = schema;
    }

    /** {@return the tables of the file and of every block that has a title} */
    String print() {
        text.setLength(0);
        heading("the file");
        table(schema);
        schema.path("$defs").forEach(definition -> {
            if (definition.has("title")) {
                heading(definition.path("title").asText());
                text.append(definition.path("description").asText()).append('\n');
                if (definition.has("properties")) {
                    text.append('\n');
                    table(definition);
                } else {
                    forms(definition);
                }
            }
        });
        return text.substring(1);
    }

    private void heading(String title) {
        text.append("\n### ").append(title).append("\n\n");
    }

    /** A block that may be written in several ways: each with its keys, if it has any. */
    private void forms(JsonNode definition) {
        text.append("\nOne of: ").append(values(definition));
        if (definition.has("default")) {
            text.append(". Default: ").append(code(definition.path("default")));
        }
        text.append(".\n");
        for (JsonNode form : definition.path("oneOf")) {
            if (form.has("properties")) {
                text.append('\n');
                table(form);
            }
        }
    }

    private void table(JsonNode object) {
        Set<String> required = new HashSet<>();
        object.path("required").forEach(name -> required.add(name.asText()));
        text.append("| key | what it says | values | default |\n|---|---|---|---|\n");
        for (Map.Entry<String, JsonNode> property : object.path("properties").properties()) {
            JsonNode value = property.getValue();
            text.append("| `")
                    .append(property.getKey())
                    .append("` | ")
                    .append(description(value))
                    .append(" | ")
                    .append(values(value))
                    .append(" | ")
                    .append(required.contains(property.getKey()) ? "needed" : defaultOf(value))
                    .append(" |\n");
        }
    }

    private JsonNode referred(JsonNode value) {
        return value.has("$ref") ? schema.at(value.path("$ref").asText().substring(1)) : value;
    }

    private String description(JsonNode value) {
        if (value.has("const")) {
            return "Which kind it is.";
        }
        String own = value.path("description").asText();
        return (own.isEmpty() ? referred(value).path("description").asText() : own).replace("|", "\\|");
    }

    private String defaultOf(JsonNode value) {
        JsonNode own = value.has("default") ? value : referred(value);
        return own.has("default") ? code(own.path("default")) : "";
    }

    private static String code(JsonNode value) {
        String plain = value.asText();
        return plain.isEmpty() ? "empty" : "`" + plain + "`";
    }

    private String values(JsonNode value) {
        if (value.has("$ref")) {
            String name = value.path("$ref").asText().substring("#/$defs/".length());
            JsonNode referred = referred(value);
            return TEXTS.containsKey(name)
                    ? TEXTS.get(name)
                    : referred.has("title") ? link(referred) : values(referred);
        }
        if (value.has("const")) {
            return code(value.path("const"));
        }
        if (value.has("enum") || value.has("oneOf") || value.has("anyOf")) {
            List<String> choices = new ArrayList<>();
            value.path("enum").forEach(choice -> choices.add(code(choice)));
            value.path("oneOf").forEach(choice -> choices.add(values(choice)));
            value.path("anyOf").forEach(choice -> choices.add(values(choice)));
            return String.join(", ", choices);
        }
        return typed(value);
    }

    private static String link(JsonNode definition) {
        String title = definition.path("title").asText();
        return "[" + title + "](#" + title.replaceAll("[:.,]", "").replace(' ', '-') + ")";
    }

    private String typed(JsonNode value) {
        return switch (value.path("type").asText()) {
            case "integer" -> range(value);
            case "boolean" -> "`true`, `false`";
            case "array" -> "list of " + values(value.path("items"));
            case "object" -> "a block";
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
