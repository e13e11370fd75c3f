package io.weir.cli.yaml;

import java.util.function.Function;

/**
 * A key of a mapping, and how the value behind it is read.
 *
 * @param name how the file writes it
 * @param reader what makes its value
 * @param <T> the value's type
 */
public record YamlKey<T>(String name, Function<YamlValue, T> reader) {}
