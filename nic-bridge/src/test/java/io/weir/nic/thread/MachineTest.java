package io.weir.nic.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.transport.runtime.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link Machine}. */
class MachineTest {
    @TempDir
    Path folder;

    @Test
    @EnabledOnOs(OS.LINUX)
    void local_thisMachine_tellsItsCpusAndItsCompilers() {
        assertFalse(Machine.local().cpus().isAny());
        assertFalse(Machine.local().serviceThreads().isEmpty());
    }

    @Test
    void cpus_fileThatIsNoList_isAny() throws IOException {
        Path file =
                Files.createDirectories(folder.resolve("devices/system/cpu")).resolve("online");
        Files.writeString(file, "0-1,4\n");
        assertEquals(CpuSet.parse("0,1,4"), new Machine(folder, folder).cpus());
        Files.writeString(file, "what?\n");
        assertEquals(CpuSet.ANY, new Machine(folder, folder).cpus());
    }

    @Test
    void serviceThreads_taskWithoutNameOrNumber_isLeftOut() throws IOException {
        Path tasks = Files.createDirectories(folder.resolve("self/task"));
        for (String task : List.of("12", "7", "9", "x")) {
            Files.createDirectories(tasks.resolve(task));
        }
        Files.writeString(tasks.resolve("12/comm"), "C1 CompilerThre\n");
        Files.writeString(tasks.resolve("7/comm"), "G1 Refine#1\n");
        Files.writeString(tasks.resolve("x/comm"), "G1 Refine#1\n");
        assertEquals(List.of(7, 12), new Machine(folder, folder).serviceThreads());
        assertEquals(List.of(), new Machine(folder, folder.resolve("none")).serviceThreads());
    }
}
