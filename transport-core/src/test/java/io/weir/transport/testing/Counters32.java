package io.weir.transport.testing;

import java.lang.reflect.Field;

/** Takes counters to where their low 32 bits end, which no test can play. */
public final class Counters32 {
    private Counters32() {}

    /** Sets the counter {@code name} of an object, or of one in a field of it: {@code lossMeter.highest}. */
    public static void set(Object owner, String name, long value) {
        try {
            Object target = owner;
            String[] names = name.split("\\.", -1);
            for (int i = 0; i < names.length - 1; i++) {
                target = field(target, names[i]).get(target);
            }
            Field counter = field(target, names[names.length - 1]);
            counter.setLong(target, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(owner.getClass() + " has no counter " + name, e);
        }
    }

    private static Field field(Object owner, String name) throws NoSuchFieldException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
