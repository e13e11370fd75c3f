package io.weir.nic.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with the class path of this one. It is killed after {@link Deadline#HANG_GUARD}, so that no wait for it
 * hangs.
 */
public final class ChildJvm implements AutoCloseable {
    /** For a short life: the optimising compiler's threads would take the cores from those that are tested. */
    private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final List<String> FLAGS_NEEDED = List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

    private final Process process;
    private final BufferedReader output;

    private ChildJvm(Process process) {
        this.process = process;
        CompletableFuture.delayedExecutor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS)
                .execute(process::destroyForcibly);
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** {@return a JVM that runs {@code main}, started by way of {@code launcher} unless that is empty} */
    public static ChildJvm start(List<String> launcher, Class<?> main, String... arguments) throws IOException {
        return start(launcher, System.getProperty("java.class.path"), main, arguments);
    }

    /** {@return a JVM that runs {@code main} from the copies of this one's class path at other places} */
    public static ChildJvm start(List<String> launcher, String classPath, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        return start(command, classPath, main, List.of(arguments));
    }

    /** {@return a JVM of some JDK, which also has the optimising compiler: for minutes of work} */
    public static ChildJvm startOptimised(
            List<String> launcher, Path javaHome, String classPath, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(javaHome.resolve("bin/java").toString());
        return start(command, classPath, main, List.of(arguments));
    }

    /** {@return a JVM of another JDK that runs {@code main}, with no more flags than it needs} */
    public static ChildJvm startOn(Path javaHome, Class<?> main, String... arguments) throws IOException {
        List<String> command = List.of(javaHome.resolve("bin/java").toString());
        return start(command, System.getProperty("java.class.path"), main, List.of(arguments));
    }

    private static ChildJvm start(List<String> begin, String classPath, Class<?> main, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(begin);
        command.addAll(FLAGS_NEEDED);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** {@return the first line from here on that contains {@code text}, or all output when it ended without} */
    public String awaitLine(String text) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(text)) {
                return line;
            }
            all.append(line).append('\n');
        }
        return all.toString();
    }

    /** {@return the status with which it ends by itself} */
    public int awaitEnd() throws IOException, InterruptedException {
        while (output.readLine() != null) {
            // What it prints must not fill the pipe.
        }
        return process.waitFor();
    }

    /** {@return whether it has not ended} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@return its number} */
    public long processId() {
        return process.pid();
    }

    /** Ends it as {@code kill -9} does and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** {@return the status with which it ends when it is asked to, as {@code kill} does} */
    public int terminate() throws InterruptedException {
        // Process.destroy() would also close the stream of what it prints on its way out.
        process.toHandle().destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
