package io.weir.cli.perf;

import io.weir.cli.output.Json;
import io.weir.cli.output.Line;
import java.io.PrintWriter;
import org.HdrHistogram.Histogram;

/** Prints a test for programs while it runs: one JSON object a line. */
final class LineReporter implements PerfListener {
    private final PrintWriter out;

    /** What a start says. */
    private record Start(Role role, String peer, TestSpec test) {}

    LineReporter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void onStart(Role role, TestSpec spec, String peer) {
        Json.printLine(out, Line.of("start", new Start(role, peer, spec)));
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        Json.printLine(out, Line.of("interval", interval));
    }

    @Override
    public void onEnd(Histogram latencies) {
        // The result follows, with what the peer saw.
    }
}
