package io.weir.transport.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs jcstress tests in a process that forks its own virtual machines, one for each way to compile them: what two
 * cores do to memory shows there, and not in an order of threads.
 */
public final class Jcstress {
    private static final List<String> FLAGS = List.of(
            "--add-opens",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Xmx512m",
            "-Dagrona.disable.bounds.checks=false");

    private Jcstress() {}

    /**
     * {@return what the tests whose names match {@code pattern} print if one of them fails, or an empty text}
     *
     * @param folder where reports go
     * @param milliseconds how long each test runs in each of its forks
     * @param faults a folder with classes that come before the product's, or null
     */
    public static String failuresOf(String pattern, Path folder, int milliseconds, Path faults)
            throws IOException, InterruptedException {
        String path = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", faults == null ? path : faults + File.pathSeparator + path));
        command.addAll(List.of("org.openjdk.jcstress.Main", "-t", pattern, "-r", folder.toString()));
        command.addAll(List.of("-f", "1", "-iters", "1", "-time", Integer.toString(milliseconds), "-sc", "false"));
        command.addAll(List.of("-af", "NONE", "-spinStyle", "THREAD_YIELD", "-strideSize", "32", "-strideCount", "4"));
        command.addAll(List.of("-jvmArgs", String.join(" ", FLAGS)));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String text;
        try {
            text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean hasPassed = text.contains("Failed tests: No matches.") && text.contains("Error tests: No matches.");
        return process.waitFor() == 0 && hasPassed ? "" : text;
    }
}
