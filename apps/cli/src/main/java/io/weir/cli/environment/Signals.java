package io.weir.cli.environment;

import io.weir.nic.ffi.Libc;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * POSIX signals.
 *
 * <p>Design notes: only {@code sun.misc.Signal} hands them to Java. Compilers warn of each use by name and cannot be
 * told not to, so that it is used by reflection.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private static final int SIGINT = 2;
    private static final int STATUS_BASE = 128;
    private static final int HEXADECIMAL = 16;
    private static final Path STATUS_FILE = Path.of("/proc/self/status");
    private static final String IGNORED = "SigIgn:";

    private Signals() {}

    /**
     * Has SIGINT end the process even if it is ignored. Shells have the background jobs of a script ignore it; a JVM
     * inherits that, and then refuses to handle the signal for as long as it is ignored.
     */
    static void hearInterrupt() {
        if (isIgnored(SIGINT) && Libc.resetSignal(SIGINT) == 0) {
            handle("INT", () -> System.exit(STATUS_BASE + SIGINT));
        }
    }

    private static boolean isIgnored(int signal) {
        try {
            return Files.readAllLines(STATUS_FILE).stream()
                    .filter(line -> line.startsWith(IGNORED))
                    .mapToLong(line -> Long.parseUnsignedLong(
                            line.substring(IGNORED.length()).strip(), HEXADECIMAL))
                    .anyMatch(mask -> (mask >>> (signal - 1) & 1) == 1);
        } catch (IOException | NumberFormatException e) {
            // Not Linux.
            return false;
        }
    }

    private static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            // It ends the process by the system's default then, without results.
            LOG.debug("signal={} cannot be handled", name, e);
        }
    }
}
