package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.Deadline;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proves that the committed objects are what their sources build to. */
class BuiltObjectTest {
    private static final int EXIT_NO_COMPILER = 3;

    @Test
    void committedObjects_rebuilt_areTheSameByteByByte(@TempDir Path folder) throws Exception {
        Path script = Path.of(System.getProperty("basedir", "."), "..", "native", "build.sh");
        Path output = folder.resolve("build.log");
        Process build = new ProcessBuilder("sh", script.toString(), folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertTrue(
                build.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS),
                "the build hangs: " + Files.readString(output));
        String log = Files.readString(output);
        if (build.exitValue() == EXIT_NO_COMPILER) {
            assertFalse(LiveTest.Rule.isRequired(), "WEIR_REQUIRE_LIVE=1 but " + log);
            assumeTrue(false, "cannot rebuild: " + log);
        }
        assertEquals(0, build.exitValue(), log);
        for (String name : List.of("weir_xdp.bpf.o", "weir_xdp_stamps.bpf.o")) {
            byte[] rebuilt = Files.readAllBytes(folder.resolve(name));
            try (InputStream committed = BpfObject.class.getResourceAsStream("/io/weir/xdp/" + name)) {
                assertArrayEquals(
                        rebuilt, committed.readAllBytes(), name + ": run native/build.sh and commit what it builds");
            }
        }
    }
}
