package io.weir.transport.threads;

import io.weir.transport.lab.PlantedFault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * The product and its conversations, loaded a second time as {@link TurnedClass}es, with switches for faults. Threads
 * of a run that failed stay where they are, so a build is given up after a failure that matters.
 */
final class TurnedBuild extends ClassLoader {
    private static final String OURS = "io.weir.";
    private static final String LABORATORY = TurnedBuild.class.getPackageName() + ".";
    /** What waits and shares is here and in what these use. */
    private static final List<String> INITIALISED =
            List.of("transport/runtime", "transport/socket", "transport/host", "transport/flow");

    private final List<PlantedFault> faults;
    /** The class that plays runs; of those of the laboratory it alone is rewritten. */
    private final String laboratory;

    private final Map<String, Set<String>> volatileFields = new HashMap<>();
    private final Method play;
    private final java.lang.reflect.Field active;

    /** Loads a build with these faults, none of which is at work, whose runs are those of {@link ThreadLab}. */
    TurnedBuild(List<PlantedFault> faults) throws ReflectiveOperationException {
        this(faults, ThreadLab.class);
    }

    /** Loads a build with these faults, whose runs are those of a class with a method {@code play} like ThreadLab's. */
    TurnedBuild(List<PlantedFault> faults, Class<?> laboratory) throws ReflectiveOperationException {
        super(TurnedBuild.class.getClassLoader());
        this.faults = faults;
        this.laboratory = laboratory.getName();
        setDefaultAssertionStatus(true);
        for (PlantedFault fault : faults) {
            loadClass(fault.className());
        }
        initialise();
        play = loadClass(laboratory.getName()).getDeclaredMethod("play", long.class);
        play.setAccessible(true);
        active = loadClass("io.weir.transport.lab.FaultSwitch").getField("active");
        // What begins with the first run, such as classes of protocols, is no part of a seed's order.
        play(null, 1);
    }

    /** A class that begins in the middle of a run would be one in which a thread waits for another's real lock. */
    private void initialise() throws ReflectiveOperationException {
        Path root = Path.of(io.weir.transport.socket.Transport.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        for (String folder : INITIALISED) {
            List<String> names;
            try (Stream<Path> files = Files.list(root.resolve("io/weir").resolve(folder))) {
                names = files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".class") && !name.contains("-info"))
                        .sorted()
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (String name : names) {
                Class.forName(OURS + folder.replace('/', '.') + "." + name.replace(".class", ""), true, this);
            }
        }
    }

    /** {@return why the run of this seed failed with this fault, or with null none; null if it did not} */
    String play(PlantedFault fault, long seed) throws ReflectiveOperationException {
        active.setInt(null, fault == null ? 0 : faults.indexOf(fault) + 1);
        return (String) play.invoke(null, seed);
    }

    /** {@return a number that says which turns the threads of a seed take} */
    long hash(long seed) throws ReflectiveOperationException {
        active.setInt(null, 0);
        Method hash = play.getDeclaringClass().getDeclaredMethod("hash", long.class);
        hash.setAccessible(true);
        return (long) hash.invoke(null, seed);
    }

    /** {@return in how many seeds a fault is found, or 0} */
    long search(PlantedFault fault, long seedsMax) throws ReflectiveOperationException {
        for (long seed = 1; seed <= seedsMax; seed++) {
            if (play(fault, seed) != null) {
                return seed;
            }
        }
        return 0;
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
            byte[] bytes = in.readAllBytes();
            boolean isLaboratory = name.startsWith(LABORATORY) && !name.startsWith(laboratory);
            byte[] turned = isLaboratory ? bytes : turn(name, bytes);
            return defineClass(name, turned, 0, turned.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] turn(String name, byte[] bytes) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, 0);
        for (int i = 0; i < faults.size(); i++) {
            if (faults.get(i).className().equals(name)) {
                faults.get(i).plant(node, i + 1);
            }
        }
        TurnedClass.rewrite(node, this::isVolatile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private boolean isVolatile(String type, String field) {
        return type.startsWith("io/weir/")
                && volatileFields
                        .computeIfAbsent(type, this::readVolatileFields)
                        .contains(field);
    }

    private Set<String> readVolatileFields(String type) {
        try (InputStream in = getParent().getResourceAsStream(type + ".class")) {
            ClassNode node = new ClassNode();
            new ClassReader(in).accept(node, ClassReader.SKIP_CODE);
            return node.fields.stream()
                    .filter(field -> (field.access & Opcodes.ACC_VOLATILE) != 0)
                    .map(field -> field.name)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
