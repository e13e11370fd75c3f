package io.weir.cli.yaml;

import io.weir.transport.node.ConfigException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/** A mapping of a file: its keys, each at most once, and their values. */
public final class YamlMap {
    private final YamlValue whole;
    private final Map<String, YamlValue> keys = new LinkedHashMap<>();
    private final Map<String, YamlValue> values = new LinkedHashMap<>();

    YamlMap(YamlValue whole, MappingNode node) {
        this.whole = whole;
        for (NodeTuple entry : node.getValue()) {
            YamlValue key = whole.at("", entry.getKeyNode());
            String name = key.text();
            YamlValue earlier = keys.put(name, whole.at("." + name, entry.getKeyNode()));
            if (earlier != null) {
                throw keys.get(name).refused("the key is given twice; the first is in line " + earlier.line());
            }
            values.put(name, whole.at("." + name, entry.getValueNode()));
        }
    }

    /** Refuses any other key than {@code known}, and names the one that was probably meant. */
    public void allowOnly(Collection<String> known) {
        for (Map.Entry<String, YamlValue> entry : keys.entrySet()) {
            if (!known.contains(entry.getKey())) {
                String remedy = Nearest.to(entry.getKey(), known)
                        .map(name -> "did you mean \"" + name + "\"?")
                        .orElse("known here: " + String.join(", ", known));
                throw entry.getValue().refused("unknown key; " + remedy);
            }
        }
    }

    /** {@return the keys, in their order} */
    public List<String> names() {
        return List.copyOf(keys.keySet());
    }

    /** {@return the value of {@code key}, if it is given} */
    public Optional<YamlValue> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** {@return what {@code reader} makes of the value of {@code key}, or {@code fallback} when it is not given} */
    public <T> T get(String key, Function<YamlValue, T> reader, T fallback) {
        YamlValue value = values.get(key);
        return value == null ? fallback : reader.apply(value);
    }

    /** {@return the value of {@code key}, without which the file makes no sense} */
    public YamlValue require(String key) {
        return find(key).orElseThrow(() -> refused("the key \"" + key + "\" is missing"));
    }

    /** {@return a refusal of the mapping as a whole, at its first line} */
    public ConfigException refused(String problem) {
        return whole.refused(problem);
    }
}
