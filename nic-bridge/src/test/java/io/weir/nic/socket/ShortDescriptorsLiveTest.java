package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that may open no more files when the kernel has more to tell than fits its socket. */
@LiveTest
class ShortDescriptorsLiveTest {
    private static final int PORT = 4725;
    /** More events than the socket's memory holds. */
    private static final int NEIGHBOURS = 12_000;

    private static final int OCTET_MAX = 200;
    private static final String SERVING = "SERVING";
    private static final String STALE = "cannot be read from the kernel";
    private static final String READ_AGAIN = "is read from the kernel again";

    @TempDir
    Path folder;

    @Test
    void kernelEvents_lostWhileNoDescriptorIsFree_endNothingAndAreReadLater() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                Transport client = hosts.openTransport(hosts.a());
                ChildJvm server = ChildJvm.start(
                        List.of("ip", "netns", "exec", hosts.b().name()), KillLiveTest.EchoServer.class)) {
            assertEquals(SERVING, server.awaitLine(SERVING));
            try (WeirSocket socket =
                    client.connect(new InetSocketAddress(TwoHosts.ADDRESS_B, PORT), Deadline.HANG_GUARD)) {
                ask(socket, "before");
                String limit = lowestFreeDescriptor(server.processId()) + ":";
                String process = Long.toString(server.processId());
                run("prlimit", "--pid", process, "--nofile=" + limit);
                run("kill", "-STOP", process);
                run("ip", "-n", hosts.b().name(), "-batch", neighbours().toString());
                run("kill", "-CONT", process);
                // Whatever it makes of the loss, it logs.
                String line = server.awaitLine("interface=weir0 ");
                while (line.lines().count() == 1 && !line.contains(STALE) && !line.contains("end=")) {
                    line = server.awaitLine("interface=weir0 ");
                }
                assertTrue(line.contains(STALE), line);
                assertTrue(line.contains("EMFILE"), line);
                ask(socket, "without a descriptor");
                run("prlimit", "--pid", process, "--nofile=1024:");
                line = server.awaitLine(READ_AGAIN);
                assertTrue(line.contains(READ_AGAIN), line);
                ask(socket, "after");
            }
        }
    }

    private static void ask(WeirSocket socket, String question) throws IOException {
        byte[] sent = question.getBytes(StandardCharsets.UTF_8);
        socket.write(ByteBuffer.wrap(sent));
        byte[] received = socket.inputStream().readNBytes(sent.length);
        assertArrayEquals(sent, received);
    }

    private static int lowestFreeDescriptor(long processId) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + processId + "/fd"))) {
            Set<Integer> used = open.map(
                            entry -> Integer.valueOf(entry.getFileName().toString()))
                    .collect(Collectors.toSet());
            int free = 0;
            while (used.contains(free)) {
                free++;
            }
            return free;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** {@return a file with commands that make the kernel know so many neighbours} */
    private Path neighbours() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < NEIGHBOURS; i++) {
            lines.add("neigh replace 10.77." + (1 + i / OCTET_MAX) + "." + (1 + i % OCTET_MAX)
                    + " lladdr 02:00:00:00:00:01 dev weir0");
        }
        return Files.write(folder.resolve("neighbours"), lines);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS), String.join(" ", command));
        assertEquals(0, process.exitValue(), output);
    }
}
