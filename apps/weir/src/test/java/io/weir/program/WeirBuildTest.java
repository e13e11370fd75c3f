package io.weir.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when the {@code weir} script builds, in a tree whose Maven, compilers and DPDK are stand-ins. */
class WeirBuildTest {
    @TempDir
    Path folder;

    private Path tree;
    private Path tools;
    /** A line for each build and each compilation of the shim. */
    private Path log;
    /** What pkg-config says of DPDK; no file, no DPDK. */
    private Path dpdkVersion;

    @BeforeEach
    void makeTree() throws Exception {
        tree = Files.createDirectory(folder.resolve("tree"));
        tools = Files.createDirectory(folder.resolve("tools"));
        log = folder.resolve("log");
        dpdkVersion = folder.resolve("dpdk-installed");
        Path bridge = Files.createDirectories(tree.resolve("native/dpdk"));
        Files.copy(Document.root().resolve("weir"), tree.resolve("weir"));
        Files.copy(Document.root().resolve("native/dpdk/build.sh"), bridge.resolve("build.sh"));
        Files.writeString(bridge.resolve("port.c"), "");
        tool(tools, "mvn", """
                echo build >>%s
                sh native/dpdk/build.sh "$PWD/nic-bridge/target/classes" "$PWD/nic-bridge/target/dpdk-version"
                mkdir -p apps/weir/target
                touch apps/weir/target/weir.jar
                """.formatted(log));
        tool(tools, "pkg-config", """
                [ -e %1$s ] || exit 1
                case $1 in --modversion) cat %1$s ;; esac
                """.formatted(dpdkVersion));
        tool(tools, "gcc", """
                echo shim >>%s
                while [ "$1" != -o ]; do shift; done
                touch "$2"
                """.formatted(log));
        Path programs = Files.createDirectories(folder.resolve("jdk/bin"));
        tool(programs, "javac", "echo javac 17.0.1\n");
        tool(programs, "java", "");
    }

    private static void tool(Path where, String name, String script) throws IOException {
        Files.createFile(
                where.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(where.resolve(name), "#!/bin/sh\n" + script);
    }

    /** {@return what a run of the script builds} */
    private List<String> run() throws Exception {
        Files.writeString(log, "");
        ProcessBuilder builder = new ProcessBuilder("sh", tree.resolve("weir").toString(), "--help");
        builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        assertEquals(0, process.waitFor(), () -> Document.read(folder.resolve("output")));
        return Files.readAllLines(log);
    }

    @Test
    void run_nothingHasChanged_buildsOnce() throws Exception {
        assertEquals(List.of("build"), run());
        assertEquals(List.of(), run());
    }

    @Test
    void run_dpdkCameAfterTheBuild_buildsItsPortOnce() throws Exception {
        run();
        Files.writeString(dpdkVersion, "22.11.11\n");
        assertEquals(List.of("build", "shim"), run());
        assertTrue(Files.exists(tree.resolve("nic-bridge/target/classes/libweir_dpdk.so")));
        assertEquals(List.of(), run());
    }

    @Test
    void run_anotherDpdkThanThatOfTheBuild_buildsItsPortAgain() throws Exception {
        Files.writeString(dpdkVersion, "22.11.11\n");
        assertEquals(List.of("build", "shim"), run());
        Files.writeString(dpdkVersion, "23.11.2\n");
        assertEquals(List.of("build", "shim"), run());
        assertEquals(List.of(), run());
    }

    @Test
    void run_dpdkIsGone_doesNotBuild() throws Exception {
        Files.writeString(dpdkVersion, "22.11.11\n");
        run();
        Files.delete(dpdkVersion);
        assertEquals(List.of(), run());
    }
}
