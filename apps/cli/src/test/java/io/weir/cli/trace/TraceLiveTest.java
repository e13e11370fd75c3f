package io.weir.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import io.weir.transport.testing.Tshark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code weir trace} sees the frames of another process on a real port, through a pipe into tshark. */
@LiveTest
class TraceLiveTest {
    private static final int LINES = 2_000;
    private static final int FEW_LINES = 100;

    @TempDir
    private Path folder;

    private final List<ChildJvm> children = new ArrayList<>();
    private TwoHosts hosts;

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        children.forEach(ChildJvm::close);
        hosts.close();
    }

    private ChildJvm perf(NetNamespace namespace, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of("perf", "--interface", TwoHosts.INTERFACE));
        words.addAll(List.of(arguments));
        ChildJvm child = ChildJvm.start(
                List.of("ip", "netns", "exec", namespace.name()), WeirCommand.class, words.toArray(String[]::new));
        children.add(child);
        return child;
    }

    @Test
    void trace_bulkTransferIntoAPipe_isWhatTsharkShowsAsItComes() throws Exception {
        Tshark tshark = new Tshark(Path.of("..", ".."), folder);
        ChildJvm server = perf(hosts.b(), "-s");
        server.awaitLine("Serving on port");
        perf(hosts.a(), "-c", TwoHosts.ADDRESS_B, "-t", "600", "-b", "50M");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> wireshark = tshark.command("-", "-l", "-c", Integer.toString(LINES));
        wireshark.set(wireshark.indexOf("-r"), "-i");
        List<ProcessBuilder> pipe = List.of(
                new ProcessBuilder(
                                java,
                                "--add-opens",
                                "java.base/jdk.internal.misc=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                WeirCommand.class.getName(),
                                "trace",
                                Long.toString(server.processId()),
                                "-w",
                                "-")
                        .redirectError(folder.resolve("trace.err").toFile()),
                new ProcessBuilder(wireshark)
                        .redirectError(folder.resolve("tshark.err").toFile()));
        List<Process> running = ProcessBuilder.startPipeline(pipe);
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(running.get(1).getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        }
        assertEquals(0, running.get(1).waitFor(), () -> lines.toString());
        // Who reads has ended, which is no fault of the trace.
        assertEquals(0, running.get(0).waitFor(), () -> lines.toString());
        assertEquals(LINES, lines.size());
        for (String type : List.of("CREDIT ", "DATA [", "ACK ")) {
            assertTrue(lines.stream().anyMatch(line -> line.contains(" " + type)), type + " in " + lines.get(0));
        }
        assertTrue(lines.stream().allMatch(line -> line.contains(TwoHosts.ADDRESS_B)), lines.get(0));
    }

    @Test
    void last_afterTheProcessWasKilled_hasItsFrames() throws Exception {
        ChildJvm server = perf(hosts.b(), "-s");
        server.awaitLine("Serving on port");
        ChildJvm client = perf(hosts.a(), "-c", TwoHosts.ADDRESS_B, "-t", "600");
        Deadline.await("data of the client", () -> dataLines(client) > FEW_LINES);
        ProcessHandle killed = ProcessHandle.of(client.processId()).orElseThrow();
        killed.destroyForcibly();
        killed.onExit().join();
        assertTrue(dataLines(client) > FEW_LINES, "the frames went with their process");
    }

    /** {@return how many data frames of a process are in its ring} */
    private static long dataLines(ChildJvm process) {
        CommandRun run = CommandRun.execute("trace", Long.toString(process.processId()), "--last", "--type", "data");
        return run.await() == 0 ? run.out().lines().count() : 0;
    }
}
