package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link OpenLabs}. */
class OpenLabsTest {
    @TempDir
    private Path folder;

    @Test
    void find_registered_isThisProcessUntilItIsClosed() throws IOException {
        OpenLabs labs = new OpenLabs(folder.resolve("new"));
        assertEquals(List.of(), labs.find());
        Closeable registration = labs.register();
        assertEquals(List.of(ProcessHandle.current()), labs.find());
        registration.close();
        assertEquals(List.of(), labs.find());
    }

    @Test
    void find_numberThatAnotherProcessHasNow_isNotTaken() throws IOException {
        Path stale = folder.resolve("lab-" + ProcessHandle.current().pid());
        Files.writeString(stale, "1999-12-31T23:59:59Z");
        assertEquals(List.of(), new OpenLabs(folder).find());
        assertFalse(Files.exists(stale));
    }

    @Test
    void find_filesOfOthers_areLeftAlone() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "x");
        Files.writeString(folder.resolve("lab-x"), "x");
        assertEquals(List.of(), new OpenLabs(folder).find());
        assertTrue(Files.exists(other));
    }
}
