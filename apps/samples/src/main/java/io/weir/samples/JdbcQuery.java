package io.weir.samples;

import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Queries PostgreSQL with its own JDBC driver over Weir. The database speaks TCP only: the server's side relays, by
 * plain {@link Socket}s on both sides, to the one that its host runs.
 */
public final class JdbcQuery {
    private static final int PORT = 5432;

    private JdbcQuery() {}

    /** Runs the relay until it is killed, or a client once. */
    public static void main(String[] args) throws IOException, SQLException {
        if ((args.length == 2 || args.length == 3) && args[0].equals("server")) {
            serve(args[1], args.length == 3 ? Integer.parseInt(args[2]) : PORT);
        } else if ((args.length == 3 || args.length == 4) && args[0].equals("client")) {
            query(args[1], args[2], args.length == 4 ? args[3] : "postgres");
        } else {
            System.err.println("usage: JdbcQuery server INTERFACE [PORT] | JdbcQuery client INTERFACE ADDRESS [USER]");
            System.exit(2);
        }
    }

    private static void serve(String interfaceName, int databasePort) throws IOException {
        try (Transport transport = Transport.open(interfaceName);
                ServerSocket listener = new WeirServerSocketFactory(transport).createServerSocket(PORT)) {
            System.out.println("listening on " + interfaceName + ", port " + PORT);
            while (true) {
                Socket client = listener.accept();
                new Thread(() -> relay(client, databasePort), "relay").start();
            }
        }
    }

    private static void relay(Socket client, int databasePort) {
        try (client;
                Socket database = new Socket(InetAddress.getLoopbackAddress(), databasePort)) {
            Thread requests = new Thread(() -> copy(client, database), "requests");
            requests.start();
            copy(database, client);
            requests.join();
        } catch (IOException e) {
            System.err.println("PostgreSQL on port " + databasePort + " of this host: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes bytes on until their end. Where that fails, both sockets close, which ends the other direction too. */
    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            try (from;
                    to) {
                System.err.println("a connection ended: " + e.getMessage());
            } catch (IOException onClose) {
                e.addSuppressed(onClose);
            }
        }
    }

    private static void query(String interfaceName, String server, String user) throws IOException, SQLException {
        try (Transport transport = Transport.open(interfaceName)) {
            NamedTransports.register("database", transport); // the driver makes its factory by class name and this name
            String url = "jdbc:postgresql://" + server + ":" + PORT + "/postgres?user=" + user + "&sslmode=disable"
                    + "&socketFactory=" + WeirSocketFactory.class.getName() + "&socketFactoryArg=database";
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("select count(*), version() from generate_series(1, 1000)")) {
                rows.next();
                System.out.println(rows.getLong(1) + " rows counted by " + rows.getString(2));
            }
        }
    }
}
