package io.weir.transport.lab;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;

/**
 * The product, its laboratory and its tests, loaded a second time with switches for faults in the bytes of its classes:
 * the code that is built has none.
 */
final class FaultyBuild extends ClassLoader {
    private static final String OURS = "io.weir.";

    private final List<PlantedFault> faults;
    private Class<?> labType;
    private Method play;
    private Method isUnanswered;
    private Field active;

    /** Loads a build with these faults, none of which is at work. */
    FaultyBuild(List<PlantedFault> faults) throws ReflectiveOperationException {
        super(FaultyBuild.class.getClassLoader());
        this.faults = faults;
        setDefaultAssertionStatus(true);
        for (PlantedFault fault : faults) {
            // One that cannot be planted is a mistake here, not a finding.
            loadClass(fault.className());
        }
        labType = loadClass(FaultLab.class.getName());
        play = labType.getDeclaredMethod("play", long.class);
        play.setAccessible(true);
        isUnanswered = labType.getDeclaredMethod("isTooOftenUnanswered");
        isUnanswered.setAccessible(true);
        active = loadClass(FaultSwitch.class.getName()).getField("active");
    }

    /**
     * {@return what the laboratory finds in the seeds from 1 to {@code seedsMax} with this fault, or with null none}
     */
    Finding search(PlantedFault fault, int seedsMax) throws ReflectiveOperationException {
        active.setInt(null, fault == null ? 0 : faults.indexOf(fault) + 1);
        var constructor = labType.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object lab = constructor.newInstance();
        for (long seed = 1; seed <= seedsMax; seed++) {
            String reason = (String) play.invoke(lab, seed);
            if (reason == null && (boolean) isUnanswered.invoke(lab)) {
                reason = "too many ends are left unanswered";
            }
            if (reason != null) {
                return new Finding(seed, reason);
            }
        }
        return null;
    }

    /** {@return what a test says with this fault, or with null none; null if it passes} It has no parameters. */
    String run(PlantedFault fault, String testName, String methodName) throws ReflectiveOperationException {
        active.setInt(null, fault == null ? 0 : faults.indexOf(fault) + 1);
        Class<?> type = loadClass(testName);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method method = type.getDeclaredMethod(methodName);
        method.setAccessible(true);
        try {
            Object test = constructor.newInstance();
            try {
                invokeAll(test, BeforeEach.class);
                method.invoke(test);
            } finally {
                invokeAll(test, AfterEach.class);
            }
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
        return null;
    }

    private static void invokeAll(Object test, Class<? extends Annotation> wanted) throws ReflectiveOperationException {
        for (Method method : test.getClass().getDeclaredMethods()) {
            if (method.isAnnotationPresent(wanted)) {
                method.setAccessible(true);
                method.invoke(test);
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = plant(name, in.readAllBytes());
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] plant(String name, byte[] bytes) {
        ClassNode node = null;
        for (int i = 0; i < faults.size(); i++) {
            if (faults.get(i).className().equals(name)) {
                if (node == null) {
                    node = new ClassNode();
                    new ClassReader(bytes).accept(node, ClassReader.SKIP_DEBUG);
                }
                faults.get(i).plant(node, i + 1);
            }
        }
        if (node == null) {
            return bytes;
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    /**
     * Where a fault was found.
     *
     * @param reason what the laboratory said
     */
    record Finding(long seed, String reason) {}
}
