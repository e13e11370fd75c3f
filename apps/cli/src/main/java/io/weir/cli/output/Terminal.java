package io.weir.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether someone watches.
 *
 * <p>Design notes: {@code System.console()} says something else on every Java release, and never looks at standard
 * error.
 */
final class Terminal {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    static boolean isStandardError() {
        return leadsToTerminal(STANDARD_ERROR);
    }

    static boolean isStandardOutput() {
        return leadsToTerminal(STANDARD_OUTPUT);
    }

    private static boolean leadsToTerminal(Path stream) {
        try {
            return isTerminal(Files.readSymbolicLink(stream).toString());
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    static boolean isTerminal(String device) {
        return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
    }
}
