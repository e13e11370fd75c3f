package io.weir.transport.jdk;

import io.weir.transport.fallback.Fallback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketImplFactory;

/**
 * What every {@link java.net.Socket} and {@link java.net.ServerSocket} of a process is made of where rules decide which
 * way it goes. The package {@code java.net} must be open to this class's module.
 */
public final class DualSocketImpls {
    private DualSocketImpls() {}

    /** {@return what {@link java.net.Socket#setSocketImplFactory} takes} */
    public static SocketImplFactory ofSockets(Fallback fallback) {
        return () -> {
            try {
                return new DualSocketImpl(fallback);
            } catch (IOException e) {
                throw new UncheckedIOException("a socket of the kernel's cannot be made", e);
            }
        };
    }

    /** {@return what {@link java.net.ServerSocket#setSocketFactory} takes} */
    public static SocketImplFactory ofServerSockets(Fallback fallback) {
        return () -> {
            try {
                return new DualServerSocketImpl(fallback);
            } catch (IOException e) {
                throw new UncheckedIOException("a socket of the kernel's cannot be made", e);
            }
        };
    }
}
