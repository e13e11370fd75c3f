package io.weir.agent;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.undertow.Undertow;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.zookeeper.CreateMode;
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
    private static final int TICK_MILLIS = 500;
    private static final int SMALL_COUNT = 2_000;
    private static final int THREADS = 8;

    private ForeignPrograms() {}

    /**
     * Runs a server until it is ended, or a client until it has recovered from the loss of its server.
     *
     * @param arguments a server's kind, its port, and a folder or for {@code relay} the port that it leads to; or a
     *     client's kind, {@code use-...}, with the server's address and port
     */
    public static void main(String[] arguments) throws Exception {
        String kind = arguments[0];
        if (!kind.startsWith("use-")) {
            serve(kind, Integer.parseInt(arguments[1]), arguments[2]);
            return;
        }
        try (ForeignClient client = client(kind, arguments[1], Integer.parseInt(arguments[2]))) {
            use(client);
        }
        // Clients have threads that nobody waits for.
        System.exit(0);
    }

    private static void serve(String kind, int port, String more) throws Exception {
        switch (kind) {
            case "relay" -> relay(port, Integer.parseInt(more));
            case "zookeeper" -> serveZooKeeper(port, new File(more));
            case "undertow" -> serveUndertow(port);
            case "sshd" -> SshPrograms.serve(port, new File(more));
            case "thrift" -> ThriftPrograms.serve(port);
            case "kafka" -> BrokerPrograms.serveKafka(port, new File(more));
            default -> throw new IllegalArgumentException(kind);
        }
    }

    private static ForeignClient client(String kind, String host, int port) throws Exception {
        return switch (kind) {
            case "use-zookeeper" -> new ZooKeeperClient(host, port);
            case "use-redis" -> new LettuceClient(host, port);
            case "use-postgres" -> PoolClient.ofPostgres(host, port);
            case "use-mariadb" -> PoolClient.ofMariaDb(host, port);
            case "use-fatjar" -> HttpClients5.ofJdk(host, port);
            case "use-undertow" -> HttpClients5.classic(host, port);
            case "use-undertow-asynchronous" -> HttpClients5.asynchronous(host, port);
            case "use-sshd" -> new SshPrograms.Client(host, port);
            case "use-thrift" -> new ThriftPrograms.Client(host, port);
            case "use-kafka" -> new BrokerPrograms.KafkaClient(host, port);
            case "use-rabbitmq" -> new BrokerPrograms.RabbitClient(host, port);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static void use(ForeignClient client) throws Exception {
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
            } catch (Exception e) {
                // The server is not back yet.
            }
        }
        System.out.println("recovered " + Ways.latest());
    }

    private static void exchange(ForeignClient client, int round) throws Exception {
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

    private static void serveUndertow(int port) {
        Undertow server = Undertow.builder()
                .addHttpListener(port, "0.0.0.0")
                .setHandler(exchange -> exchange.getRequestReceiver()
                        .receiveFullBytes(
                                (from, bytes) -> from.getResponseSender().send(ByteBuffer.wrap(bytes))))
                .build();
        server.start();
        System.out.println("listening");
    }

    /** ZooKeeper's client by its usual sockets, those of java.nio. */
    private static final class ZooKeeperClient implements ForeignClient {
        private final ZooKeeper session;

        ZooKeeperClient(String host, int port) throws Exception {
            CountDownLatch connected = new CountDownLatch(1);
            session = new ZooKeeper(host + ":" + port, WAIT_MILLIS, event -> {
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
    private static final class LettuceClient implements ForeignClient {
        private final RedisClient client;
        private final StatefulRedisConnection<byte[], byte[]> connection;

        LettuceClient(String host, int port) {
            client = RedisClient.create(RedisURI.builder()
                    .withHost(host)
                    .withPort(port)
                    .withTimeout(Duration.ofMillis(WAIT_MILLIS))
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

    /** A pool of a database's connections, which several threads use. */
    private static final class PoolClient implements ForeignClient {
        private final HikariDataSource pool;
        private final String blobs;
        private final String insertion;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

        private PoolClient(String url, String blobs, String insertion) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setUsername("weir");
            config.setPassword("weir");
            config.setMaximumPoolSize(THREADS);
            config.setConnectionTimeout(WAIT_MILLIS);
            pool = new HikariDataSource(config);
            this.blobs = blobs;
            this.insertion = insertion;
        }

        static PoolClient ofPostgres(String host, int port) {
            return new PoolClient(
                    "jdbc:postgresql://" + host + ":" + port + "/postgres",
                    "bytea",
                    "insert into sent values (?, ?) on conflict (round) do update set bytes = excluded.bytes");
        }

        static PoolClient ofMariaDb(String host, int port) {
            return new PoolClient(
                    "jdbc:mariadb://" + host + ":" + port + "/weir?sslMode=disable",
                    "longblob",
                    "replace into sent values (?, ?)");
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws Exception {
            try (Connection connection = pool.getConnection()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("create table if not exists sent (round int primary key, bytes " + blobs + ")");
                }
                try (PreparedStatement insert = connection.prepareStatement(insertion)) {
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
