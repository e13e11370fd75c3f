package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests virtual threads that read over Weir and block, on JDK 25 where it is installed. */
@LiveTest
class VirtualThreadsLiveTest {
    private static final String JDK = "25";

    @TempDir
    Path folder;

    /** {@return where the JDK is, or null} */
    private static Path javaHome() throws IOException {
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> homes = Files.newDirectoryStream(all)) {
                for (Path home : homes) {
                    Path release = home.resolve("release");
                    if (Files.exists(release) && Files.readString(release).contains("JAVA_VERSION=\"" + JDK)) {
                        return home;
                    }
                }
            }
        }
        return null;
    }

    @Test
    void reads_ofManyVirtualThreadsOnTwoCarriers_blockAndPinNone() throws Exception {
        Path javaHome = javaHome();
        assumeTrue(javaHome != null, "no JDK " + JDK + " under /usr/lib/jvm");
        Path rules = Files.writeString(
                folder.resolve("sockets.conf"), "both * * weir interface=" + TwoHosts.INTERFACE + "\n");
        try (TwoHosts hosts = TwoHosts.create();
                ChildJvm program = AgentJvm.startOnTwoCarriers(
                        hosts.a(), javaHome, rules.toString(), VirtualThreadProgram.class)) {
            String line = program.awaitLine("echoed");
            assertTrue(line.startsWith("echoed, pinned=0 "), line);
            assertTrue(line.contains("over Weir"), line);
            assertFalse(line.contains("over TCP"), line);
            assertEquals(0, program.awaitEnd());
        }
    }
}
