package io.weir.cli.stat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Serves what there is at the time of each request, at {@code /metrics}. */
final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int BACKLOG = 16;
    private static final int PORT_MAX = 65_535;

    private final HttpServer server;

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /**
     * {@return where {@code ADDRESS:PORT} is; of a port alone, at loopback}
     *
     * @throws ConfigException if it is nowhere
     */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String address = colon < 0 ? "" : text.substring(0, colon);
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= PORT_MAX) {
                InetAddress bound =
                        address.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
                return new InetSocketAddress(bound, port);
            }
        } catch (NumberFormatException | UnknownHostException e) {
            throw new ConfigException(wrong(text), e);
        }
        throw new ConfigException(wrong(text));
    }

    private static String wrong(String text) {
        return "\"" + text + "\" is no place to listen at; write ADDRESS:PORT, as in 127.0.0.1:9273, or a port alone";
    }

    /**
     * {@return a server that runs}
     *
     * @throws BindException if it cannot listen there
     */
    static MetricsServer start(InetSocketAddress address, Supplier<String> text) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw (BindException)
                    new BindException("cannot listen at " + address.getAddress().getHostAddress() + ":"
                                    + address.getPort() + ": " + e.getMessage() + "; name another port by --listen")
                            .initCause(e);
        }
        server.createContext("/", exchange -> answer(exchange, text));
        server.start();
        return new MetricsServer(server);
    }

    private static void answer(HttpExchange exchange, Supplier<String> text) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, -1);
            } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
            } else {
                byte[] bytes = text.get().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
                exchange.sendResponseHeaders(OK, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    /** {@return where it listens, as in {@code http://127.0.0.1:9273/metrics}} */
    String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + PATH;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
