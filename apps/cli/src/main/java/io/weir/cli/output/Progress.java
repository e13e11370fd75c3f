package io.weir.cli.output;

import io.weir.cli.unit.Durations;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** One line on a terminal that shows how far long work has come; nothing where there is no terminal. */
public final class Progress implements AutoCloseable {
    private static final String ERASE_LINE = "\r\u001B[K";
    /** Cut at the right margin what is longer than the line: a second line would not be erased. */
    private static final String NO_WRAP = "\u001B[?7l";

    private static final String WRAP = "\u001B[?7h";
    private static final double FRACTION_MIN = 0.01;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter err;
    private final boolean isTerminal;
    private final LongSupplier clock;
    private final long startNanos;

    /** Creates an empty line for work that starts now. */
    public Progress(PrintWriter err, boolean isTerminal) {
        this(err, isTerminal, System::nanoTime);
    }

    Progress(PrintWriter err, boolean isTerminal, LongSupplier clock) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.clock = clock;
        this.startNanos = clock.getAsLong();
    }

    /** Puts {@code line} in the place of the one before. */
    public void show(String line) {
        print(ERASE_LINE + NO_WRAP + line + WRAP);
    }

    /** Puts {@code line} in the place of the one before, behind the time left if work continues at the same rate. */
    public void show(double doneFraction, String line) {
        double leftSeconds = (clock.getAsLong() - startNanos) * (1 / doneFraction - 1) / NANOS_PER_SECOND;
        show(
                doneFraction < FRACTION_MIN
                        ? line
                        : Durations.print(Math.ceil(leftSeconds) * NANOS_PER_SECOND) + " left; " + line);
    }

    /** Takes the line away, so that something else can be printed there. */
    public void clear() {
        print(ERASE_LINE);
    }

    private void print(String text) {
        if (isTerminal) {
            err.print(text);
            err.flush();
        }
    }

    @Override
    public void close() {
        clear();
    }
}
