package io.weir.transport.testing;

import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicLong;

/** Takes counters to where their low 32 bits end, which no test can play. */
public final class Counters32 {
    private Counters32() {}

    /** Sets the counter {@code name} of an object, or of one in a field of it: {@code lossMeter.highest}. */
    public static void set(Object owner, String name, long value) {
        try {
            Object target = targetOf(owner, name);
            Field counter = field(target, name.substring(name.lastIndexOf('.') + 1));
            counter.setLong(target, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(owner.getClass() + " has no counter " + name, e);
        }
    }

    /** Adds to the counter {@code name}, which may be an atomic one. */
    public static void add(Object owner, String name, long amount) {
        try {
            Object target = targetOf(owner, name);
            Field counter = field(target, name.substring(name.lastIndexOf('.') + 1));
            if (counter.get(target) instanceof AtomicLong atomic) {
                atomic.addAndGet(amount);
            } else {
                counter.setLong(target, counter.getLong(target) + amount);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(owner.getClass() + " has no counter " + name, e);
        }
    }

    private static Object targetOf(Object owner, String name) throws ReflectiveOperationException {
        Object target = owner;
        String[] names = name.split("\\.", -1);
        for (int i = 0; i < names.length - 1; i++) {
            target = field(target, names[i]).get(target);
        }
        return target;
    }

    private static Field field(Object owner, String name) throws NoSuchFieldException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
