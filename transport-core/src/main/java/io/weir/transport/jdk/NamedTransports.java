package io.weir.transport.jdk;

import io.weir.transport.node.ConfigException;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The transports of this process by name, for factories that software creates by their class's name and a text, as JDBC
 * drivers do. A name that nobody has registered is that of an interface, which is opened when it is first asked for, as
 * {@link Transport#open(String)} does.
 *
 * <p>Any thread may call.
 */
public final class NamedTransports {
    /** The system property that names the transport of factories which software creates without any text. */
    public static final String INTERFACE_PROPERTY = "weir.interface";

    private static final Map<String, Transport> BY_NAME = new HashMap<>();

    private NamedTransports() {}

    /**
     * Gives a transport a name, until it is {@link #remove}d.
     *
     * @throws IllegalStateException if another one has the name
     */
    public static void register(String name, Transport transport) {
        Objects.requireNonNull(name, "name is null; give the text that factories are created with");
        Objects.requireNonNull(transport, "transport is null; open one first");
        synchronized (BY_NAME) {
            if (BY_NAME.containsKey(name)) {
                throw new IllegalStateException("name=" + name + " has a transport already; remove it first");
            }
            BY_NAME.put(name, transport);
        }
    }

    /**
     * Takes a name away; the transport stays open.
     *
     * @return the transport that had it, or null
     */
    public static Transport remove(String name) {
        synchronized (BY_NAME) {
            return BY_NAME.remove(name);
        }
    }

    /**
     * {@return the transport of this name, opened now if the name is that of an interface}
     *
     * @throws IOException if the interface cannot be opened
     */
    public static Transport find(String name) throws IOException {
        Objects.requireNonNull(name, "name is null; give a registered name, or an interface such as eth0");
        synchronized (BY_NAME) {
            Transport transport = BY_NAME.get(name);
            if (transport == null) {
                transport = open(name);
                BY_NAME.put(name, transport);
            }
            return transport;
        }
    }

    /**
     * {@return the transport that the property {@link #INTERFACE_PROPERTY} names, opened now if that is an interface}
     * For factories that are created by their class's name alone.
     *
     * @throws IOException if the property is not set, or the interface cannot be opened
     */
    public static Transport findByProperty() throws IOException {
        String name = System.getProperty(INTERFACE_PROPERTY, "").strip();
        if (name.isEmpty()) {
            throw new IOException("property " + INTERFACE_PROPERTY
                    + " is not set, and a socket factory without arguments has its interface from there;"
                    + " start the JVM with -D" + INTERFACE_PROPERTY
                    + "=eth0, or with a name that NamedTransports.register was given");
        }
        return find(name);
    }

    /** Without a backend, or root, nothing can be opened by name: users of sockets expect an {@link IOException}. */
    private static Transport open(String name) throws IOException {
        try {
            return Transport.open(name);
        } catch (ConfigException e) {
            throw new IOException(name + " cannot be opened: " + e.getMessage(), e);
        }
    }
}
