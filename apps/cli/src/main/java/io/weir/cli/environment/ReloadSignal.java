package io.weir.cli.environment;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP as a request to read a file again, in place of the end of the process.
 *
 * <p>Design notes: the JDK has no other way to a signal than {@code sun.misc.Signal} of the module {@code
 * jdk.unsupported}. It is used by reflection, because the compiler warns of the name and warnings are errors.
 */
public final class ReloadSignal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadSignal.class);

    private final AtomicBoolean isAsked = new AtomicBoolean();
    /** What handled the signal before, or null where the JDK has no way to it. */
    private final Object before;

    private ReloadSignal() {
        this.before = handle(proxy());
    }

    /** {@return what notes the signal from now on} Where the JVM leaves the signal to the system, it never comes. */
    public static ReloadSignal listen() {
        return new ReloadSignal();
    }

    /** {@return whether the signal has come since this was asked last} */
    public boolean take() {
        return isAsked.getAndSet(false);
    }

    private Object proxy() {
        InvocationHandler onCall = (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
                isAsked.set(true);
            }
            return null;
        };
        try {
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            return Proxy.newProxyInstance(handlerClass.getClassLoader(), new Class<?>[] {handlerClass}, onCall);
        } catch (ClassNotFoundException | IllegalArgumentException e) {
            LOG.debug("this JDK has no way to signals", e);
            return null;
        }
    }

    /** {@return what handled the signal before} */
    private static Object handle(Object handler) {
        if (handler == null) {
            return null;
        }
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object hangUp = signalClass.getConstructor(String.class).newInstance("HUP");
            return signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, hangUp, handler);
        } catch (ReflectiveOperationException e) {
            LOG.warn("SIGHUP does not reload: the JVM keeps the signal (-Xrs?)", e);
            return null;
        }
    }

    /** Leaves the signal to what handled it before. */
    @Override
    public void close() {
        handle(before);
    }
}
