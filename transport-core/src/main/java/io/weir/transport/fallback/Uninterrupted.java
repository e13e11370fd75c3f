package io.weir.transport.fallback;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;

/** Calls of the transport that wait a little, where the Java runtime's sockets and channels do not wait at all. */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** What may wait for the transport. */
    @FunctionalInterface
    public interface Call<T> {
        /** {@return what the call gives} */
        T run() throws IOException;
    }

    /**
     * {@return what a call gives that an interrupt is not to end, on no kind of thread} The thread is interrupted
     * afterwards if it was.
     */
    public static <T> T call(Call<T> call) throws IOException {
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
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
