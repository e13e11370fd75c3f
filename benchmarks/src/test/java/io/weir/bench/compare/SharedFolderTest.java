package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests {@link SharedFolder}. */
class SharedFolderTest {
    @Test
    void close_folderWithFiles_leavesNothing() throws IOException {
        Path path;
        try (SharedFolder folder = new SharedFolder()) {
            path = folder.path();
            assertTrue(Files.isDirectory(path));
            Files.writeString(Files.createDirectories(path.resolve("a/b")).resolve("c"), "d");
        }
        assertFalse(Files.exists(path));
    }
}
