package io.weir.transport.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A process of this machine, told from a later one with the same number by when it began.
 *
 * @param processId its number
 * @param startTicks when it began, in the kernel's ticks since boot; 0 where the kernel does not tell
 * @param namespace which numbering of processes the number is of; 0 where the kernel does not tell
 */
record ProcessIdentity(long processId, long startTicks, long namespace) {
    /** The fields of {@code /proc/PID/stat} behind the name, which is in brackets and may have any character. */
    private static final int START_FIELD = 22 - 3;

    /** What the JDK calls a user that has no name. */
    private static final String NO_NAME = "?";

    /** {@return this process} */
    static ProcessIdentity own() {
        return new ProcessIdentity(ProcessHandle.current().pid(), startTicks("self"), ownNamespace());
    }

    /** {@return when a process began, or 0 if there is none or the kernel does not tell} */
    private static long startTicks(String process) {
        try {
            String stat = Files.readString(Path.of("/proc", process, "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[START_FIELD]);
        } catch (IOException | RuntimeException e) {
            // No such process, or a kernel that is not Linux.
            return 0;
        }
    }

    /**
     * {@return the name of this process's user, or its number where the machine has no name for it, as in a container
     * that runs by number}
     */
    static String ownUser() {
        String name = System.getProperty("user.name", "");
        if (!name.isBlank() && !name.equals(NO_NAME)) {
            return name;
        }
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            // The real, the effective, the saved one and that of files.
            return lines.filter(line -> line.startsWith("Uid:"))
                    .map(line -> line.split("\\s+", -1)[2])
                    .findFirst()
                    .orElse(NO_NAME);
        } catch (IOException | RuntimeException e) {
            return NO_NAME;
        }
    }

    private static long ownNamespace() {
        try {
            // Such as pid:[4026531836].
            String name = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return Long.parseLong(name.substring(name.indexOf('[') + 1, name.indexOf(']')));
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    /**
     * {@return whether it runs no more} A process that is numbered in another namespace cannot be asked for, and counts
     * as running.
     */
    boolean hasEnded() {
        if (namespace != ownNamespace()) {
            return false;
        }
        long nowTicks = startTicks(Long.toString(processId));
        return nowTicks == 0
                ? !Files.exists(Path.of("/proc", Long.toString(processId))) && Files.exists(Path.of("/proc/self/stat"))
                : nowTicks != startTicks;
    }
}
