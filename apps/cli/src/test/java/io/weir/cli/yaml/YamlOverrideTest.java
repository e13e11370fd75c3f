package io.weir.cli.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.node.ConfigException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests {@link YamlOverride} and {@link YamlTree}. */
class YamlOverrideTest {
    private static final String FILE = """
            a: 1
            block: {b: &x {c: 2}, d: *x}
            list:
              - {id: first, n: 1}
              - {id: second, n: 2}
            """;

    private static YamlTree tree(String... assignments) {
        List<YamlOverride> overrides = Arrays.stream(assignments)
                .map(assignment -> YamlOverride.parse("--set", assignment))
                .toList();
        return YamlTree.parse("f.yaml", FILE).with(overrides);
    }

    private static YamlValue at(YamlMap map, String... keys) {
        YamlMap place = map;
        for (String key : Arrays.copyOf(keys, keys.length - 1)) {
            place = place.require(key).map();
        }
        return place.require(keys[keys.length - 1]);
    }

    private static void assertRefused(String message, Executable reading) {
        assertEquals(message, assertThrows(ConfigException.class, reading).getMessage());
    }

    @Test
    void with_scalar_isReplaced() {
        assertEquals(7, tree("a=7").map().require("a").integer(0, 9));
    }

    @Test
    void with_nestedAndListed_areFoundByKeyNumberAndId() {
        YamlMap map = tree("block.b.c=5", "list[0].n=6", "list[second].n=7").map();
        assertEquals(5, at(map, "block", "b", "c").integer(0, 9));
        assertEquals(6, map.require("list").list().get(0).map().require("n").integer(0, 9));
        assertEquals(7, map.require("list").list().get(1).map().require("n").integer(0, 9));
    }

    @Test
    void with_aliasedBlock_changesOnlyThePlaceThatIsNamed() {
        YamlMap map = tree("block.b.c=5").map();
        assertEquals(2, at(map, "block", "d", "c").integer(0, 9));
    }

    @Test
    void with_missingKeys_areAdded() {
        YamlMap map = tree("new.deep.key=text").map();
        assertEquals("text", at(map, "new", "deep", "key").string());
    }

    @Test
    void with_value_mayBeABlockOrAList() {
        YamlMap map = tree("block={c: 3}", "list=[1, 2, 3]").map();
        assertEquals(3, at(map, "block", "c").integer(0, 9));
        assertEquals(3, map.require("list").list().size());
    }

    @Test
    void refused_overriddenValue_namesTheOptionInPlaceOfTheFile() {
        assertEquals(
                "--set block.b.c=5: block.b.c: no",
                at(tree("block.b.c=5").map(), "block", "b", "c").refused("no").getMessage());
        assertEquals(
                "f.yaml:1:4: a: no",
                tree("block.b.c=5").map().require("a").refused("no").getMessage());
        YamlMap map = tree("new.key=1").map();
        assertRefused(
                "--set new.key=1: new: unknown key; known here: a, block, list",
                () -> map.allowOnly(List.of("a", "block", "list")));
    }

    @Test
    void parse_noAssignment_isRefused() {
        String remedy = "does not set anything; write a key, = and a value, as in traffic[0].count=4";
        assertRefused("--set: \"a\" " + remedy, () -> tree("a"));
        assertRefused("--set: \"a=\" " + remedy, () -> tree("a="));
        assertRefused("--set: \"=1\" " + remedy, () -> tree("=1"));
        String path = "write it as in topology.pairs or traffic[0].count";
        assertRefused("--set a..b=1: \"a..b\" is no path of keys; " + path, () -> tree("a..b=1"));
        assertRefused("--set [0]=1: \"[0]\" is no path of keys; " + path, () -> tree("[0]=1"));
        assertRefused("--set !=1: \"!\" is no path of keys; " + path, () -> tree("!=1"));
    }

    @Test
    void with_pathThatLeadsNowhere_isRefused() {
        assertRefused(
                "--set list[2].n=1: list has no element 2; it has 2, from 0 on, known by their numbers or by an id",
                () -> tree("list[2].n=1"));
        assertRefused("--set a[0]=1: a is no list", () -> tree("a[0]=1"));
        assertRefused("--set a.b=1: a has no keys", () -> tree("a.b=1"));
        assertRefused(
                "--set none[0].n=1: none is not in the file, so that it has no elements", () -> tree("none[0].n=1"));
    }

    @Test
    void toYaml_tree_readsBack() {
        YamlMap map = YamlTree.parse("again", tree("list[0].n=6").toYaml()).map();
        assertEquals(6, map.require("list").list().get(0).map().require("n").integer(0, 9));
    }
}
