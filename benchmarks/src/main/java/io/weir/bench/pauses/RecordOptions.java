package io.weir.bench.pauses;

import io.weir.bench.command.Arguments;
import java.util.List;

/**
 * What to record.
 *
 * @param nanos for how long
 * @param spansMax the most gaps that are kept; the recording ends with them
 * @param gapNanosMin from which length on a gap counts
 * @param napNanos how long the loop naps at a time, or 0 for never
 * @param napEveryNanos how long it polls between two naps
 * @param load what else the machine did, for the file's comment
 * @param out the file, or null for the standard output
 */
record RecordOptions(
        long nanos, int spansMax, long gapNanosMin, long napNanos, long napEveryNanos, String load, String out) {
    static final String USAGE = """
            usage: java -jar weir-benchmarks.jar pauses record [--seconds 5] [--spans 400] [--gap 20] [--nap 0] \
            [--every 200]
                       [--load TEXT] [--out FILE]
              --gap, --nap and --every are microseconds. To choose the core: taskset -c 1 java ...""";

    private static final long SECONDS_MAX = 600;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_MAX = 1_000_000;
    private static final int SPANS_MAX = 20_000;

    /** {@return the options that the command line asks for} */
    static RecordOptions parse(List<String> arguments) {
        Arguments given = Arguments.of(arguments, "--seconds --spans --gap --nap --every --load --out");
        return new RecordOptions(
                given.whole("--seconds", 5, 1, SECONDS_MAX) * NANOS_PER_SECOND,
                (int) given.whole("--spans", 400, 1, SPANS_MAX),
                given.whole("--gap", 20, 1, MICROS_MAX) * NANOS_PER_MICRO,
                given.whole("--nap", 0, 0, MICROS_MAX) * NANOS_PER_MICRO,
                given.whole("--every", 200, 1, MICROS_MAX) * NANOS_PER_MICRO,
                given.text("--load", "not said").replaceAll("\\R", " "),
                given.text("--out", null));
    }
}
