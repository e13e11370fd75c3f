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
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    static boolean isStandardError() {
        try {
            return isTerminal(Files.readSymbolicLink(STANDARD_ERROR).toString());
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    static boolean isTerminal(String device) {
        return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
    }
}
