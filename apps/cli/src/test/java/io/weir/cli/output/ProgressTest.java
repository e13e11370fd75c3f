package io.weir.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
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
        assertEquals("\r\u001B[K\u001B[?7lhalf\u001B[?7h\r\u001B[K\u001B[?7lall\u001B[?7h\r\u001B[K", text.toString());
    }

    @Test
    void show_aQuarterDone_tellsTheTimeLeftFirst() {
        AtomicLong nanos = new AtomicLong(7);
        Progress progress = new Progress(new PrintWriter(text), true, nanos::get);
        nanos.addAndGet(2_900_000_000L);
        progress.show(0.25, "run 2 of 4");
        assertTrue(text.toString().contains("9 s left; run 2 of 4"), text.toString());
    }

    @Test
    void show_nothingDone_tellsNoTimeLeft() {
        Progress progress = new Progress(new PrintWriter(text), true);
        progress.show(0, "run 1 of 4");
        assertTrue(text.toString().contains("?7lrun 1 of 4"), text.toString());
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
