package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Wireshark's tshark, with Weir's dissector. */
public final class Tshark {
    private final Path script;
    private final Path folder;

    /**
     * Creates one, or skips the test where there is no tshark.
     *
     * @param root the repository's root, from the module's folder
     * @param folder for what it prints
     */
    public Tshark(Path root, Path folder) throws IOException, InterruptedException {
        this.script = root.resolve(Path.of("docs", "wireshark", "weir.lua")).toAbsolutePath();
        this.folder = folder;
        require();
    }

    /** Skips the test where there is no tshark. */
    public static void require() throws IOException, InterruptedException {
        boolean isThere;
        try {
            isThere = new ProcessBuilder("tshark", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            isThere = false;
        }
        String remedy = "tshark is not installed (Debian: apt-get install tshark)";
        assertTrue(isThere || !"1".equals(System.getenv("WEIR_REQUIRE_LIVE")), remedy);
        assumeTrue(isThere, remedy);
    }

    /** {@return the words of a command that reads this capture, or for {@code -} its standard input} */
    public List<String> command(String capture, String... options) {
        List<String> command = new ArrayList<>(List.of("tshark", "-X", "lua_script:" + script, "-r", capture));
        command.addAll(List.of(options));
        return command;
    }

    /** {@return what it prints about a capture, which it must find whole} */
    public List<String> dissect(Path capture, String... options) throws IOException, InterruptedException {
        Path errors = folder.resolve("tshark.err");
        List<String> lines = new ArrayList<>();
        assertEquals(0, run(capture, lines, options), () -> read(errors));
        return lines;
    }

    /** {@return its status} What it prints about a capture is added to {@code lines}. */
    public int run(Path capture, List<String> lines, String... options) throws IOException, InterruptedException {
        Path output = folder.resolve("tshark.out");
        int status = new ProcessBuilder(command(capture.toString(), options))
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("tshark.err").toFile())
                .start()
                .waitFor();
        lines.addAll(Files.readAllLines(output));
        return status;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
