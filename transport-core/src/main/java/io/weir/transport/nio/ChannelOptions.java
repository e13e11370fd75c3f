package io.weir.transport.nio;

import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The options of a channel: the kernel's while it has a kernel's channel, and what was set last once it is Weir's. An
 * option that means nothing to Weir is kept and given back. Any thread.
 */
final class ChannelOptions {
    /** The one that the kernel alone sets. */
    static final String READ_ONLY = "SO_INCOMING_NAPI_ID";

    private static final String KEEP = "TCP_KEEP";
    static final String KEEP_IDLE = "TCP_KEEPIDLE";
    static final String KEEP_INTERVAL = "TCP_KEEPINTERVAL";
    static final String KEEP_COUNT = "TCP_KEEPCOUNT";

    private static final int TOS_MAX = 255;
    /** What the kernel takes. */
    private static final int KEEP_SECONDS_MAX = 32_767;

    private static final int KEEP_COUNT_MAX = 127;

    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();
    private final Set<SocketOption<?>> supported;

    /** Creates the options of a channel that has these. */
    ChannelOptions(Set<SocketOption<?>> supported) {
        this.supported = supported;
    }

    Set<SocketOption<?>> supported() {
        return supported;
    }

    /**
     * Sets one.
     *
     * @param kernel the kernel's channel, which checks the value; null where there is none
     */
    <T> void set(NetworkChannel kernel, SocketOption<T> option, T value) throws IOException {
        requireSupported(option);
        if (kernel != null) {
            kernel.setOption(option, value);
        } else {
            requireValue(option, value);
        }
        values.put(option, value);
    }

    private static void requireValue(SocketOption<?> option, Object value) throws SocketException {
        if (option.name().equals(READ_ONLY)) {
            throw new SocketException("Attempt to set read only option " + option);
        }
        if (value == null || !option.type().isInstance(value)) {
            throw new IllegalArgumentException(
                    "value=" + value + " is no " + option.type().getSimpleName() + ", which " + option + " needs");
        }
        int max = option.equals(StandardSocketOptions.IP_TOS) ? TOS_MAX : Integer.MAX_VALUE;
        boolean mayBeNegative = option.equals(StandardSocketOptions.SO_LINGER);
        if (value instanceof Integer number && option.name().startsWith(KEEP)) {
            int most = option.name().equals(KEEP_COUNT) ? KEEP_COUNT_MAX : KEEP_SECONDS_MAX;
            if (number < 1 || number > most) {
                throw new SocketException("Invalid argument: " + option + "=" + number + " is outside 1.." + most);
            }
        }
        if (value instanceof Integer number && ((number < 0 && !mayBeNegative) || number > max)) {
            throw new IllegalArgumentException(option + "=" + number + " is outside 0.." + max);
        }
    }

    /** Takes over what a listener's connections begin with. */
    void inherit(ChannelOptions listener) {
        listener.values.forEach((option, value) -> {
            if (supported.contains(option)) {
                values.put(option, value);
            }
        });
    }

    /** Notes a value that nobody has set. */
    <T> void begin(SocketOption<T> option, T value) {
        values.put(option, value);
    }

    /** {@return the value of one} */
    @SuppressWarnings("unchecked") // an option's value is of its type when it is put
    <T> T get(NetworkChannel kernel, SocketOption<T> option) throws IOException {
        requireSupported(option);
        if (kernel != null) {
            return kernel.getOption(option);
        }
        Object value = values.get(option);
        if (value != null) {
            return (T) value;
        }
        return (T) beginning(option);
    }

    /** {@return what an option is that nobody has set} */
    private static Object beginning(SocketOption<?> option) {
        if (option.equals(StandardSocketOptions.SO_LINGER)) {
            return -1;
        }
        return option.type() == Boolean.class ? (Object) false : option.type() == Integer.class ? 0 : null;
    }

    private void requireSupported(SocketOption<?> option) {
        if (option == null) {
            throw new NullPointerException("option is null; name one of " + supported);
        }
        if (!supported.contains(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
    }

    /** {@return whether the connection is to be reset when it is closed} */
    boolean resetsAtClose() {
        return Integer.valueOf(0).equals(values.get(StandardSocketOptions.SO_LINGER));
    }

    /** Has a connection of Weir's behave as the options say. */
    void applyTo(WeirSocket socket) {
        Object isOn = values.get(StandardSocketOptions.SO_KEEPALIVE);
        if (isOn == null) {
            return;
        }
        Integer silence = number(KEEP_IDLE);
        Integer gap = number(KEEP_INTERVAL);
        Integer count = number(KEEP_COUNT);
        if (Boolean.TRUE.equals(isOn) && silence != null && gap != null && count != null) {
            socket.setKeepAlive(Duration.ofSeconds(silence), Duration.ofSeconds(gap), count);
        } else {
            socket.setKeepAlive(Boolean.TRUE.equals(isOn));
        }
    }

    private Integer number(String name) {
        for (Map.Entry<SocketOption<?>, Object> entry : values.entrySet()) {
            if (entry.getKey().name().equals(name)) {
                return (Integer) entry.getValue();
            }
        }
        return null;
    }

    /** {@return whether an option says when a silent peer is asked} */
    static boolean isAboutKeepAlive(SocketOption<?> option) {
        return option.equals(StandardSocketOptions.SO_KEEPALIVE)
                || Set.of(KEEP_IDLE, KEEP_INTERVAL, KEEP_COUNT).contains(option.name());
    }
}
