package io.weir.cli.lab;

import io.weir.cli.environment.EnvironmentException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The laboratories that processes of this machine hold open, each with a file that names its process and when that
 * started: a number alone may have gone to another process since.
 */
final class OpenLabs {
    private static final Path FOLDER = Path.of("/run/weir");
    private static final String PREFIX = "lab-";

    private final Path folder;

    /** The machine's. */
    OpenLabs() {
        this(FOLDER);
    }

    /** Those that a folder tells of. */
    OpenLabs(Path folder) {
        this.folder = folder;
    }

    /** Registers that this process holds one, until the result is closed. */
    Closeable register() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        Files.createDirectories(folder);
        Path file = folder.resolve(PREFIX + self.pid());
        Files.writeString(file, startOf(self));
        return () -> Files.deleteIfExists(file);
    }

    /** {@return the processes that hold a laboratory open; files of those that are gone are removed} */
    List<ProcessHandle> find() throws IOException {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return found;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                Optional<ProcessHandle> process = processOf(file);
                if (process.isPresent()) {
                    found.add(process.get());
                } else if (file.getFileName().toString().startsWith(PREFIX)) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return found;
    }

    private static Optional<ProcessHandle> processOf(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (!name.matches(PREFIX + "\\d{1,9}")) {
            return Optional.empty();
        }
        String start = Files.readString(file).strip();
        return ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length())))
                .filter(ProcessHandle::isAlive)
                .filter(process -> startOf(process).equals(start));
    }

    private static String startOf(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(Instant::toString)
                .orElseThrow(() -> new EnvironmentException(
                        "the start of process " + process.pid() + " is not known; /proc must be mounted"));
    }
}
