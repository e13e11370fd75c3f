package io.weir.agent;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * Clients and servers as services have them, which know nothing of Weir. A client transfers, says {@code transferred},
 * uses its connections until they fail, says {@code lost}, and transfers again when it can: {@code recovered}.
 */
public final class ForeignPrograms {
    private static final int BYTES = 900_001;
    private static final int SESSION_MILLIS = 4_000;
    private static final int TICK_MILLIS = 500;
    private static final int SMALL_COUNT = 2_000;
    private static final int THREADS = 8;

    private ForeignPrograms() {}

    /**
     * Runs a server until it is ended, or a client until it has recovered from the loss of its server.
     *
     * @param arguments {@code relay PORT SERVERPORT} or {@code zookeeper PORT FOLDER} for a server; {@code
     *     use-zookeeper}, {@code use-redis} or {@code use-postgres} with the server's address and port for a client
     */
    public static void main(String[] arguments) throws Exception {
        String kind = arguments[0];
        switch (kind) {
            case "relay" -> relay(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "zookeeper" -> serveZooKeeper(Integer.parseInt(arguments[1]), new File(arguments[2]));
            default -> {
                try (Client client = client(kind, arguments[1], Integer.parseInt(arguments[2]))) {
                    use(client);
                }
                // Clients have threads that nobody waits for.
                System.exit(0);
            }
        }
    }

    /** What uses a server. */
    private interface Client extends Closeable {
        /** Sends bytes to the server and has them back. */
        byte[] exchange(byte[] bytes, int round) throws Exception;

        /** Does what is little work, over all connections. */
        void touch() throws Exception;
    }

    private static Client client(String kind, String host, int port) throws Exception {
        return switch (kind) {
            case "use-zookeeper" -> new ZooKeeperClient(host, port);
            case "use-redis" -> new LettuceClient(host, port);
            case "use-postgres" -> new PoolClient(host, port);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static void use(Client client) throws Exception {
        exchange(client, 0);
        System.out.println("transferred " + Ways.latest());
        String loss = null;
        while (loss == null) {
            try {
                client.touch();
            } catch (Exception e) {
                loss = e.toString();
            }
        }
        System.out.println("lost " + loss.lines().findFirst().orElse(""));
        boolean isBack = false;
        while (!isBack) {
            try {
                client.touch();
                exchange(client, 1);
                isBack = true;
            } catch (IOException | SQLException | KeeperException | ExecutionException | RuntimeException e) {
                // The server is not back yet.
            }
        }
        System.out.println("recovered " + Ways.latest());
    }

    private static void exchange(Client client, int round) throws Exception {
        byte[] bytes = new byte[BYTES];
        new Random(round).nextBytes(bytes);
        if (!Arrays.equals(bytes, client.exchange(bytes, round))) {
            throw new AssertionError("other bytes came back than were sent");
        }
        client.touch();
    }

    private static void serveZooKeeper(int port, File folder) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(folder, folder, TICK_MILLIS);
        ServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(port), 0);
        factory.startup(server);
        System.out.println("listening");
        factory.join();
    }

    /** ZooKeeper's client by its usual sockets, those of java.nio. */
    private static final class ZooKeeperClient implements Client {
        private final ZooKeeper session;

        ZooKeeperClient(String host, int port) throws Exception {
            CountDownLatch connected = new CountDownLatch(1);
            session = new ZooKeeper(host + ":" + port, SESSION_MILLIS, event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            connected.await();
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws Exception {
            String path = "/" + round;
            if (session.exists(path, false) == null) {
                session.create(path, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            return session.getData(path, false, null);
        }

        @Override
        public void touch() throws Exception {
            session.exists("/", false);
        }

        @Override
        public void close() {
            try {
                session.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Redis' client on Netty's channels of java.nio. */
    private static final class LettuceClient implements Client {
        private final RedisClient client;
        private final StatefulRedisConnection<byte[], byte[]> connection;

        LettuceClient(String host, int port) {
            client = RedisClient.create(RedisURI.builder()
                    .withHost(host)
                    .withPort(port)
                    .withTimeout(Duration.ofMillis(SESSION_MILLIS))
                    .build());
            connection = client.connect(ByteArrayCodec.INSTANCE);
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws Exception {
            List<RedisFuture<byte[]>> answers = new ArrayList<>();
            List<RedisFuture<String>> stored = new ArrayList<>();
            connection.sync().set(key("large"), bytes);
            for (int i = 0; i < SMALL_COUNT; i++) {
                stored.add(connection.async().set(key("k" + i), key("v" + i)));
                answers.add(connection.async().get(key("k" + i)));
            }
            for (int i = 0; i < SMALL_COUNT; i++) {
                if (!stored.get(i).get().equals("OK")
                        || !Arrays.equals(key("v" + i), answers.get(i).get())) {
                    throw new AssertionError("answer " + i);
                }
            }
            return connection.sync().get(key("large"));
        }

        private static byte[] key(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void touch() {
            connection.sync().ping();
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    /** A pool of PostgreSQL's connections, which several threads use. */
    private static final class PoolClient implements Client {
        private final HikariDataSource pool;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

        PoolClient(String host, int port) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl("jdbc:postgresql://" + host + ":" + port + "/postgres");
            config.setUsername("weir");
            config.setMaximumPoolSize(THREADS);
            config.setConnectionTimeout(SESSION_MILLIS);
            pool = new HikariDataSource(config);
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws Exception {
            try (Connection connection = pool.getConnection()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("create table if not exists sent (round int primary key, bytes bytea)");
                }
                try (PreparedStatement insert = connection.prepareStatement(
                        "insert into sent values (?, ?) on conflict (round) do update set bytes = excluded.bytes")) {
                    insert.setInt(1, round);
                    insert.setBytes(2, bytes);
                    insert.executeUpdate();
                }
                try (PreparedStatement select = connection.prepareStatement("select bytes from sent where round = ?")) {
                    select.setInt(1, round);
                    try (ResultSet row = select.executeQuery()) {
                        row.next();
                        return row.getBytes(1);
                    }
                }
            }
        }

        @Override
        public void touch() throws Exception {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                calls.add(this::one);
            }
            for (Future<Integer> one : threads.invokeAll(calls)) {
                one.get();
            }
        }

        private int one() throws SQLException {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select 1")) {
                row.next();
                return row.getInt(1);
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
            pool.close();
        }
    }

    /** Takes connections from other hosts to a server on loopback, which is no Java program. */
    private static void relay(int port, int serverPort) throws IOException {
        try (ServerSocket listener = new ServerSocket(port)) {
            System.out.println("listening");
            while (true) {
                Socket outside = listener.accept();
                Socket inside = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                inside.setTcpNoDelay(true);
                new Thread(() -> pump(outside, inside)).start();
                new Thread(() -> pump(inside, outside)).start();
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            System.out.println("a connection ended: " + e);
        }
    }
}
