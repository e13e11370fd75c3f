package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Tests that only terminals see progress. */
class ProgressTest {
    private final StringWriter text = new StringWriter();

    @Test
    void show_terminal_replacesTheLineAndLeavesNone() {
        try (Progress progress = new Progress(new PrintWriter(text), true)) {
            progress.show("half");
            progress.show("all");
        }
        assertEquals("\r\u001B[Khalf\r\u001B[Kall\r\u001B[K", text.toString());
    }

    @Test
    void show_noTerminal_printsNothing() {
        try (Progress progress = new Progress(new PrintWriter(text), false)) {
            progress.show("half");
        }
        assertEquals("", text.toString());
    }

    @Test
    void isTerminal_devices_areToldFromFilesAndPipes() {
        assertTrue(Terminal.isTerminal("/dev/pts/3"));
        assertTrue(Terminal.isTerminal("/dev/tty1"));
        assertTrue(Terminal.isTerminal("/dev/console"));
        assertFalse(Terminal.isTerminal("pipe:[12345]"));
        assertFalse(Terminal.isTerminal("/dev/null"));
        assertFalse(Terminal.isTerminal("/tmp/log"));
    }
}
