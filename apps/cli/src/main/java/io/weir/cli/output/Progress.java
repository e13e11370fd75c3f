package io.weir.cli.output;

import java.io.PrintWriter;

/** One line on a terminal that says how far long work has come; nothing where there is no terminal. */
public final class Progress implements AutoCloseable {
    private static final String ERASE_LINE = "\r\u001B[K";

    private final PrintWriter err;
    private final boolean isTerminal;

    /** Creates a line that has nothing on it. */
    public Progress(PrintWriter err, boolean isTerminal) {
        this.err = err;
        this.isTerminal = isTerminal;
    }

    /** Puts {@code line} in the place of the one before. */
    public void show(String line) {
        print(ERASE_LINE + line);
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
