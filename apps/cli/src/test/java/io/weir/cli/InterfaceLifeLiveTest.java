package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.ExitCode;
import io.weir.cli.testing.CommandRun;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.Deadline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how servers end, or wait, when their interface or their broker does. */
@LiveTest
class InterfaceLifeLiveTest {
    private static final String WAIT = "--wait-for-interface";
    private static final String SERVING = "Serving on port";

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

    private ChildJvm command(NetNamespace namespace, String... arguments) throws IOException {
        ChildJvm child = ChildJvm.start(List.of("ip", "netns", "exec", namespace.name()), WeirCommand.class, arguments);
        children.add(child);
        return child;
    }

    private static void assertSays(ChildJvm child, String text) throws IOException {
        String line = child.awaitLine(text);
        assertTrue(line.contains(text) && line.lines().count() == 1, line);
    }

    private void unlink() throws IOException {
        hosts.lab().unlink(hosts.link());
    }

    private void link() throws IOException {
        hosts.lab().link(hosts.link());
    }

    private String socket() {
        return folder.resolve("weir0.sock").toString();
    }

    private void assertServes() throws IOException {
        CommandRun client = client();
        assertEquals(ExitCode.DONE, client.await(), client.err());
    }

    private CommandRun client() throws IOException {
        return hosts.a()
                .<CommandRun, IOException>call(() -> CommandRun.execute(
                        "perf",
                        "-c",
                        TwoHosts.ADDRESS_B,
                        "--interface",
                        TwoHosts.INTERFACE,
                        "-n",
                        "1MB",
                        "--verify",
                        "3"));
    }

    @Test
    void perfServer_interfaceDeleted_endsWithTheEnvironmentsStatusAndTheReason() throws Exception {
        ChildJvm server = command(hosts.b(), "perf", "-s", "--interface", TwoHosts.INTERFACE);
        assertSays(server, SERVING);
        unlink();
        assertSays(server, "weir: the server ends because the interface was deleted");
        assertEquals(ExitCode.ENVIRONMENT, server.awaitEnd());
    }

    @Test
    void perfServer_toldToWait_servesBeforeAndAfterTheInterfaceWasAway() throws Exception {
        unlink();
        ChildJvm server = command(hosts.b(), "perf", "-s", "--interface", TwoHosts.INTERFACE, WAIT);
        assertSays(server, "weir: waits: interface weir0 not found");
        link();
        assertSays(server, SERVING);
        assertServes();
        unlink();
        assertSays(server, "Waiting: the interface was deleted");
        link();
        assertSays(server, "Serving again on port 5201 of weir0");
        assertServes();
    }

    @Test
    void perfServer_brokerEnded_endsWithTheEnvironmentsStatusAndTheReason() throws Exception {
        ChildJvm broker = command(hosts.b(), "broker", "--interface", TwoHosts.INTERFACE, "--socket", socket());
        assertSays(broker, "serving weir0");
        ChildJvm server = command(hosts.b(), "perf", "-s", "--backend", "broker", "--interface", socket());
        assertSays(server, SERVING);
        broker.kill();
        assertSays(server, "weir: the server ends because the broker ended or hung up");
        assertEquals(ExitCode.ENVIRONMENT, server.awaitEnd());
    }

    @Test
    void broker_interfaceDeleted_endsWithTheEnvironmentsStatusAndItsClientsAreTold() throws Exception {
        ChildJvm broker = command(hosts.b(), "broker", "--interface", TwoHosts.INTERFACE, "--socket", socket());
        assertSays(broker, "serving weir0");
        ChildJvm server = command(hosts.b(), "perf", "-s", "--backend", "broker", "--interface", socket());
        assertSays(server, SERVING);
        unlink();
        assertSays(broker, "ended: interface weir0 was deleted");
        assertEquals(ExitCode.ENVIRONMENT, broker.awaitEnd());
        assertSays(server, "weir: the server ends because the interface was deleted");
        assertEquals(ExitCode.ENVIRONMENT, server.awaitEnd());
    }

    @Test
    void broker_toldToWait_servesAgainAndSoDoItsClients() throws Exception {
        ChildJvm broker = command(hosts.b(), "broker", "--interface", TwoHosts.INTERFACE, "--socket", socket(), WAIT);
        assertSays(broker, "serving weir0");
        ChildJvm server = command(hosts.b(), "perf", "-s", "--backend", "broker", "--interface", socket(), WAIT);
        assertSays(server, SERVING);
        assertServes();
        unlink();
        assertSays(broker, "waits: interface weir0 was deleted");
        link();
        assertSays(broker, "serving weir0");
        assertSays(server, "Serving again on port 5201");
        // The broker learns the interface's address, for which it takes frames, from the kernel, and perhaps later.
        Deadline.await("a service behind the broker that has returned", () -> client().await() == ExitCode.DONE);
        assertEquals(ExitCode.DONE, broker.terminate());
    }

    @Test
    void perfClient_toldToWait_isAWrongCommandLine() {
        CommandRun run = CommandRun.execute("perf", "-c", "10.0.0.1", "--interface", "weir0", WAIT);
        assertEquals(ExitCode.USAGE, run.await());
        assertTrue(run.err().contains("--wait-for-interface is for a server"), run.err());
    }
}
