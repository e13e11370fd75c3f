package io.weir.transport.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What an interrupt does to a thread that waits for a socket of {@code java.net}: nothing to a thread of the platform,
 * whose wait goes on; a virtual thread's socket is closed.
 */
final class Interrupts {
    /** Null before JDK 21. */
    private static final MethodHandle IS_VIRTUAL = find();

    private Interrupts() {}

    private static MethodHandle find() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    /** {@return whether an interrupt ends the calling thread's wait} */
    static boolean endWaits() {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Interrupts the calling thread again if it was, now that its wait has ended. */
    static void restore(boolean wasInterrupted) {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
