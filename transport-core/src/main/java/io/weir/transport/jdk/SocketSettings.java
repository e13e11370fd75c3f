package io.weir.transport.jdk;

import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The options of one socket, under their old numbers and their new names: what was set last, or what the kernel's
 * sockets begin with. What an option does is its socket's business. Any thread may call.
 */
final class SocketSettings {
    /** What {@code SO_LINGER} is while it is off. */
    static final int NO_LINGER = -1;

    private static final Map<SocketOption<?>, Integer> NUMBERS = Map.of(
            StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF, SocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT, SocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_LINGER, SocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY,
            StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS);
    private static final Map<Integer, Object> DEFAULTS = Map.of(
            SocketOptions.SO_KEEPALIVE, false,
            SocketOptions.SO_REUSEADDR, false,
            SocketOptions.SO_REUSEPORT, false,
            SocketOptions.SO_LINGER, NO_LINGER,
            SocketOptions.TCP_NODELAY, false,
            SocketOptions.SO_OOBINLINE, false,
            SocketOptions.SO_TIMEOUT, 0,
            SocketOptions.IP_TOS, 0);

    private final Map<Integer, Object> values = new ConcurrentHashMap<>(DEFAULTS);

    /** {@return the old number of an option} */
    static int number(SocketOption<?> option, Set<SocketOption<?>> supported) {
        Integer number = NUMBERS.get(option);
        if (number == null || !supported.contains(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
        return number;
    }

    /** {@return what an option is} */
    Object get(int option) throws SocketException {
        Object value = values.get(option);
        if (value == null) {
            throw new SocketException("option number " + option + " is none of a socket's");
        }
        return value;
    }

    int timeoutMillis() {
        return (Integer) values.get(SocketOptions.SO_TIMEOUT);
    }

    int lingerSeconds() {
        return (Integer) values.get(SocketOptions.SO_LINGER);
    }

    boolean isKeptAlive() {
        return (Boolean) values.get(SocketOptions.SO_KEEPALIVE);
    }

    /** Keeps what an option is set to, if it can be that. */
    void put(int option, Object value) throws SocketException {
        Object before = values.get(option);
        // The old interface turns lingering off by a truth value.
        Object kept = option == SocketOptions.SO_LINGER && value instanceof Boolean ? NO_LINGER : value;
        if (before == null || kept == null || before.getClass() != kept.getClass()) {
            throw new SocketException("value=" + value + " is none of option number " + option);
        }
        values.put(option, kept);
    }

    /** Tells what the buffers of a socket hold before anybody has asked for something else. */
    void setBuffers(int receiveBytes, int sendBytes) {
        values.put(SocketOptions.SO_RCVBUF, receiveBytes);
        values.put(SocketOptions.SO_SNDBUF, sendBytes);
    }
}
