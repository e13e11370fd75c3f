package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.compare.end.EndSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That processes write archives when they are to, and start with those that there are. */
class ClassArchiveTest {
    private static final Rival RIVAL = Rival.named("weir-expresspass");
    private static final EndSpec CLIENT = EndSpec.empty().with(EndSpec.ROLE, "client");

    @TempDir
    Path folder;

    @Test
    void flags_withoutAnArchive_none() {
        assertEquals(List.of(), new ClassArchive(folder).flags(RIVAL, CLIENT));
    }

    @Test
    void flags_writing_nameTheArchiveOfTheSubjectAndRole() {
        ClassArchive archive = new ClassArchive(folder);
        archive.setWriting(true);
        String expected = folder.resolve("weir-expresspass-client.classes").toString();
        assertTrue(archive.flags(RIVAL, CLIENT).get(0).endsWith("=" + expected));
    }

    @Test
    void flags_withAnArchive_useIt() throws IOException {
        Path file = Files.createFile(folder.resolve("weir-expresspass-client.classes"));
        ClassArchive archive = new ClassArchive(folder);
        assertTrue(archive.flags(RIVAL, CLIENT).get(0).endsWith("=" + file));
        assertEquals("1 of 2 written; a JVM refuses where the class path has folders", archive.written(RIVAL));
        assertEquals(List.of(), archive.flags(RIVAL, EndSpec.empty().with(EndSpec.ROLE, EndSpec.SERVER)));
    }
}
