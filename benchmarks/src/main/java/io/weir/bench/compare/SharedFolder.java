package io.weir.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder for the processes of a comparison, gone with it, also when the comparison is interrupted. */
final class SharedFolder implements AutoCloseable {
    private final Path path;
    private final Thread exitHook;

    /** Makes one that is memory, where the machine has such a place: Aeron maps files. */
    SharedFolder() throws IOException {
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        path = Files.createTempDirectory(parent, "weir-compare");
        exitHook = new Thread(this::removeOnExit, "compare-folder");
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        if (!exitHook.isAlive()) {
            removeHook();
            remove();
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException e) {
            // The hook is about to run, and finds nothing left.
        }
    }

    private void removeOnExit() {
        EndProcess.endAll();
        try {
            remove();
        } catch (IOException e) {
            System.err.println("left behind: " + path + " (" + e.getMessage() + ")");
        }
    }

    private void remove() throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(path)) {
            files = walk.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
