package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.cli.testing.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@code weir schema --keys} prints the keys of the schema, with all that it says of them. */
class SchemaCommandTest {
    private static String printed(String... arguments) {
        CommandRun run = CommandRun.execute(arguments);
        assertEquals(ExitCode.DONE, run.await(), run.err());
        return run.out();
    }

    /** {@return a text without its line breaks and indentation} */
    private static String joined(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static void collect(JsonNode node, List<Map.Entry<String, JsonNode>> properties) {
        properties.addAll(node.path("properties").properties());
        node.forEach(child -> collect(child, properties));
    }

    @ParameterizedTest
    @ValueSource(strings = {"switch", "scenario"})
    void keys_eachPropertyOfTheSchema_isPrintedWithItsMeaningAndDefault(String file) {
        String text = printed("schema", file, "--keys");
        String sentences = joined(text);
        List<String> missing = new ArrayList<>();
        List<Map.Entry<String, JsonNode>> properties = new ArrayList<>();
        collect(Documents.parse(printed("schema", file)), properties);
        for (Map.Entry<String, JsonNode> property : properties) {
            JsonNode value = property.getValue();
            boolean isThere = text.contains("\n  " + property.getKey() + ": ")
                    && sentences.contains(joined(value.path("description").asText()))
                    && (!value.has("default")
                            || sentences.contains(
                                    "default " + value.path("default").asText()));
            if (!isThere) {
                missing.add(property.getKey());
            }
        }
        int count = properties.size();
        assertEquals(List.of(), missing);
        assertTrue(count > 50, count + " keys");
    }

    @ParameterizedTest
    @ValueSource(strings = {"switch", "scenario"})
    void keys_eachKey_saysWhatItMeansUnlessItChoosesTheKind(String file) {
        List<String> silent = SchemaCommand.Schema.valueOf(file.toUpperCase(Locale.ROOT)).keys().stream()
                .flatMap(block -> block.forms().stream())
                .flatMap(List::stream)
                .filter(key -> key.meaning().isEmpty() && !List.of("kind", "id").contains(key.name()))
                .map(KeyReference.FileKey::name)
                .toList();
        assertEquals(List.of(), silent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"switch", "scenario"})
    void keys_eachReferenceToABlock_leadsToItsPart(String file) {
        String text = printed("schema", file, "--keys");
        List<String> dead = new ArrayList<>();
        Pattern.compile("\\[[a-z][^\\]>0-9]+\\]").matcher(text).results().forEach(reference -> {
            if (!text.startsWith(reference.group()) && !text.contains("\n" + reference.group() + "\n")) {
                dead.add(reference.group());
            }
        });
        assertEquals(List.of(), dead);
    }

    @Test
    void keys_ofAPort_areExplained() {
        String text = joined(printed("schema", "switch", "--keys"));
        assertTrue(text.contains("interface: text (needed) The interface; the switch takes all its frames"), text);
        assertTrue(
                text.contains("burst: 1 to 10000 (default 2) exact, paper, authors: the meter's depth in credits"),
                text);
    }

    @Test
    void keys_lines_fitATerminal() {
        assertFalse(printed("schema", "scenario", "--keys").lines().anyMatch(line -> line.length() > 100));
    }

    @Test
    void keys_ofResults_areRefusedWithTheRemedy() {
        CommandRun run = CommandRun.execute("schema", "--keys");
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains("write schema switch or schema scenario"), run.err());
    }
}
