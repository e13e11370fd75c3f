package io.weir.papers.matrix;

import io.weir.papers.Statistics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Values of the default that later ones are held against: a line for each figure of a cell, with its values for seeds 1
 * to 5. The file says of which commit.
 */
final class Before {
    private static final String FILE = "before.csv";
    private static final List<String> LINES = lines();

    private Before() {}

    private static List<String> lines() {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Before.class.getResourceAsStream(FILE), StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the median of a cell's figure over these seeds} */
    static double median(String cell, String metric, List<Integer> seeds) {
        String start = cell + ";" + metric + ";";
        String line = LINES.stream()
                .filter(each -> each.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(FILE + " has no line " + start));
        List<Double> values = Arrays.stream(line.substring(start.length()).split(";"))
                .map(Double::valueOf)
                .toList();
        return Statistics.median(
                seeds.stream().map(seed -> values.get(seed - 1)).toList());
    }
}
