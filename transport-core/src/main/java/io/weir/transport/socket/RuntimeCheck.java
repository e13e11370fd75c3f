package io.weir.transport.socket;

import io.weir.transport.node.ConfigException;
import org.agrona.concurrent.UnsafeBuffer;

/** Finds out, before anything is opened, whether the JVM lets the buffer library work. */
final class RuntimeCheck {
    private RuntimeCheck() {}

    static void requireAgronaWorks() {
        try {
            new UnsafeBuffer(new byte[Long.BYTES]).putLong(0, 1);
        } catch (IllegalAccessError | ExceptionInInitializerError | NoClassDefFoundError e) {
            throw new ConfigException("the JVM keeps the buffer library from memory access (" + e
                    + "); start it with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED, or run a jar whose manifest has "
                    + "Add-Opens: java.base/jdk.internal.misc");
        }
    }
}
