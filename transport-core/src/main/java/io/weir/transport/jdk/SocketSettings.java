package io.weir.transport.jdk;

import io.weir.transport.host.HostConfig;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The options of one socket, under their old numbers and their new names: what was set last, or what the socket begins
 * with. What an option does is its socket's business. Any thread may call.
 */
final class SocketSettings {
    /** What {@code SO_LINGER} is while it is off. */
    static final int NO_LINGER = -1;

    // Options that the old interface does not have: numbers of our own.
    private static final int KEEP_IDLE = 0x1_0001;
    private static final int KEEP_INTERVAL = 0x1_0002;
    private static final int KEEP_COUNT = 0x1_0003;
    private static final int QUICK_ACK = 0x1_0004;
    private static final int NAPI_ID = 0x1_0005;

    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("SO_RCVBUF", SocketOptions.SO_RCVBUF),
            Map.entry("SO_SNDBUF", SocketOptions.SO_SNDBUF),
            Map.entry("SO_KEEPALIVE", SocketOptions.SO_KEEPALIVE),
            Map.entry("SO_REUSEADDR", SocketOptions.SO_REUSEADDR),
            Map.entry("SO_REUSEPORT", SocketOptions.SO_REUSEPORT),
            Map.entry("SO_LINGER", SocketOptions.SO_LINGER),
            Map.entry("TCP_NODELAY", SocketOptions.TCP_NODELAY),
            Map.entry("IP_TOS", SocketOptions.IP_TOS),
            Map.entry("TCP_KEEPIDLE", KEEP_IDLE),
            Map.entry("TCP_KEEPINTERVAL", KEEP_INTERVAL),
            Map.entry("TCP_KEEPCOUNT", KEEP_COUNT),
            Map.entry("TCP_QUICKACK", QUICK_ACK),
            Map.entry("SO_INCOMING_NAPI_ID", NAPI_ID));
    private static final Map<Integer, Object> DEFAULTS = Map.ofEntries(
            Map.entry(SocketOptions.SO_KEEPALIVE, false),
            Map.entry(SocketOptions.SO_REUSEADDR, false),
            Map.entry(SocketOptions.SO_REUSEPORT, false),
            Map.entry(SocketOptions.SO_LINGER, NO_LINGER),
            Map.entry(SocketOptions.TCP_NODELAY, false),
            Map.entry(SocketOptions.SO_OOBINLINE, false),
            Map.entry(SocketOptions.SO_TIMEOUT, 0),
            Map.entry(SocketOptions.IP_TOS, 0),
            Map.entry(QUICK_ACK, true),
            Map.entry(NAPI_ID, 0));
    /** What an accepted socket has from its listener. */
    private static final List<Integer> INHERITED = List.of(
            SocketOptions.SO_REUSEADDR,
            SocketOptions.SO_REUSEPORT,
            SocketOptions.IP_TOS,
            SocketOptions.SO_RCVBUF,
            KEEP_IDLE,
            KEEP_INTERVAL,
            KEEP_COUNT,
            QUICK_ACK);
    /** The kernel's limits. */
    private static final int KEEP_SECONDS_MAX = 32_767;

    private static final int KEEP_COUNT_MAX = 127;
    private static final int TOS_MAX = 255;
    /** Those bits of {@code IP_TOS} that are not the application's: the network marks congestion there. */
    private static final int ECN_BITS = 3;

    private static final int LINGER_SECONDS_MAX = 65_535;

    private final Map<Integer, Object> values = new ConcurrentHashMap<>(DEFAULTS);
    /** Whether the application has chosen when a silent peer is asked. */
    private volatile boolean isKeepAliveChosen;

    /** Creates what a socket of a host begins with. */
    SocketSettings(HostConfig host) {
        values.put(SocketOptions.SO_RCVBUF, host.streams().receiveBufferBytes());
        values.put(SocketOptions.SO_SNDBUF, host.streams().sendBufferBytes());
        long configured = host.liveness().keepAliveNanos();
        long silenceNanos = configured > 0 ? configured : HostConfig.Liveness.DEFAULT.keepAliveNanos();
        values.put(KEEP_IDLE, seconds(silenceNanos));
        values.put(
                KEEP_INTERVAL,
                seconds(HostConfig.Liveness.firstGapNanos(host.timers().userTimeoutNanos())));
        values.put(KEEP_COUNT, HostConfig.Liveness.PROBES);
    }

    private static int seconds(long nanos) {
        return (int) Math.max(1, Math.min(KEEP_SECONDS_MAX, TimeUnit.NANOSECONDS.toSeconds(nanos)));
    }

    /**
     * {@return these options, and those that only some Java runtimes have, where this one does}
     *
     * @param standard options of the JDK's base
     */
    static Set<SocketOption<?>> supported(Set<SocketOption<?>> standard) {
        Set<SocketOption<?>> supported = new HashSet<>(standard);
        for (String name :
                List.of("TCP_KEEPIDLE", "TCP_KEEPINTERVAL", "TCP_KEEPCOUNT", "TCP_QUICKACK", "SO_INCOMING_NAPI_ID")) {
            try {
                supported.add((SocketOption<?>) Class.forName("jdk.net.ExtendedSocketOptions")
                        .getField(name)
                        .get(null));
            } catch (ReflectiveOperationException e) {
                // The module jdk.net is not in this runtime: nobody can name the option.
            }
        }
        return Set.copyOf(supported);
    }

    /** {@return the number of an option} */
    static int number(SocketOption<?> option, Set<SocketOption<?>> supported) {
        Integer number = NUMBERS.get(option.name());
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

    /** A listener begins so: its port is free when it is closed. */
    void reuseAddress() {
        values.put(SocketOptions.SO_REUSEADDR, true);
    }

    /** {@return whether a number is of an option about silent peers} */
    static boolean isAboutKeepAlive(int option) {
        return option == SocketOptions.SO_KEEPALIVE
                || option == KEEP_IDLE
                || option == KEEP_INTERVAL
                || option == KEEP_COUNT;
    }

    /** {@return whether the application has chosen when a silent peer is asked} */
    boolean isKeepAliveChosen() {
        return isKeepAliveChosen;
    }

    Duration keepAliveSilence() {
        return Duration.ofSeconds((Integer) values.get(KEEP_IDLE));
    }

    Duration keepAliveGap() {
        return Duration.ofSeconds((Integer) values.get(KEEP_INTERVAL));
    }

    int keepAliveCount() {
        return (Integer) values.get(KEEP_COUNT);
    }

    /** Keeps what an option is set to, if it can be that. */
    void put(int option, Object value) throws SocketException {
        Object before = values.get(option);
        // The old interface turns lingering off by a truth value.
        Object kept = option == SocketOptions.SO_LINGER && value instanceof Boolean ? NO_LINGER : value;
        if (before == null || kept == null || before.getClass() != kept.getClass()) {
            throw new SocketException("value=" + value + " is none of option number " + option);
        }
        values.put(option, kept instanceof Integer number ? within(option, number) : kept);
        isKeepAliveChosen |= isAboutKeepAlive(option) && option != SocketOptions.SO_KEEPALIVE;
    }

    /** {@return what a number is kept as} The kernel refuses and changes the same ones. */
    private static int within(int option, int value) throws SocketException {
        return switch (option) {
            case SocketOptions.SO_LINGER -> value < 0 ? NO_LINGER : Math.min(value, LINGER_SECONDS_MAX);
            case SocketOptions.SO_RCVBUF, SocketOptions.SO_SNDBUF -> requireNotNegative(value);
            case SocketOptions.IP_TOS -> trafficClass(value);
            case KEEP_IDLE, KEEP_INTERVAL -> require(value, KEEP_SECONDS_MAX, "s of TCP_KEEPIDLE or TCP_KEEPINTERVAL");
            case KEEP_COUNT -> require(value, KEEP_COUNT_MAX, "probes of TCP_KEEPCOUNT");
            case NAPI_ID -> throw new SocketException("Attempt to set read only option SO_INCOMING_NAPI_ID");
            default -> value;
        };
    }

    private static int requireNotNegative(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("Invalid send/receive buffer size: " + bytes + " is negative");
        }
        return bytes;
    }

    private static int trafficClass(int value) {
        if (value < 0 || value > TOS_MAX) {
            throw new IllegalArgumentException("Invalid IP_TOS value: " + value + " is outside 0.." + TOS_MAX);
        }
        return value & ~ECN_BITS;
    }

    private static int require(int value, int max, String unit) throws SocketException {
        if (value < 1 || value > max) {
            throw new SocketException("Invalid argument: " + value + " " + unit + " are outside 1.." + max);
        }
        return value;
    }

    /** An accepted socket begins with what its listener was set to. */
    void inherit(SocketSettings listener) {
        INHERITED.forEach(option -> values.put(option, listener.values.get(option)));
        isKeepAliveChosen = listener.isKeepAliveChosen;
    }
}
