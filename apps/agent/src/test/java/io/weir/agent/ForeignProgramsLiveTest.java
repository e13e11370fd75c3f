package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.interop.ServerProcess;
import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests unmodified clients of ZooKeeper, Redis and PostgreSQL whose servers are restarted, with the agent and without:
 * the client stays, and finds the server again by the way that the server has now.
 */
@LiveTest
class ForeignProgramsLiveTest {
    private static final String PORT = "7070";

    @TempDir
    Path folder;

    private TwoHosts hosts;

    @BeforeEach
    void open() throws NicException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    /** A server of one kind, which can be started more than once. */
    private final class Servers implements AutoCloseable {
        private final String[] arguments;
        /** What a relay leads to, or null. */
        private final ServerProcess behind;

        Servers(String kind) throws Exception {
            behind = switch (kind) {
                case "redis" -> ServerProcess.redis(folder, hosts.b());
                case "postgres" -> ServerProcess.postgres(folder, hosts.b());
                default -> null;
            };
            Path data = Files.createDirectories(folder.resolve("zookeeper"));
            arguments = behind == null
                    ? new String[] {"zookeeper", PORT, data.toString()}
                    : new String[] {"relay", PORT, Integer.toString(behind.port())};
        }

        ChildJvm start(boolean hasAgent) throws Exception {
            String agent = hasAgent ? TwoHosts.INTERFACE : "";
            ChildJvm server = AgentJvm.start(hosts.b(), agent, ForeignPrograms.class, arguments);
            server.awaitLine("listening");
            return server;
        }

        @Override
        public void close() {
            if (behind != null) {
                behind.close();
            }
        }
    }

    @ParameterizedTest(name = "{0}: agents at client {1}, server {2}, server after its restart {3}")
    @CsvSource({
        "zookeeper, true, true, true",
        "zookeeper, true, true, false",
        "zookeeper, true, false, false",
        "zookeeper, false, true, true",
        "redis, true, true, true",
        "redis, true, true, false",
        "redis, false, true, true",
        "postgres, true, true, true",
        "postgres, true, true, false",
        "postgres, false, true, true",
    })
    void client_serverRestarts_findsItByItsWay(String kind, boolean ofClient, boolean before, boolean after)
            throws Exception {
        try (Servers servers = new Servers(kind);
                ChildJvm first = servers.start(before);
                ChildJvm client = AgentJvm.start(
                        hosts.a(),
                        ofClient ? TwoHosts.INTERFACE : "",
                        ForeignPrograms.class,
                        "use-" + kind,
                        TwoHosts.ADDRESS_B,
                        PORT)) {
            requireWay(ofClient, before, client.awaitLine("transferred"));
            first.kill();
            client.awaitLine("lost");
            try (ChildJvm second = servers.start(after)) {
                String ways = client.awaitLine("recovered");
                requireWay(ofClient, after, ways.substring(ways.lastIndexOf(" | ") + 1));
                assertEquals(0, client.awaitEnd());
                second.kill();
            }
        }
    }

    private static void requireWay(boolean ofClient, boolean ofServer, String ways) {
        String wanted = !ofClient ? "without an agent" : ofServer ? "over Weir" : "over TCP";
        assertTrue(ways.contains(wanted), ways);
    }
}
