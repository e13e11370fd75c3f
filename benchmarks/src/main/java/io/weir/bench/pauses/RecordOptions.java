package io.weir.bench.pauses;

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

    /** {@return the options that the command line asks for, from its word {@code from} on} */
    static RecordOptions parse(String[] arguments, int from) {
        long seconds = 5;
        long spans = 400;
        long gapMicros = 20;
        long napMicros = 0;
        long everyMicros = 200;
        String load = "not said";
        String out = null;
        for (int i = from; i < arguments.length; i += 2) {
            String option = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments[i + 1];
            switch (option) {
                case "--seconds" -> seconds = number(option, value, 1, SECONDS_MAX);
                case "--spans" -> spans = number(option, value, 1, SPANS_MAX);
                case "--gap" -> gapMicros = number(option, value, 1, MICROS_MAX);
                case "--nap" -> napMicros = number(option, value, 0, MICROS_MAX);
                case "--every" -> everyMicros = number(option, value, 1, MICROS_MAX);
                case "--load" -> load = value.replaceAll("\\R", " ");
                case "--out" -> out = value;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new RecordOptions(
                seconds * NANOS_PER_SECOND,
                (int) spans,
                gapMicros * NANOS_PER_MICRO,
                napMicros * NANOS_PER_MICRO,
                everyMicros * NANOS_PER_MICRO,
                load,
                out);
    }

    private static long number(String option, String value, long min, long max) {
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + value + " is no whole number", e);
        }
        if (number < min || number > max) {
            throw new IllegalArgumentException(option + " " + value + " is outside " + min + ".." + max);
        }
        return number;
    }
}
