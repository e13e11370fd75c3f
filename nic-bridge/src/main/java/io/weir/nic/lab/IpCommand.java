package io.weir.nic.lab;

import io.weir.nic.NicException;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ip} of iproute2, for a bounded time. */
final class IpCommand {
    private static final long SECONDS_MAX = 20;

    private IpCommand() {}

    /** Runs one command; fails with what it said. */
    static void run(String... arguments) throws NicException {
        execute(List.of(arguments), List.of());
    }

    /** Runs several commands in one process, in the namespace called {@code namespace}. */
    static void batch(String namespace, List<String> commands) throws NicException {
        execute(List.of("-n", namespace, "-batch", "-"), commands);
    }

    private static void execute(List<String> arguments, List<String> input) throws NicException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(arguments);
        String attempt = String.join(" ", command) + (input.isEmpty() ? "" : " " + input);
        try {
            Path output = Files.createTempFile("weir-ip", ".txt");
            try {
                run(command, input, output, attempt);
            } finally {
                Files.delete(output);
            }
        } catch (NicException e) {
            throw e;
        } catch (IOException e) {
            throw new NicException(
                    attempt + " cannot run: " + e.getMessage() + "; install iproute2: apt-get install iproute2", e);
        }
    }

    private static void run(List<String> command, List<String> input, Path output, String attempt) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try (var stdin = process.getOutputStream()) {
            stdin.write((String.join("\n", input) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A command that takes no input may be gone already; its exit status says what matters.
        }
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SECONDS_MAX);
        if (!awaitExit(process, limit)) {
            throw new NicException(attempt + " did not end within " + SECONDS_MAX + " s" + limit.remark()
                    + "; is the machine overloaded?");
        }
        if (process.exitValue() != 0) {
            throw new NicException(
                    attempt + " failed: " + Files.readString(output).strip()
                            + "; network namespaces need root (CAP_SYS_ADMIN, CAP_NET_ADMIN)");
        }
    }

    private static boolean awaitExit(Process process, OwnTimeLimit limit) {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended && limit.leftNanos() > 0) {
            try {
                ended = limit.await(process::waitFor);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (!ended) {
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return ended;
    }
}
