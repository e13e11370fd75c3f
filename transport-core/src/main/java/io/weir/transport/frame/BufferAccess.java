package io.weir.transport.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.UnsafeApi;

/**
 * The buffer library's access to memory, which needs a package of the JVM that is closed unless a flag opens it.
 *
 * <p>Where the flag is missing, the package is opened here, for the module of the buffer library alone. A pool does so
 * before it makes its first buffer; a program that uses the library's buffers before that calls {@link #open} itself.
 *
 * <p>Design notes: the library has no other way to memory, and its agent for other purposes cannot be loaded into a
 * running program without a flag either. A JVM opens packages to those who may look into all of its classes, which
 * {@code sun.misc.Unsafe} gives to everybody. From JDK 24 on the JVM warns of that, and may be told to refuse it; then
 * only the flag is left.
 */
public final class BufferAccess {
    private static final String CLOSED_PACKAGE = "jdk.internal.misc";
    /** Whether the buffer library was seen to work: what works once goes on working. Any thread. */
    private static final AtomicBoolean IS_OPEN = new AtomicBoolean();

    private BufferAccess() {}

    /**
     * Makes the buffer library work, if it does not yet. Idempotent.
     *
     * @throws IllegalStateException if the JVM refuses; the message has the flag to start it with
     */
    public static void open() {
        if (IS_OPEN.get()) {
            return;
        }
        // Naming the class does not initialize it: that fails once and for all while the package is closed.
        Module library = UnsafeApi.class.getModule();
        Module base = Object.class.getModule();
        Throwable refusal = null;
        if (!base.isOpen(CLOSED_PACKAGE, library)) {
            refusal = tryOpen(base, library);
        }
        try {
            UnsafeApi.addressSize();
            IS_OPEN.set(true);
        } catch (IllegalAccessError | ExceptionInInitializerError | NoClassDefFoundError e) {
            if (refusal != null) {
                e.addSuppressed(refusal);
            }
            throw new IllegalStateException(
                    "the JVM keeps the buffer library from memory access (" + e + "); " + remedy(library), e);
        }
    }

    private static String remedy(Module library) {
        String opened = library.isNamed() ? library.getName() : "ALL-UNNAMED";
        return "start it with --add-opens java.base/" + CLOSED_PACKAGE + "=" + opened
                + ", or with --add-modules jdk.unsupported where that module is left out, or run a jar whose manifest has "
                + "Add-Opens: java.base/" + CLOSED_PACKAGE;
    }

    /** {@return why the package stays closed, or null} */
    private static Throwable tryOpen(Module base, Module library) {
        try {
            allPowerful()
                    .findVirtual(
                            Module.class, "implAddOpens", MethodType.methodType(void.class, String.class, Module.class))
                    .invoke(base, CLOSED_PACKAGE, library);
            return null;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            // Whatever it is, the flag is the remedy, and the library's own failure is what counts.
            return e;
        }
    }

    /** By reflection, because the compiler warns of every mention of the class and cannot be told not to. */
    private static MethodHandles.Lookup allPowerful() throws ReflectiveOperationException {
        Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
        Field singleton = unsafeClass.getDeclaredField("theUnsafe");
        singleton.setAccessible(true);
        Object unsafe = singleton.get(null);
        Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        Object base = unsafeClass.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
        Object offset = unsafeClass.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
        return (MethodHandles.Lookup)
                unsafeClass.getMethod("getObject", Object.class, long.class).invoke(unsafe, base, offset);
    }
}
