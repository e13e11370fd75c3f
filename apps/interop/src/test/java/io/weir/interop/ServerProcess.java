package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server from Debian, on a port of loopback, as long as this object is open. Its output goes to a file next to its
 * data.
 */
public record ServerProcess(Process process, NetNamespace host, int port, String endSignal) implements AutoCloseable {
    /** Unlike a request to terminate, an interrupt ends PostgreSQL's queries, too. */
    private static final String INTERRUPT = "INT";
    /** MariaDB ignores interrupts. */
    private static final String TERMINATE = "TERM";

    private static final Path POSTGRES_VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Path RABBITMQ_VERSIONS = Path.of("/usr/lib/rabbitmq/lib");
    /** Erlang's register of ports would outlive the server. */
    private static final String WITH_EPMD = """
            epmd -port $ERL_EPMD_PORT & register=$!
            trap 'kill $server' TERM
            "$0" & server=$!
            wait $server
            wait $server
            kill $register""";

    /**
     * {@return PostgreSQL with an empty database {@code postgres} of a user {@code weir}; the test skips where it is
     * not installed}
     */
    public static ServerProcess postgres(Path folder) throws Exception {
        return postgres(folder, NetNamespace.own());
    }

    /** {@return the same, on loopback of {@code host}} */
    public static ServerProcess postgres(Path folder, NetNamespace host) throws Exception {
        Path programs = require("postgresql", findPostgres());
        Path data = folder.resolve("data");
        List<String> init = List.of(
                programs.resolve("initdb").toString(),
                "-D",
                data.toString(),
                "-U",
                "weir",
                "-A",
                "trust",
                "-N",
                "-E",
                "UTF8");
        run(folder, asServerUser(folder, init));
        int port = freePort();
        return start(
                folder,
                host,
                port,
                INTERRUPT,
                programs.resolve("postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + folder,
                "-c",
                "fsync=off");
    }

    private static Optional<Path> findPostgres() throws IOException {
        return findVersion(POSTGRES_VERSIONS, "bin/postgres").map(Path::getParent);
    }

    /** {@return a program of some version, of which each has a folder} */
    private static Optional<Path> findVersion(Path folder, String program) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(folder)) {
            return versions.map(version -> version.resolve(program))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }

    /** {@return Redis without data; the test skips where it is not installed} */
    static ServerProcess redis(Path folder) throws Exception {
        return redis(folder, NetNamespace.own());
    }

    /** {@return the same, on loopback of {@code host}} */
    public static ServerProcess redis(Path folder, NetNamespace host) throws Exception {
        Path program = Path.of("/usr/bin/redis-server");
        require("redis-server", Files.isExecutable(program) ? Optional.of(program) : Optional.empty());
        int port = freePort();
        return start(
                folder,
                host,
                port,
                INTERRUPT,
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                folder.toString());
    }

    /**
     * {@return MariaDB with an empty database {@code weir} of a user {@code weir}, whose password is {@code weir}; the
     * test skips where it is not installed}
     */
    static ServerProcess mariaDb(Path folder) throws Exception {
        return mariaDb(folder, NetNamespace.own());
    }

    /** {@return the same, on loopback of {@code host}} */
    public static ServerProcess mariaDb(Path folder, NetNamespace host) throws Exception {
        Path program = Path.of("/usr/sbin/mariadbd");
        require("mariadb-server", Files.isExecutable(program) ? Optional.of(program) : Optional.empty());
        String data = "--datadir=" + folder.resolve("data");
        // As root it takes another user unless it is told; others are told that this has no effect.
        String user = "--user=" + System.getProperty("user.name");
        run(
                folder,
                List.of(
                        "mariadb-install-db",
                        "--no-defaults",
                        user,
                        data,
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db"));
        Path statements = Files.writeString(
                folder.resolve("init.sql"),
                "create user weir identified by 'weir';\ngrant all on *.* to weir;\ncreate database weir;\n");
        int port = freePort();
        return start(
                folder,
                host,
                port,
                TERMINATE,
                program.toString(),
                "--no-defaults",
                user,
                data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + folder.resolve("socket"),
                "--pid-file=" + folder.resolve("pid"),
                "--init-file=" + statements,
                "--max-allowed-packet=64M");
    }

    /**
     * {@return RabbitMQ without data, for its usual user from loopback of {@code host}; the test skips where it is not
     * installed}
     */
    public static ServerProcess rabbitMq(Path folder, NetNamespace host) throws Exception {
        Path program = require("rabbitmq-server", findVersion(RABBITMQ_VERSIONS, "sbin/rabbitmq-server"));
        int port = freePort();
        return start(
                folder,
                host,
                port,
                TERMINATE,
                "env",
                "HOME=" + folder,
                "ERL_EPMD_PORT=" + freePort(),
                "ERL_EPMD_ADDRESS=127.0.0.1",
                "RABBITMQ_NODENAME=weir@localhost",
                "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
                "RABBITMQ_NODE_PORT=" + port,
                "RABBITMQ_DIST_PORT=" + freePort(),
                "RABBITMQ_MNESIA_BASE=" + folder.resolve("mnesia"),
                "RABBITMQ_LOG_BASE=" + folder.resolve("log"),
                "RABBITMQ_ENABLED_PLUGINS_FILE=" + folder.resolve("plugins"),
                "RABBITMQ_CONFIG_FILE=" + folder.resolve("none"),
                "RABBITMQ_CONF_ENV_FILE=/dev/null",
                "sh",
                "-c",
                WITH_EPMD,
                program.toString());
    }

    private static Path require(String debianPackage, Optional<Path> found) {
        String missing = debianPackage + " is not installed; apt-get install " + debianPackage;
        if (LiveTest.Rule.isRequired()) {
            assertTrue(found.isPresent(), missing);
        }
        assumeTrue(found.isPresent(), missing);
        return found.orElseThrow();
    }

    /** {@return the command as PostgreSQL's own user, which root has to become: it refuses to run as root} */
    private static List<String> asServerUser(Path folder, List<String> command) throws Exception {
        List<String> words = new ArrayList<>();
        if (Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            Process owner = new ProcessBuilder("chown", "-R", "postgres", folder.toString())
                    .inheritIO()
                    .start();
            await(owner, "chown");
            words.addAll(List.of("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"));
        }
        words.addAll(command);
        return words;
    }

    private static void run(Path folder, List<String> command) throws Exception {
        File log = folder.resolve("init.log").toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        await(process, command + ", see " + log);
    }

    private static void await(Process process, String what) throws InterruptedException {
        assertTrue(process.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS), what + " hangs");
        assertTrue(process.exitValue() == 0, what + " failed");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static ServerProcess start(Path folder, NetNamespace host, int port, String endSignal, String... command)
            throws Exception {
        List<String> words = new ArrayList<>();
        if (!host.equals(NetNamespace.own())) {
            words.addAll(List.of("ip", "netns", "exec", host.name()));
        }
        words.addAll(command[0].contains("postgres") ? asServerUser(folder, List.of(command)) : List.of(command));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(File.createTempFile("server", ".log", folder.toFile())))
                .start();
        ServerProcess server = new ServerProcess(process, host, port, endSignal);
        try {
            Deadline.await(command[0] + " to listen", server::isListening);
            return server;
        } catch (Exception | AssertionError e) {
            server.close();
            throw e;
        }
    }

    private boolean isListening() throws NicException {
        assertTrue(process.isAlive(), "the server has ended");
        return host.call(this::isReachable);
    }

    private boolean isReachable() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        List<String> signal = List.of("kill", "-" + endSignal, Long.toString(process.pid()));
        try {
            new ProcessBuilder(signal).inheritIO().start().waitFor();
            if (!process.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
