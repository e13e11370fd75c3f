package io.weir.cli.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link YamlFile}, {@link YamlMap} and {@link YamlValue}. */
class YamlFileTest {
    @TempDir
    private Path folder;

    private static YamlMap parse(String text) {
        return YamlFile.parse("f.yaml", text);
    }

    private static void assertRefused(String message, Executable reading) {
        assertEquals(message, assertThrows(ConfigException.class, reading).getMessage());
    }

    // ---- files

    @Test
    void read_noSuchFile_isNamed() {
        Path file = folder.resolve("absent.yaml");
        assertRefused("file " + file + " does not exist", () -> YamlFile.read(file));
    }

    @Test
    void read_tooLong_isRefusedWithTheLimit() throws IOException {
        Path file = folder.resolve("long.yaml");
        Files.write(file, new byte[YamlFile.BYTES_MAX + 1]);
        assertRefused("file " + file + " has more than 1048576 bytes; make it shorter", () -> YamlFile.read(file));
    }

    @Test
    void read_notText_isRefused() throws IOException {
        Path file = folder.resolve("binary.yaml");
        Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xFF});
        assertRefused("file " + file + " is not UTF-8 text", () -> YamlFile.read(file));
    }

    @Test
    void read_file_isNamedInRefusals() throws IOException {
        Path file = folder.resolve("good.yaml");
        Files.write(file, "a: 1\n".getBytes(StandardCharsets.UTF_8));
        YamlValue value = YamlFile.read(file).require("a");
        assertEquals(file + ":1:4: a: no", value.refused("no").getMessage());
    }

    @Test
    void parse_empty_isRefused() {
        assertRefused("f.yaml: the file is empty", () -> parse("# nothing\n"));
    }

    @Test
    void parse_notYaml_isRefusedWithItsPlace() {
        ConfigException e = assertThrows(ConfigException.class, () -> parse("a: 1\nb: [2\n"));
        assertTrue(e.getMessage().startsWith("f.yaml:3:1: not YAML: "), e.getMessage());
    }

    @Test
    void parse_list_isNoMapping() {
        assertRefused("f.yaml:1:1: expected a mapping of keys to values, found a list", () -> parse("- a\n"));
    }

    @Test
    void parse_tagOfAClass_constructsNothing() {
        YamlValue value = parse("a: !!java.net.URL [\"http://localhost\"]\n").require("a");
        assertEquals(1, value.list().size());
    }

    @Test
    void parse_aliasOfItself_isReadOnlyAsDeepAsAsked() {
        YamlMap map = parse("a: &x\n  b: *x\n");
        assertEquals(
                "f.yaml:1:4: a.b.b: no",
                map.require("a")
                        .map()
                        .require("b")
                        .map()
                        .require("b")
                        .refused("no")
                        .getMessage());
    }

    // ---- mappings

    @Test
    void map_keyTwice_isRefusedNamingTheFirst() {
        assertRefused(
                "f.yaml:3:1: a: the key is given twice; the first is in line 1", () -> parse("a: 1\nb: 2\na: 3\n"));
    }

    @Test
    void map_keyIsAList_isRefused() {
        assertRefused("f.yaml:1:3: expected a single value, found a list", () -> parse("? [a]\n: 1\n"));
    }

    @Test
    void allowOnly_unknownKey_namesTheNearest() {
        YamlMap map = parse("ports: 1\nsede: 2\n");
        assertRefused(
                "f.yaml:2:1: sede: unknown key; did you mean \"seed\"?", () -> map.allowOnly(List.of("ports", "seed")));
    }

    @Test
    void allowOnly_nothingNear_listsWhatIsKnown() {
        YamlMap map = parse("colour: red\n");
        assertRefused(
                "f.yaml:1:1: colour: unknown key; known here: ports, seed",
                () -> map.allowOnly(List.of("ports", "seed")));
    }

    @Test
    void require_missing_namesItAndTheMappingsPlace() {
        YamlMap inner = parse("a:\n  b: 1\n").require("a").map();
        assertRefused("f.yaml:2:3: a: the key \"c\" is missing", () -> inner.require("c"));
        assertTrue(inner.find("c").isEmpty());
    }

    // ---- values

    @Test
    void text_nothingWritten_isRefused() {
        assertRefused(
                "f.yaml:1:3: a: the value is missing",
                () -> parse("a:\n").require("a").text());
    }

    @Test
    void string_number_isRefusedWithQuotes() {
        YamlValue value = parse("a: 12\n").require("a");
        assertEquals("12", value.text());
        assertRefused("f.yaml:1:4: a: 12 is not text; write it in quotes: \"12\"", value::string);
        assertEquals("12", parse("a: '12'\n").require("a").string());
    }

    @Test
    void bool_words_areOnlyTrueAndFalse() {
        assertTrue(parse("a: true\n").require("a").bool());
        assertFalse(parse("a: false\n").require("a").bool());
        assertRefused(
                "f.yaml:1:4: a: \"yes\" is not true or false",
                () -> parse("a: yes\n").require("a").bool());
    }

    @Test
    void integer_outside_isRefusedWithTheLimits() {
        YamlValue value = parse("a: 70000\n").require("a");
        assertEquals(70_000, value.integer(0, 70_000));
        assertRefused("f.yaml:1:4: a: 70000 is outside 0..69999", () -> value.integer(0, 69_999));
        assertRefused(
                "f.yaml:1:4: a: 99999999999999999999 is outside 0..9",
                () -> parse("a: 99999999999999999999\n").require("a").integer(0, 9));
        assertRefused(
                "f.yaml:1:4: a: \"1.5\" is not a whole number",
                () -> parse("a: 1.5\n").require("a").integer(0, 9));
    }

    @Test
    void choice_unknown_listsAllAndTheNearest() {
        YamlValue value = parse("a: natve\n").require("a");
        assertRefused(
                "f.yaml:1:4: a: \"natve\" is none of auto, native; did you mean \"native\"?",
                () -> value.choice(List.of("auto", "native"), word -> word));
    }

    @Test
    void list_single_isRefused() {
        assertRefused(
                "f.yaml:1:4: a: expected a list, found \"1\"",
                () -> parse("a: 1\n").require("a").list());
        assertEquals(
                "f.yaml:1:8: a[1]: no",
                parse("a: [1, 2]\n").require("a").list().get(1).refused("no").getMessage());
    }
}
