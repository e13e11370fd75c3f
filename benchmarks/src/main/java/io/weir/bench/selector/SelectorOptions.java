package io.weir.bench.selector;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to measure.
 *
 * @param keys how many keys the large selector has; the other has one
 * @param trips bytes that are awaited in each run
 * @param rounds measured rounds; as many come before, to warm up
 * @param ratioMax the most that the median ratio may be, or 0 for no demand
 */
record SelectorOptions(int keys, int trips, int rounds, double ratioMax) {
    static final String USAGE = """
            usage: java -Xmx3g -jar weir-benchmarks.jar selector [--keys 10000] [--trips 20000] [--rounds 9]
                       [--require RATIO]""";

    private static final int KEYS_MAX = 16_000;

    SelectorOptions {
        if (keys < 1 || keys > KEYS_MAX) {
            throw new IllegalArgumentException("keys=" + keys + " is outside 1.." + KEYS_MAX);
        }
        if (trips < 1 || rounds < 1) {
            throw new IllegalArgumentException("trips=" + trips + " and rounds=" + rounds + " must be at least 1");
        }
    }

    /** {@return the options that the command line asks for} */
    static SelectorOptions parse(String... arguments) {
        Arguments given = Arguments.of(List.of(arguments), "--keys --trips --rounds --require");
        return new SelectorOptions(
                given.integer("--keys", 10_000),
                given.integer("--trips", 20_000),
                given.integer("--rounds", 9),
                given.decimal("--require", 0));
    }
}
