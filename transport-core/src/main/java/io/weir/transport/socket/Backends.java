package io.weir.transport.socket;

import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The backends that are on the class path. */
final class Backends {
    private Backends() {}

    /** {@return the backend of this name, or the first when it is empty} */
    static Backend find(String name) {
        List<String> names = new ArrayList<>();
        // A thread's own loader, as those of the common pool have it, may not see the application's libraries.
        for (Backend backend : ServiceLoader.load(Backend.class, Backend.class.getClassLoader())) {
            if (name.isEmpty() || backend.name().equals(name)) {
                return backend;
            }
            names.add(backend.name());
        }
        throw new ConfigException(
                "backend=" + (name.isEmpty() ? "(any)" : name) + " is not on the class path, which has " + names
                        + "; add the module that offers it, such as weir-nic-bridge for afxdp");
    }
}
