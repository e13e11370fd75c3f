package io.weir.cli.switching;

import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one mapping of the file says about a port, over what the defaults say. */
final class PortLayer {
    /** Says nothing. */
    static final PortLayer EMPTY = new PortLayer();

    private final PortLayer below;
    private final Map<PortKey<?>, YamlValue> places = new HashMap<>();
    private final Map<PortKey<?>, Object> values = new HashMap<>();

    private PortLayer() {
        below = null;
    }

    /** Reads every key of {@code map}, also those that no port will ask for. */
    PortLayer(YamlMap map, List<PortKey<?>> keys, PortLayer below) {
        this.below = below;
        map.allowOnly(keys.stream().map(PortKey::name).toList());
        for (PortKey<?> key : keys) {
            Optional<YamlValue> value = map.find(key.name());
            if (value.isPresent()) {
                places.put(key, value.get());
                values.put(key, key.reader().apply(value.get()));
            }
        }
    }

    /** {@return the value of {@code key}: this mapping's, else the defaults', else {@code fallback}} */
    @SuppressWarnings("unchecked") // a key's values are made by its own reader
    <T> T get(PortKey<T> key, T fallback) {
        Object own = values.get(key);
        if (own != null) {
            return (T) own;
        }
        return below == null ? fallback : below.get(key, fallback);
    }

    /** {@return where the value of {@code key} is written, if anywhere} */
    Optional<YamlValue> place(PortKey<?> key) {
        YamlValue own = places.get(key);
        return own == null && below != null ? below.place(key) : Optional.ofNullable(own);
    }
}
