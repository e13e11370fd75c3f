package io.weir.bench.compare.end;

import java.io.PrintStream;
import java.util.Locale;

/** What an end tells the process that started it: one line each. Any thread may write. */
public final class EndOutput {
    /** The port is open; the time, of {@link System#nanoTime}, which all processes of a machine share. */
    public static final String OPEN = "open";
    /** The window that counts: when it begins and when it ends. */
    public static final String WINDOW = "window";
    /** A figure: its name and its value. */
    public static final String VALUE = "value";
    /** What had arrived when: {@code time:bytes}. */
    public static final String SAMPLES = "samples";
    /** The end could not do what it was to do: the reason. */
    public static final String FAILED = "failed";
    /** Nothing follows. */
    public static final String DONE = "done";

    private final PrintStream out;

    EndOutput(PrintStream out) {
        this.out = out;
    }

    void open() {
        say(OPEN + " " + System.nanoTime());
    }

    void window(long fromNanos, long untilNanos) {
        say(WINDOW + " " + fromNanos + " " + untilNanos);
    }

    void value(String name, double value) {
        say(String.format(Locale.ROOT, "%s %s %.6g", VALUE, name, value));
    }

    void failed(Throwable problem) {
        String text = problem.getMessage() == null ? problem.toString() : problem.getMessage();
        say(FAILED + " " + text.replaceAll("\\s+", " "));
    }

    void done() {
        say(DONE);
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }
}
