package io.weir.transport.jdk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketTimeoutException;

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

    /** What may wait for the transport. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException;
    }

    /**
     * {@return what a call gives that an interrupt is not to end, on no kind of thread} The thread is interrupted
     * afterwards if it was.
     */
    static <T> T defer(Call<T> call) throws IOException {
        boolean wasInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.run();
                } catch (SocketTimeoutException e) {
                    throw e;
                } catch (InterruptedIOException e) {
                    wasInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            restore(wasInterrupted);
        }
    }

    /** Interrupts the calling thread again if it was, now that its wait has ended. */
    static void restore(boolean wasInterrupted) {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
