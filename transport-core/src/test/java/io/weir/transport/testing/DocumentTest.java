package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link Document}. */
class DocumentTest {
    @TempDir
    Path folder;

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    @Test
    void files_below_areSortedAndEndSo() throws IOException {
        Path b = write("b/B.java");
        Path a = write("a/A.java");
        write("a/A.md");
        assertEquals(List.of(a, b), Document.files(folder, ".java"));
    }

    /** A build adds and removes files there while tests run. */
    @Test
    void files_foldersThatBuildsWriteTo_areNotEntered() throws IOException {
        Path ours = write("module/src/A.java");
        write("module/target/classes/A.java");
        write(".git/B.java");
        assertEquals(List.of(ours), Document.files(folder, ".java"));
    }

    @Test
    void files_noFolder_fails() {
        assertThrows(UncheckedIOException.class, () -> Document.files(folder.resolve("none"), ".java"));
    }
}
