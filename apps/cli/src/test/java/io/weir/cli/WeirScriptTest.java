package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which of the installed JDKs the program {@code weir} of this repository runs on. */
class WeirScriptTest {
    private static final String INSTALLED = "/usr/lib/jvm";

    @TempDir
    private Path jvms;

    /** What of the script chooses the JDK, with the folder of the test in place of the system's. */
    private String chooser;

    @BeforeEach
    void readScript() throws IOException {
        String script = Files.readString(Path.of("../../weir"));
        String tried = script.lines()
                .filter(line -> line.startsWith("tried_java_max="))
                .findFirst()
                .orElseThrow();
        int start = script.indexOf("newest_java() {");
        String function = script.substring(start, script.indexOf("\n}\n", start) + 2);
        chooser = tried + "\n" + function.replace(INSTALLED, jvms.toString());
    }

    private void install(int version) throws IOException {
        Path bin = Files.createDirectories(jvms.resolve("jdk-" + version).resolve("bin"));
        Files.createFile(
                bin.resolve("java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(bin.resolveSibling("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
    }

    /** {@return the version of the JDK that is taken, where the one of {@code builder} builds} */
    private String chosen(int builder, String givenJavaHome) throws IOException, InterruptedException {
        String home = jvms.resolve("jdk-" + builder).toString();
        String lines = "given_java_home=" + givenJavaHome + "\nJAVA_HOME=" + home + "\nversion=" + builder + "\n"
                + chooser + "\nnewest_java\necho \"$java $version\"\n";
        Process shell = new ProcessBuilder(List.of("sh", "-eu", "-c", lines))
                .redirectErrorStream(true)
                .start();
        String answer = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, shell.waitFor(), answer);
        String version = answer.substring(answer.lastIndexOf(' ') + 1);
        assertEquals(jvms.resolve("jdk-" + version).resolve("bin/java") + " " + version, answer);
        return version;
    }

    @Test
    void newestJava_severalTriedOnes_isTheNewestOfThem() throws Exception {
        install(17);
        install(21);
        install(25);
        assertEquals("25", chosen(17, ""));
    }

    @Test
    void newestJava_oneThatWasNotTried_isPassedOver() throws Exception {
        install(17);
        install(26);
        assertEquals("17", chosen(17, ""));
    }

    @Test
    void newestJava_theBuilderWasNotTried_isATriedOne() throws Exception {
        install(21);
        install(26);
        assertEquals("21", chosen(26, ""));
    }

    @Test
    void newestJava_noneWasTried_isTheBuilder() throws Exception {
        install(11);
        install(26);
        assertEquals("26", chosen(26, ""));
    }

    @Test
    void newestJava_javaHomeIsGiven_isThat() throws Exception {
        install(17);
        install(25);
        assertEquals("17", chosen(17, "given"));
    }
}
