package io.weir.netty;

import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import java.util.ServiceLoader;
import org.agrona.concurrent.UnsafeBuffer;

/** Tells whether Weir can be used as Netty's transport here, as Netty's own native transports do. */
public final class Weir {
    /** Netty's transports keep theirs too: it says why, and is thrown with its own trace. */
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final Throwable CAUSE = findCause();

    private Weir() {}

    private static Throwable findCause() {
        try {
            new UnsafeBuffer(new byte[Long.BYTES]).putLong(0, 1);
        } catch (IllegalAccessError | ExceptionInInitializerError | NoClassDefFoundError e) {
            ConfigException cause = new ConfigException("the JVM keeps the buffer library from memory access (" + e
                    + "); start it with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED, or run a jar whose manifest has "
                    + "Add-Opens: java.base/jdk.internal.misc");
            cause.initCause(e);
            return cause;
        }
        try {
            return ServiceLoader.load(Backend.class, Backend.class.getClassLoader())
                            .findFirst()
                            .isPresent()
                    ? null
                    : new ConfigException("no backend is on the class path; add weir-nic-bridge, which has AF_XDP");
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /**
     * {@return whether this JVM can run the stack} Whether a certain interface can be opened, and by this user, only
     * opening it tells: making the event loop group throws the reason and the remedy.
     */
    public static boolean isAvailable() {
        return CAUSE == null;
    }

    /** {@return why it cannot, or null} */
    public static Throwable unavailabilityCause() {
        return CAUSE;
    }

    /** Throws an error with the cause if this JVM cannot run the stack. */
    public static void ensureAvailability() {
        if (CAUSE != null) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("Weir is not available here: " + CAUSE.getMessage());
            error.initCause(CAUSE);
            throw error;
        }
    }
}
