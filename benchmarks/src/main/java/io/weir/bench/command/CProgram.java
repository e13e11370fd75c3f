package io.weir.bench.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs in C, built from sources on the class path where they run. */
public final class CProgram {
    private static final String SOURCES = "/io/weir/bench/c/";
    private static final List<String> COMPILERS = List.of("gcc", "clang", "clang-14", "cc");
    private static final long BUILD_SECONDS_MAX = 60;

    private CProgram() {}

    /**
     * {@return the program, built into a folder, which is made if it is missing}
     *
     * @param name of the source, without its suffix, and of the program
     * @param libraries flags of the linker
     * @param packages what to install where it cannot be built
     */
    public static Path build(Path folder, String name, List<String> libraries, String packages)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path source = folder.resolve(name + ".c");
        Path program = folder.resolve(name).toAbsolutePath();
        try (InputStream stream = CProgram.class.getResourceAsStream(SOURCES + source.getFileName())) {
            Files.write(source, stream.readAllBytes());
        }
        StringBuilder log = new StringBuilder();
        for (String compiler : COMPILERS) {
            List<String> command =
                    new ArrayList<>(List.of(compiler, "-O2", "-o", program.toString(), source.toString()));
            command.addAll(libraries);
            if (compile(command, log)) {
                return program;
            }
        }
        throw new IOException(name + ".c cannot be built; install: apt-get install " + packages + "\n" + log);
    }

    private static boolean compile(List<String> command, StringBuilder log) throws IOException, InterruptedException {
        Path output = Files.createTempFile("weir-cc", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean built = process.waitFor(BUILD_SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
            log.append(Files.readString(output));
            return built;
        } catch (IOException e) {
            log.append(command.get(0)).append(": ").append(e.getMessage()).append('\n');
            return false;
        } finally {
            Files.delete(output);
        }
    }
}
