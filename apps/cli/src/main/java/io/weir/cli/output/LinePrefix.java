package io.weir.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.function.Supplier;

/** Writes text with something in front of each line. */
public final class LinePrefix extends Writer {
    private final Writer target;
    private final Supplier<String> prefix;
    private boolean isAtStart = true;

    /**
     * Creates a writer.
     *
     * @param prefix what comes in front of the line that begins
     */
    public LinePrefix(Writer target, Supplier<String> prefix) {
        super();
        this.target = target;
        this.prefix = prefix;
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (isAtStart) {
                target.write(prefix.get());
            }
            target.write(text[i]);
            isAtStart = text[i] == '\n';
        }
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        target.close();
    }
}
