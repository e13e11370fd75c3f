package io.weir.agent;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
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
        try (RestartedServers servers = new RestartedServers(kind, hosts, folder)) {
            servers.play(ofClient, before, after);
        }
    }
}
