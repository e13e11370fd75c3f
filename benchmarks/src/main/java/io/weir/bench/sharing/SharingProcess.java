package io.weir.bench.sharing;

import io.weir.nic.net.NetNamespace;
import io.weir.transport.socket.Transport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the benchmark in a namespace, which ends with this object. */
final class SharingProcess implements AutoCloseable {
    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xms256m",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final Process process;
    private final PrintStream input;
    private final BufferedReader output;

    private SharingProcess(Process process) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static SharingProcess start(NetNamespace namespace, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace.name()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.addAll(warmUpFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new SharingProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static List<String> warmUpFlags() throws IOException {
        try (InputStream file = Transport.class.getResourceAsStream("/io/weir/transport/jvm.args")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("-"))
                    .toList();
        }
    }

    void tell(String line) {
        input.println(line);
    }

    /** {@return what follows {@code word} in the next line that begins with it} */
    String await(String word) throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(word)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("a process ended before it said " + word);
        }
        return line.substring(word.length()).strip();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
