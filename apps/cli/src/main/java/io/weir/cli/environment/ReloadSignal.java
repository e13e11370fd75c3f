package io.weir.cli.environment;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGHUP as a request to read a file again, in place of the end of the process. */
public final class ReloadSignal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadSignal.class);

    private static final String NAME = "HUP";

    private final AtomicBoolean isAsked = new AtomicBoolean();
    /** What handled the signal before, or null where the JDK has no way to it. */
    private final Object before;

    private ReloadSignal() {
        this.before = Signals.handle(NAME, () -> isAsked.set(true));
        if (before == null) {
            LOG.warn("SIGHUP does not reload: the JVM keeps the signal (-Xrs?)");
        }
    }

    /** {@return what notes the signal from now on} Where the JVM leaves the signal to the system, it never comes. */
    public static ReloadSignal listen() {
        return new ReloadSignal();
    }

    /** {@return whether the signal has come since this was asked last} */
    public boolean take() {
        return isAsked.getAndSet(false);
    }

    /** Leaves the signal to what handled it before. */
    @Override
    public void close() {
        Signals.restore(NAME, before);
    }
}
