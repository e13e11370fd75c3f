package io.weir.bench.raw;

import io.weir.bench.command.CProgram;
import io.weir.bench.command.ProcessEnd;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The C program: built here from its source on the class path, and run in a namespace on a separate core. */
final class CReference {
    private final Path program;

    private CReference(Path program) {
        this.program = program;
    }

    /** {@return the program, built into {@code folder}} */
    static CReference build(Path folder) throws IOException, InterruptedException {
        return new CReference(
                CProgram.build(folder, "xdp_reference", List.of("-lxdp", "-lbpf"), "gcc libxdp-dev libbpf-dev"));
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
