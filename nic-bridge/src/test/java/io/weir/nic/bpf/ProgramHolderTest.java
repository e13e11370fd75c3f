package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link ProgramHolder} with processes made of files. */
class ProgramHolderTest {
    @TempDir
    private Path processes;

    private void process(int id, String command, String link, String information) throws IOException {
        Path process = processes.resolve(Integer.toString(id));
        Files.createDirectories(process.resolve("fd"));
        Files.createDirectories(process.resolve("fdinfo"));
        Files.writeString(process.resolve("cmdline"), command);
        Files.createSymbolicLink(process.resolve("fd").resolve("7"), Path.of(link));
        Files.writeString(process.resolve("fdinfo").resolve("7"), information);
    }

    @Test
    void find_linkOfTheProgram_namesTheProcessAndItsCommand() throws IOException {
        process(41, "cat\0x\0", "/dev/null", "pos:\t0\nprog_id:\t17\n");
        process(42, "java\0-jar\0server.jar\0", "anon_inode:bpf_link", "link_type:\txdp\nprog_id:\t17\nifindex:\t3\n");
        assertEquals(Optional.of(new ProgramHolder(42, "java -jar server.jar")), ProgramHolder.find(processes, 17));
    }

    @Test
    void find_otherProgramsAlone_isEmpty() throws IOException {
        process(42, "java\0", "anon_inode:bpf-prog", "prog_id:\t171\n");
        Files.createDirectories(processes.resolve("43"));
        assertEquals(Optional.empty(), ProgramHolder.find(processes, 17));
        assertEquals(Optional.empty(), ProgramHolder.find(processes.resolve("none"), 17));
    }

    @Test
    void find_longCommand_isShortened() throws IOException {
        process(42, "x".repeat(1_000), "anon_inode:bpf-prog", "prog_id:\t17\n");
        ProgramHolder holder = ProgramHolder.find(processes, 17).orElseThrow();
        assertEquals("x".repeat(160) + "...", holder.command());
        assertFalse(holder.isThisProcess());
    }
}
