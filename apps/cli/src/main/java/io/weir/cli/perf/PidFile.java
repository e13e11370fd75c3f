package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that has the process's number while it runs. */
record PidFile(Path path) implements AutoCloseable {
    /** {@return the file, written, or what does nothing where {@code path} is null} */
    static PidFile write(Path path) {
        try {
            if (path != null) {
                Files.writeString(path, ProcessHandle.current().pid() + "\n");
            }
            return new PidFile(path);
        } catch (IOException e) {
            throw new ConfigException(
                    "-I " + path + " cannot be written: " + e + "; name a file in a directory that exists and may be"
                            + " written to",
                    e);
        }
    }

    @Override
    public void close() {
        try {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
