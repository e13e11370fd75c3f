package io.weir.transport.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** What a channel that connects needs of addresses, times and the kernel. */
final class ConnectCalls {
    /** A call of the kernel's channel or of Weir's. */
    interface Call<T> {
        T run() throws IOException;
    }

    /** A step without a result. */
    interface Step {
        void run() throws IOException;
    }

    private ConnectCalls() {}

    static Call<Boolean> done(Step step) {
        return () -> {
            step.run();
            return true;
        };
    }

    /** {@return whether the kernel's channel has this blocking mode now, and is not closed} */
    static boolean isConfigured(SocketChannel own, boolean isBlocking) throws IOException {
        try {
            own.configureBlocking(isBlocking);
            return true;
        } catch (ClosedChannelException e) {
            return false;
        }
    }

    /** {@return an address that can be connected to} */
    static InetSocketAddress requireUsable(SocketAddress address) {
        Objects.requireNonNull(address, "address is null; give the peer's");
        if (!(address instanceof InetSocketAddress target)) {
            throw new UnsupportedAddressTypeException();
        }
        if (target.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return target;
    }

    /** {@return whether the kernel's channel is connected, within the time where it blocks} */
    static boolean connectWithin(SocketChannel own, InetSocketAddress target, long timeoutNanos) throws IOException {
        if (timeoutNanos == Long.MAX_VALUE) {
            return own.connect(target);
        }
        own.socket().connect(target, millis(timeoutNanos));
        return true;
    }

    private static int millis(long nanos) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos)));
    }

    /** {@return what is left of a time, at least 1 ns} */
    static long left(long startNanos, long timeoutNanos) {
        return timeoutNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(1, timeoutNanos - (System.nanoTime() - startNanos));
    }

    /** Closes what nobody needs any more. */
    static void closeQuietly(SocketChannel closing) {
        try {
            closing.close();
        } catch (IOException e) {
            // It is gone all the same.
        }
    }
}
