package io.weir.nic.bpf;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process that keeps a BPF program in the kernel: it has a descriptor of the program, or of what attaches it. The
 * kernel says so in {@code /proc/PID/fdinfo}, of processes that this one may look at.
 *
 * @param processId its number
 * @param command what it runs, shortened
 */
public record ProgramHolder(long processId, String command) {
    private static final String PROCESSES = "/proc";
    private static final String BPF_DESCRIPTOR = "anon_inode:bpf";
    private static final int COMMAND_CHARS_MAX = 160;

    /** {@return the process that holds the program with this number, or empty where none does that this one can see} */
    public static Optional<ProgramHolder> find(int programId) {
        return find(Path.of(PROCESSES), programId);
    }

    static Optional<ProgramHolder> find(Path processes, int programId) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path process : all) {
                if (holds(process, programId)) {
                    return Optional.of(new ProgramHolder(
                            Long.parseLong(process.getFileName().toString()), command(process)));
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Processes end while they are looked at, and others may not be looked at: those are not it. */
    private static boolean holds(Path process, int programId) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.readSymbolicLink(descriptor).toString().startsWith(BPF_DESCRIPTOR)
                        && isOf(process.resolve("fdinfo").resolve(descriptor.getFileName()), programId)) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException e) {
            return false;
        }
        return false;
    }

    private static boolean isOf(Path information, int programId) throws IOException {
        List<String> lines = Files.readAllLines(information);
        return lines.contains("prog_id:\t" + programId);
    }

    private static String command(Path process) {
        try {
            String command = Files.readString(process.resolve("cmdline"))
                    .replace('\0', ' ')
                    .strip();
            return command.length() <= COMMAND_CHARS_MAX ? command : command.substring(0, COMMAND_CHARS_MAX) + "...";
        } catch (IOException e) {
            return "command unknown";
        }
    }

    /** {@return whether it is this process} */
    public boolean isThisProcess() {
        return processId == ProcessHandle.current().pid();
    }
}
