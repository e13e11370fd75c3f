package io.weir.cli.doctor;

import io.weir.nic.SmallFile;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs a tool that only looks, for a bounded time. */
final class ToolOutput {
    private static final long SECONDS_MAX = 10;
    /** Tools of administrators are not on the path of every user. */
    private static final String MORE_FOLDERS = ":/usr/sbin:/sbin";

    private ToolOutput() {}

    /** {@return what a command prints, or nothing where it is missing, fails, or does not end} */
    static String of(String... command) {
        String tool = find(command[0], System.getenv().getOrDefault("PATH", "") + MORE_FOLDERS);
        if (tool == null) {
            return "";
        }
        String[] found = command.clone();
        found[0] = tool;
        try {
            Path file = Files.createTempFile("weir-doctor", ".txt");
            try {
                return run(found, file) ? SmallFile.read(file) : "";
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            // It cannot run here, or said more than anybody reads.
            return "";
        }
    }

    private static boolean run(String[] command, Path output) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SECONDS_MAX);
        boolean isEnded = false;
        try {
            while (!isEnded && limit.leftNanos() > 0) {
                isEnded = limit.await(process::waitFor);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isEnded) {
            process.destroyForcibly();
        }
        return isEnded && process.exitValue() == 0;
    }

    private static String find(String tool, String path) {
        for (String folder : path.split(":", -1)) {
            File file = new File(folder, tool);
            if (file.isAbsolute() && file.canExecute()) {
                return file.getPath();
            }
        }
        return null;
    }
}
