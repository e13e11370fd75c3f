package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirMySqlSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.telemetry.CounterId;
import java.net.ConnectException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the JDBC drivers of MariaDB and MySQL, which name their socket factories by class, over Weir, with a real
 * MariaDB server behind a relay.
 */
class SqlDriversTest {
    private static final int LARGE_BYTES = 20 << 20;

    @TempDir
    static Path folder;

    private static ServerProcess server;

    /** A driver, with the factory that it can use. */
    enum Driver {
        /** Wants a {@code javax.net.SocketFactory} with a constructor without arguments. */
        MARIADB("mariadb", WeirSocketFactory.class, "sslMode=disable"),
        /** Wants its own interface. */
        MYSQL("mysql", WeirMySqlSocketFactory.class, "sslMode=DISABLED");

        private final String scheme;
        private final Class<?> factory;
        private final String options;

        Driver(String scheme, Class<?> factory, String options) {
            this.scheme = scheme;
            this.factory = factory;
            this.options = options;
        }

        Connection connect(String host, int port) throws SQLException {
            return DriverManager.getConnection("jdbc:" + scheme + "://" + host + ":" + port
                    + "/weir?user=weir&password=weir&socketFactory=" + factory.getName() + "&" + options);
        }
    }

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(Link link, Relay relay) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        server = ServerProcess.mariaDb(folder);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static void over(Link.Kind kind, Use use) throws Exception {
        try (Link link = kind.open();
                Relay relay = new Relay(link.listen(), server.port())) {
            use.with(link, relay);
        }
    }

    @ParameterizedTest
    @EnumSource
    void query_ofTwentyMegabytes_arrives(Driver driver) throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> queryLarge(driver, link, relay));
    }

    @LiveTest
    @ParameterizedTest
    @EnumSource
    void query_ofTwentyMegabytesOverAfXdp_arrives(Driver driver) throws Exception {
        over(Link.Kind.AF_XDP, (link, relay) -> queryLarge(driver, link, relay));
    }

    private static void queryLarge(Driver driver, Link link, Relay relay) throws SQLException {
        byte[] bytes = new byte[LARGE_BYTES];
        new Random(1).nextBytes(bytes);
        try (Connection connection = driver.connect(link.serverHost(), relay.port());
                PreparedStatement echo = connection.prepareStatement("select ?");
                Statement rows = connection.createStatement()) {
            echo.setBytes(1, bytes);
            try (ResultSet result = echo.executeQuery()) {
                assertTrue(result.next());
                assertArrayEquals(bytes, result.getBytes(1));
            }
            long sum = 0;
            try (ResultSet result = rows.executeQuery("select seq from weir.seq_1_to_100000")) {
                while (result.next()) {
                    sum += result.getLong(1);
                }
            }
            assertEquals(100_000L * 100_001 / 2, sum);
        }
        assertTrue(link.pair().client().counters().get(CounterId.CONNECTIONS_OPENED) > 0, "it went another way");
    }

    @ParameterizedTest
    @EnumSource
    void connect_nobodyListens_isRefused(Driver driver) throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> {
            SQLException e = assertThrows(SQLException.class, () -> driver.connect(link.serverHost(), 4_711));
            assertInstanceOf(ConnectException.class, rootOf(e));
        });
    }

    @ParameterizedTest
    @EnumSource
    void connect_noInterfaceIsNamed_saysWhatToSet(Driver driver) throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> {
            System.clearProperty(NamedTransports.INTERFACE_PROPERTY);
            SQLException e = assertThrows(SQLException.class, () -> driver.connect(link.serverHost(), relay.port()));
            String message = rootOf(e).getMessage();
            assertTrue(message.contains("-Dweir.interface=eth0"), message);
        });
    }

    private static Throwable rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
