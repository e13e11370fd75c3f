package io.weir.transport.socket;

import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/** The backends that are on the class path, in its order. */
final class Backends {
    /** The system property that names the backend of transports whose program leaves the default. */
    static final String PROPERTY = "weir.backend";

    private final Iterable<Backend> backends;

    Backends(Iterable<Backend> backends) {
        this.backends = backends;
    }

    /** {@return those that service files name} */
    static Backends onClassPath() {
        // A thread's own loader, as those of the common pool have it, may not see the application's libraries.
        return new Backends(ServiceLoader.load(Backend.class, Backend.class.getClassLoader()));
    }

    /**
     * {@return the backend of this name; when that is empty, of the name that the property has; when that is not set,
     * the one that somebody offers the interface by, or else the first}
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     */
    Backend find(String name, String interfaceName, UnaryOperator<String> properties) {
        if (!name.isEmpty()) {
            return named("backend=", name);
        }
        String property = properties.apply(PROPERTY);
        if (property != null && !property.isBlank()) {
            return named("property " + PROPERTY + "=", property.strip());
        }
        Backend first = null;
        for (Backend backend : backends) {
            if (backend.isOffered(interfaceName)) {
                return backend;
            }
            first = first == null ? backend : first;
        }
        return first == null ? named("backend=", "(any)") : first;
    }

    private Backend named(String what, String name) {
        List<String> names = new ArrayList<>();
        for (Backend backend : backends) {
            if (backend.name().equals(name)) {
                return backend;
            }
            names.add(backend.name());
        }
        throw new ConfigException(what + name + " is not on the class path, which has " + names
                + "; add the module that offers it, such as weir-nic-bridge for afxdp");
    }
}
