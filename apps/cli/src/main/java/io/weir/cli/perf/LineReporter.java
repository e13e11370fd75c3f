package io.weir.cli.perf;

import io.weir.cli.output.OutputOptions;
import org.HdrHistogram.Histogram;

/** Prints a test for programs while it runs: one JSON object a line. */
final class LineReporter implements PerfListener {
    private final OutputOptions output;

    LineReporter(OutputOptions output) {
        this.output = output;
    }

    @Override
    public void onStart(TestStart start) {
        output.printLine("start", start);
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        output.printLine("interval", interval);
    }
}
