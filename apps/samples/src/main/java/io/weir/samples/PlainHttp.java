package io.weir.samples;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executors;

/** HTTP by the JDK's own server and client: nothing here knows of Weir, over which it goes by one flag of the JVM. */
public final class PlainHttp {
    private static final int PORT = 8080;
    private static final int CALLS = 100;
    private static final int NANOS_PER_MICRO = 1_000;

    private PlainHttp() {}

    /** Runs the server until it is killed, or a client once. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 1 && args[0].equals("server")) {
            serve();
        } else if (args.length == 2 && args[0].equals("client")) {
            call(args[1]);
        } else {
            System.err.println("usage: PlainHttp server | PlainHttp client ADDRESS");
            System.exit(2);
        }
    }

    private static void serve() throws IOException {
        // The kernel's TCP would hold each answer's body back until its header is acknowledged, 40 ms later.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = ("hello, "
                                + exchange.getRemoteAddress().getAddress().getHostAddress())
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        System.out.println("listening on port " + PORT);
    }

    private static void call(String address) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + ":" + PORT + "/"))
                .build();
        long[] micros = new long[CALLS];
        String body = "";
        for (int i = 0; i < CALLS; i++) {
            long startNanos = System.nanoTime();
            body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            micros[i] = (System.nanoTime() - startNanos) / NANOS_PER_MICRO;
        }
        Arrays.sort(micros);
        System.out.println(body + "; " + CALLS + " calls, median " + micros[CALLS / 2] + " us");
    }
}
