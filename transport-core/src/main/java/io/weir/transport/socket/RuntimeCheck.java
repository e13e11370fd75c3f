package io.weir.transport.socket;

import io.weir.transport.frame.BufferAccess;
import io.weir.transport.node.ConfigException;

/** Finds out, before anything is opened, whether the JVM lets the buffer library work. */
final class RuntimeCheck {
    private RuntimeCheck() {}

    static void requireAgronaWorks() {
        try {
            BufferAccess.open();
        } catch (IllegalStateException e) {
            throw new ConfigException(e.getMessage());
        }
    }
}
