package io.weir.cli.perf;

import io.weir.cli.output.OutputOptions;
import org.HdrHistogram.Histogram;

/** Prints a test for programs while it runs: one JSON object a line. */
final class LineReporter implements PerfListener {
    private final OutputOptions output;

    /** What a start says. */
    private record Start(Role role, String peer, TestSpec test) {}

    LineReporter(OutputOptions output) {
        this.output = output;
    }

    @Override
    public void onStart(Role role, TestSpec spec, String peer) {
        output.printLine("start", new Start(role, peer, spec));
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        output.printLine("interval", interval);
    }
}
