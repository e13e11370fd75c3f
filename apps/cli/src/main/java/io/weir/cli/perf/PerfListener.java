package io.weir.cli.perf;

import org.HdrHistogram.Histogram;

/** Is told how a test goes, on the thread that runs it. */
interface PerfListener {
    /** Every connection is open, and data begins to flow. */
    void onStart(TestStart start);

    /**
     * Some time has passed.
     *
     * @param latencies those of the interval, or null where no requests are made
     */
    void onInterval(Interval interval, Histogram latencies);

    /**
     * All data has flown.
     *
     * @param latencies those of the whole test, or null where no requests were made
     */
    default void onEnd(Histogram latencies) {}
}
