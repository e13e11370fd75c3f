package io.weir.agent;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link ForeignProgramsLiveTest}, with more programs: a broker, servers and clients with blocking sockets, with
 * selectors and with asynchronous channels, and a program that is one jar with its libraries within.
 */
@Tag("slow")
@LiveTest
class TriedProgramsLiveTest {
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
        "undertow, true, true, true",
        "undertow, true, true, false",
        "undertow, true, false, false",
        "undertow, false, true, true",
        "undertow-asynchronous, true, true, true",
        "undertow-asynchronous, true, true, false",
        "undertow-asynchronous, false, true, true",
        "fatjar, true, true, true",
        "fatjar, true, true, false",
        "fatjar, false, true, true",
        "sshd, true, true, true",
        "sshd, true, true, false",
        "sshd, false, true, true",
        "thrift, true, true, true",
        "thrift, true, true, false",
        "thrift, false, true, true",
        "mariadb, true, true, true",
        "mariadb, true, true, false",
        "mariadb, false, true, true",
        "rabbitmq, true, true, true",
        "rabbitmq, true, true, false",
        "rabbitmq, false, true, true",
        "kafka, true, true, true",
        "kafka, true, true, false",
        "kafka, false, true, true",
    })
    void client_serverRestarts_findsItByItsWay(String kind, boolean ofClient, boolean before, boolean after)
            throws Exception {
        try (RestartedServers servers = new RestartedServers(kind, hosts, folder)) {
            servers.play(ofClient, before, after);
        }
    }
}
