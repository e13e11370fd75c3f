package io.weir.nic.thread;

import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What Linux tells in files about the machine's CPUs and this process's threads.
 *
 * @param sys where sysfs is, {@code /sys}
 * @param proc where procfs is, {@code /proc}
 */
record Machine(Path sys, Path proc) {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /**
     * JIT compilers and collectors that work while the application runs, as HotSpot names their threads; the kernel
     * keeps 15 characters. Collectors for which the application stops are not among them: it would stop for longer.
     */
    private static final Pattern SERVICE =
            Pattern.compile("C[12] CompilerThre|JVMCI.*|G1 Conc#.*|G1 Refine#.*|G1 Service");

    /** {@return this one} */
    static Machine local() {
        return new Machine(Path.of("/sys"), Path.of("/proc"));
    }

    /** {@return the CPUs that are on, or {@link CpuSet#ANY} where the machine does not tell} */
    CpuSet cpus() {
        try {
            return CpuSet.parse(
                    Files.readString(sys.resolve("devices/system/cpu/online")).strip());
        } catch (IOException | ConfigException e) {
            return CpuSet.ANY;
        }
    }

    /** {@return the kernel's numbers of this process's compiler and concurrent collector threads} */
    List<Integer> serviceThreads() {
        List<Integer> threads = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc.resolve("self/task"))) {
            for (Path task : tasks) {
                String number = task.getFileName().toString();
                if (NUMBER.matcher(number).matches() && isService(task)) {
                    threads.add(Integer.parseInt(number));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(threads);
        return threads;
    }

    private static boolean isService(Path task) {
        try {
            return SERVICE.matcher(Files.readString(task.resolve("comm")).strip())
                    .matches();
        } catch (IOException e) {
            // It ended meanwhile.
            return false;
        }
    }
}
