package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.Deadline;
import java.net.ConnectException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Tests PostgreSQL's JDBC driver over Weir, with a real server behind a relay. */
class PostgresTest {
    private static final int LARGE_BYTES = 20 << 20;
    private static final String QUERY_CANCELED = "57014";

    @TempDir
    static Path folder;

    private static ServerProcess postgres;

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(Link link, Relay relay) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        postgres = ServerProcess.postgres(folder);
    }

    @AfterAll
    static void stop() {
        if (postgres != null) {
            postgres.close();
        }
    }

    private static void over(Link.Kind kind, Use use) throws Exception {
        try (Link link = kind.open();
                Relay relay = new Relay(link.listen(), postgres.port())) {
            use.with(link, relay);
        }
    }

    private static Connection connect(Link link, int port, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + link.serverHost() + ":" + port
                + "/postgres?user=weir&sslmode=disable&socketFactory=io.weir.transport.jdk.WeirSocketFactory&socketFactoryArg="
                + Link.CLIENT + options);
    }

    private static Connection connect(Link link, Relay relay) throws SQLException {
        return connect(link, relay.port(), "");
    }

    @Test
    void query_ofTwentyMegabytes_arrives() throws Exception {
        over(Link.Kind.MEMORY, PostgresTest::queryLarge);
    }

    @LiveTest
    @Test
    void query_ofTwentyMegabytesOverAfXdp_arrives() throws Exception {
        over(Link.Kind.AF_XDP, PostgresTest::queryLarge);
    }

    private static void queryLarge(Link link, Relay relay) throws SQLException {
        byte[] bytes = new byte[LARGE_BYTES];
        new Random(1).nextBytes(bytes);
        try (Connection connection = connect(link, relay);
                PreparedStatement echo = connection.prepareStatement("select ?::bytea");
                Statement rows = connection.createStatement()) {
            echo.setBytes(1, bytes);
            try (ResultSet result = echo.executeQuery()) {
                assertTrue(result.next());
                assertArrayEquals(bytes, result.getBytes(1));
            }
            // In pieces, with a round trip for each.
            connection.setAutoCommit(false);
            rows.setFetchSize(1_000);
            long sum = 0;
            try (ResultSet result = rows.executeQuery("select n from generate_series(1, 100000) n")) {
                while (result.next()) {
                    sum += result.getLong(1);
                }
            }
            assertEquals(100_000L * 100_001 / 2, sum);
        }
    }

    @Test
    void cancel_queryThatSleeps_endsItAndTheConnectionGoesOn() throws Exception {
        over(Link.Kind.MEMORY, PostgresTest::cancelQuery);
    }

    @LiveTest
    @Test
    void cancel_queryThatSleepsOverAfXdp_endsItAndTheConnectionGoesOn() throws Exception {
        over(Link.Kind.AF_XDP, PostgresTest::cancelQuery);
    }

    private static void cancelQuery(Link link, Relay relay) throws Exception {
        try (Connection sleeping = connect(link, relay);
                Connection watching = connect(link, relay);
                Statement statement = sleeping.createStatement();
                Statement watch = watching.createStatement()) {
            // Another test's query may sleep on, although its client is gone.
            int process = sleeping.unwrap(PGConnection.class).getBackendPID();
            FutureTask<String> query = new FutureTask<>(
                    () -> assertThrows(SQLException.class, () -> statement.execute("select pg_sleep(3600)"))
                            .getSQLState());
            new Thread(query, "query").start();
            Deadline.await("the query to run", () -> {
                try (ResultSet running = watch.executeQuery(
                        "select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(3600)'"
                                + " and pid = " + process)) {
                    return running.next();
                }
            });
            statement.cancel();
            assertEquals(QUERY_CANCELED, query.get());
            try (ResultSet result = statement.executeQuery("select 42")) {
                assertTrue(result.next());
                assertEquals(42, result.getInt(1));
            }
        }
    }

    @Test
    void getNotifications_ofAnotherConnection_arrive() throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> {
            try (Connection listening = connect(link, relay);
                    Connection talking = connect(link, relay);
                    Statement listen = listening.createStatement();
                    Statement talk = talking.createStatement()) {
                listen.execute("listen weir");
                PGConnection notified = listening.unwrap(PGConnection.class);
                assertEquals(0, count(notified.getNotifications(1)));
                talk.execute("notify weir, 'level 3.2 m'");
                PGNotification[] heard = notified.getNotifications((int) Deadline.HANG_GUARD.toMillis());
                assertEquals(1, count(heard));
                assertEquals("level 3.2 m", heard[0].getParameter());
            }
        });
    }

    private static int count(PGNotification[] heard) {
        return heard == null ? 0 : heard.length;
    }

    @Test
    void query_longerThanTheSocketsTimeout_fails() throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> {
            try (Connection connection = connect(link, relay);
                    Statement statement = connection.createStatement()) {
                connection.setNetworkTimeout(Runnable::run, 50);
                SQLException e = assertThrows(SQLException.class, () -> statement.execute("select pg_sleep(3600)"));
                assertInstanceOf(java.net.SocketTimeoutException.class, e.getCause());
                assertTrue(connection.isClosed());
            }
        });
    }

    @Test
    void connect_nobodyListens_isRefused() throws Exception {
        over(Link.Kind.MEMORY, (link, relay) -> {
            SQLException e = assertThrows(SQLException.class, () -> connect(link, 4_711, ""));
            assertInstanceOf(ConnectException.class, e.getCause());
            assertTrue(e.getMessage().contains("refused"), e.getMessage());
        });
    }
}
