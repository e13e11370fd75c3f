package io.weir.bench.loops;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to measure.
 *
 * @param loops how many loops are compared with one
 * @param frames data frames per loop and run
 * @param runs measured pairs of runs; as many come before, to warm up
 * @param ratioMin the least that the median ratio by the clock may be, or 0 for no demand
 */
record LoopsOptions(int loops, int frames, int runs, double ratioMin) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar loops [--loops 2] [--frames 300000] [--runs 7] [--require RATIO]""";

    private static final int FRAMES_MIN = 10_000;
    private static final int LOOPS_MAX = 64;

    LoopsOptions {
        if (loops < 2 || loops > LOOPS_MAX) {
            throw new IllegalArgumentException("loops=" + loops + " is outside 2.." + LOOPS_MAX);
        }
        if (frames < FRAMES_MIN || runs < 1) {
            throw new IllegalArgumentException(
                    "frames=" + frames + " must be at least " + FRAMES_MIN + ", runs=" + runs + " at least 1");
        }
    }

    /** {@return the options that the command line asks for} */
    static LoopsOptions parse(String... arguments) {
        Arguments given = Arguments.of(List.of(arguments), "--loops --frames --runs --require");
        return new LoopsOptions(
                given.integer("--loops", 2),
                given.integer("--frames", 300_000),
                given.integer("--runs", 7),
                given.decimal("--require", 0));
    }
}
