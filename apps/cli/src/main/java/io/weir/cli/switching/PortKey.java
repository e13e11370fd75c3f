package io.weir.cli.switching;

import io.weir.cli.yaml.YamlValue;
import java.util.function.Function;

/**
 * One key that describes a port.
 *
 * @param name how the file writes it
 * @param reader what makes its value
 * @param <T> the value's type
 */
record PortKey<T>(String name, Function<YamlValue, T> reader) {}
