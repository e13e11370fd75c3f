package io.weir.bench.loops;

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
        int loops = 2;
        int frames = 300_000;
        int runs = 7;
        double ratioMin = 0;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " is unknown or lacks its value");
            }
            String value = arguments[++i];
            switch (option) {
                case "--loops" -> loops = Integer.parseInt(value);
                case "--frames" -> frames = Integer.parseInt(value);
                case "--runs" -> runs = Integer.parseInt(value);
                case "--require" -> ratioMin = Double.parseDouble(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new LoopsOptions(loops, frames, runs, ratioMin);
    }
}
