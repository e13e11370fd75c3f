package io.weir.cli.perf;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.HdrHistogram.Histogram;

/** Keeps what a server prints of a test, for a client that wants it. */
final class ServerText implements PerfListener {
    /** A report is a message, which ends somewhere: some 400 lines. */
    private static final int CHARS_MAX = 32 << 10;

    /** Null until a test wants it. */
    private StringWriter text;

    private TextReporter reporter;

    @Override
    public void onStart(TestStart start) {
        text = null;
        if (start.role() == Role.SERVER && start.test().details().isServerTextWanted()) {
            text = new StringWriter();
            reporter = new TextReporter(new PrintWriter(text), false, (char) 0);
            reporter.onStart(start);
        }
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        if (text != null && text.getBuffer().length() < CHARS_MAX) {
            reporter.onInterval(interval, latencies);
        }
    }

    /** {@return what it has of the test at hand} */
    String text() {
        String all = text == null ? "" : text.toString();
        return all.length() <= CHARS_MAX ? all : all.substring(0, CHARS_MAX) + "...\n";
    }
}
