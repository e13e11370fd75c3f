package io.weir.bench.sharing;

import io.weir.bench.command.ChildCommand;
import io.weir.bench.command.ProcessEnd;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process of the benchmark in a namespace, which ends with this object. */
final class SharingProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream input;
    private final BufferedReader output;

    private SharingProcess(Process process) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static SharingProcess start(NetNamespace namespace, Class<?> main, List<String> arguments) throws IOException {
        List<String> flags = new ArrayList<>(ChildCommand.flagsIn(ChildCommand.WEIR_FLAGS));
        flags.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        List<String> command = ChildCommand.of(namespace, flags, main, arguments);
        return new SharingProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
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
        ProcessEnd.end(process);
    }
}
