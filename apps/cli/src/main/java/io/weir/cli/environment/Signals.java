package io.weir.cli.environment;

import io.weir.nic.ffi.Libc;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;
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
    static void hearInterrupt(IntConsumer exit) {
        if (isIgnored(SIGINT) && Libc.resetSignal(SIGINT) == 0) {
            handle("INT", () -> exit.accept(STATUS_BASE + SIGINT));
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

    /** {@return what handled the signal before {@code action} does, or null if the JVM leaves it to the system} */
    static Object handle(String name, Runnable action) {
        try {
            Class<?> handler = handlerClass();
            InvocationHandler onCall = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                }
                return null;
            };
            return restore(name, Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, onCall));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.debug("signal={} cannot be handled", name, e);
            return null;
        }
    }

    /** {@return what handled the signal before {@code handler}, which is null or comes from {@link #handle}} */
    static Object restore(String name, Object handler) {
        if (handler == null) {
            return null;
        }
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            return signal.getMethod("handle", signal, handlerClass())
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
        } catch (ReflectiveOperationException e) {
            LOG.debug("signal={} cannot be handled", name, e);
            return null;
        }
    }

    private static Class<?> handlerClass() throws ClassNotFoundException {
        return Class.forName("sun.misc.SignalHandler");
    }
}
