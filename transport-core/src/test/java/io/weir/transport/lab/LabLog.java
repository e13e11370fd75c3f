package io.weir.transport.lab;

import io.weir.transport.frame.Frame;
import io.weir.transport.wire.FramePrinter;
import java.util.function.Consumer;

/** What happens in a schedule, line by line, for people. */
final class LabLog {
    private final Consumer<String> out;

    LabLog(Consumer<String> out) {
        this.out = out;
    }

    /** Writes a line of several, without a time. */
    void text(String text) {
        out.accept(text);
    }

    void line(long nowNanos, String text) {
        out.accept("%12.3f us  %s".formatted(nowNanos / 1e3, text));
    }

    void frame(long nowNanos, String where, Frame frame) {
        line(nowNanos, where + " " + FramePrinter.print(frame));
    }
}
