package io.weir.cli.yaml;

import java.nio.file.Path;
import java.util.List;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.Node;

/** A file as a whole, of which the command line may put values in the place of others. */
public final class YamlTree {
    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setIndicatorIndent(2)
            .setIndentWithIndicator(true)
            .build();

    private final String name;
    private final Node root;

    private YamlTree(String name, Node root) {
        this.name = name;
        this.root = root;
    }

    /** {@return what {@code file} has} */
    public static YamlTree read(Path file) {
        return parse(file.toString(), YamlFile.text(file));
    }

    /** {@return what {@code text} has; messages call it {@code name}} */
    public static YamlTree parse(String name, String text) {
        return new YamlTree(name, YamlFile.compose(name, text));
    }

    /** {@return the file with these values in place, one after the other} */
    public YamlTree with(List<YamlOverride> overrides) {
        Node changed = root;
        for (YamlOverride override : overrides) {
            changed = override.applyTo(changed);
        }
        return new YamlTree(name, changed);
    }

    /** {@return the mapping that it is} */
    public YamlMap map() {
        return new YamlValue(name, "", root).map();
    }

    /** {@return it as text, without comments} */
    public String toYaml() {
        return new Present(SETTINGS)
                .emitToString(new Serialize(SETTINGS).serializeOne(root).iterator());
    }

    /** {@return maps, lists and values as text} */
    public static String toYaml(Object document) {
        return new Dump(SETTINGS).dumpToString(document);
    }
}
