package io.weir.cli.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one mapping of a file says about a thing, over what the defaults say. */
public final class YamlLayer {
    /** Says nothing. */
    public static final YamlLayer EMPTY = new YamlLayer();

    private final YamlLayer below;
    private final Map<YamlKey<?>, YamlValue> places = new HashMap<>();
    private final Map<YamlKey<?>, Object> values = new HashMap<>();

    private YamlLayer() {
        below = null;
    }

    /** Reads every key of {@code map}, also those that nothing will ask for. */
    public YamlLayer(YamlMap map, List<YamlKey<?>> keys, YamlLayer below) {
        this(map, keys, List.of(), below);
    }

    /** Reads every key of {@code keys}; {@code others} may be there too, for someone else to read. */
    public YamlLayer(YamlMap map, List<YamlKey<?>> keys, List<String> others, YamlLayer below) {
        this.below = below;
        List<String> known = new ArrayList<>(others);
        keys.forEach(key -> known.add(key.name()));
        map.allowOnly(known);
        for (YamlKey<?> key : keys) {
            Optional<YamlValue> value = map.find(key.name());
            if (value.isPresent()) {
                places.put(key, value.get());
                values.put(key, key.reader().apply(value.get()));
            }
        }
    }

    /** {@return the value of {@code key}: this mapping's, else the defaults', else {@code fallback}} */
    @SuppressWarnings("unchecked") // a key's values are made by its own reader
    public <T> T get(YamlKey<T> key, T fallback) {
        Object own = values.get(key);
        if (own != null) {
            return (T) own;
        }
        return below == null ? fallback : below.get(key, fallback);
    }

    /** {@return where the value of {@code key} is written, if anywhere} */
    public Optional<YamlValue> place(YamlKey<?> key) {
        YamlValue own = places.get(key);
        return own == null && below != null ? below.place(key) : Optional.ofNullable(own);
    }
}
