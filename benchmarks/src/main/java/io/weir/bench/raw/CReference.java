package io.weir.bench.raw;

import io.weir.bench.command.ProcessEnd;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The C program: built here from its source on the class path, and run in a namespace on a separate core. */
final class CReference {
    private static final String SOURCE = "/io/weir/bench/c/xdp_reference.c";
    private static final List<String> COMPILERS = List.of("gcc", "clang", "clang-14", "cc");
    private static final long BUILD_SECONDS_MAX = 60;

    private final Path program;

    private CReference(Path program) {
        this.program = program;
    }

    /** {@return the program, built into {@code folder}} */
    static CReference build(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path source = folder.resolve("xdp_reference.c");
        Path program = folder.resolve("xdp_reference").toAbsolutePath();
        try (InputStream stream = CReference.class.getResourceAsStream(SOURCE)) {
            Files.write(source, stream.readAllBytes());
        }
        StringBuilder log = new StringBuilder();
        for (String compiler : COMPILERS) {
            if (compile(compiler, source, program, log)) {
                return new CReference(program);
            }
        }
        throw new IOException(
                "the C reference cannot be built; install: apt-get install gcc libxdp-dev libbpf-dev\n" + log);
    }

    private static boolean compile(String compiler, Path source, Path program, StringBuilder log)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("weir-cc", ".txt");
        try {
            Process process = new ProcessBuilder(
                            compiler, "-O2", "-o", program.toString(), source.toString(), "-lxdp", "-lbpf")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean built = process.waitFor(BUILD_SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
            log.append(Files.readString(output));
            return built;
        } catch (IOException e) {
            log.append(compiler).append(": ").append(e.getMessage()).append('\n');
            return false;
        } finally {
            Files.delete(output);
        }
    }

    /** Starts the program and waits until it is ready. */
    Running start(NetNamespace namespace, int core, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace.name(), program.toString()));
        command.addAll(arguments);
        command.addAll(List.of("--core", Integer.toString(core)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Running running = new Running(process);
        running.await("READY");
        return running;
    }

    /** A run of the program. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;

        private Running(Process process) {
            this.process = process;
            this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** {@return what it found, once it has ended by itself} */
        RawResult result() throws IOException {
            Map<String, Long> values = new TreeMap<>();
            for (String pair : await("RESULT").split(" ", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    values.put(pair.substring(0, equals), Long.valueOf(pair.substring(equals + 1)));
                }
            }
            return new RawResult(
                    values.getOrDefault("frames", values.getOrDefault("count", 0L)),
                    values.getOrDefault("nanos", 0L),
                    values.getOrDefault("calls", 0L),
                    values.getOrDefault("oncore", 0L),
                    values.getOrDefault("p50", 0L),
                    values.getOrDefault("p99", 0L),
                    values.getOrDefault("p999", 0L));
        }

        /** Ends the program, whose output stays readable. Fails when it had ended before: it was no peer then. */
        RawResult stop() throws IOException {
            if (!process.isAlive()) {
                throw new IOException("the C program at the other end stopped too early; see its message above");
            }
            process.toHandle().destroy();
            return result();
        }

        private String await(String word) throws IOException {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(word)) {
                    return line;
                }
            }
            throw new IOException("the C reference ended without saying " + word + "; see its message above");
        }

        @Override
        public void close() throws IOException {
            ProcessEnd.end(process);
            output.close();
        }
    }
}
