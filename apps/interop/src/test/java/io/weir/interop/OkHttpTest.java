package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests OkHttp over Weir, with the JDK's server behind a relay. */
class OkHttpTest {
    private static final int LARGE_BYTES = 20 << 20;
    private static final char[] PASSWORD = "weir-tests".toCharArray();

    static {
        // The server writes headers and body apart; by default the kernel's TCP then waits 40 ms for an
        // acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    @TempDir
    Path folder;

    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(OkHttpClient client, String address) throws Exception;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(loopback(), 0);
        serve(server);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private void serve(HttpServer starting) {
        starting.setExecutor(workers);
        starting.createContext("/echo", OkHttpTest::echo);
        starting.createContext("/never", exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        starting.start();
    }

    private static void echo(HttpExchange exchange) throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        workers.shutdownNow();
    }

    private void over(Link.Kind kind, Use use) throws Exception {
        try (Link link = kind.open();
                Relay relay = new Relay(link.listen(), server.getAddress().getPort())) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .socketFactory(link.sockets())
                    .connectTimeout(Deadline.HANG_GUARD)
                    .readTimeout(Deadline.HANG_GUARD)
                    .writeTimeout(Deadline.HANG_GUARD)
                    .retryOnConnectionFailure(false)
                    .build();
            try {
                use.with(client, link.serverHost() + ":" + relay.port());
            } finally {
                client.dispatcher().executorService().shutdown();
                client.connectionPool().evictAll();
            }
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static void requireEcho(OkHttpClient client, String url, int count) throws IOException {
        byte[] bytes = bytes(count);
        Request request = new Request.Builder()
                .url(url + "/echo")
                .post(RequestBody.create(bytes))
                .build();
        try (Response response = client.newCall(request).execute()) {
            assertEquals(200, response.code());
            assertArrayEquals(bytes, response.body().bytes());
        }
    }

    @Test
    void post_ofTwentyMegabytes_isEchoed() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> requireEcho(client, "http://" + address, LARGE_BYTES));
    }

    @LiveTest
    @Test
    void post_ofTwentyMegabytesOverAfXdp_isEchoed() throws Exception {
        over(Link.Kind.AF_XDP, (client, address) -> requireEcho(client, "http://" + address, LARGE_BYTES));
    }

    @Test
    void post_oneAfterTheOther_useOneConnection() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> {
            for (int i = 0; i < 200; i++) {
                requireEcho(client, "http://" + address, 100 + i);
            }
            assertEquals(1, client.connectionPool().connectionCount());
        });
    }

    @Test
    void post_manyAtOnce_areAllEchoed() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> {
            List<FutureTask<Void>> calls = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                int count = 10_000 + i;
                FutureTask<Void> call = new FutureTask<>(() -> {
                    requireEcho(client, "http://" + address, count);
                    return null;
                });
                calls.add(call);
                workers.execute(call);
            }
            for (FutureTask<Void> call : calls) {
                call.get();
            }
        });
    }

    @Test
    void get_serverNeverAnswers_endsWithTheReadTimeout() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> {
            OkHttpClient impatient =
                    client.newBuilder().readTimeout(Duration.ofMillis(50)).build();
            Request request =
                    new Request.Builder().url("http://" + address + "/never").build();
            assertThrows(
                    SocketTimeoutException.class,
                    () -> impatient.newCall(request).execute());
        });
    }

    @Test
    void cancel_whileTheServerDoesNotAnswer_endsTheCall() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> {
            Request request =
                    new Request.Builder().url("http://" + address + "/never").build();
            Call call = client.newCall(request);
            FutureTask<IOException> waiting = new FutureTask<>(() -> assertThrows(IOException.class, call::execute));
            workers.execute(waiting);
            Deadline.await(
                    "the call's connection", () -> client.connectionPool().connectionCount() == 1);
            call.cancel();
            waiting.get();
            assertTrue(call.isCanceled());
        });
    }

    @Test
    void get_nobodyListens_isRefused() throws Exception {
        over(Link.Kind.MEMORY, (client, address) -> {
            String closed = address.replaceAll(":.*", ":4711");
            Request request = new Request.Builder().url("http://" + closed).build();
            assertThrows(ConnectException.class, () -> client.newCall(request).execute());
        });
    }

    @Test
    void post_overTls_isEchoed() throws Exception {
        KeyStore keys = newKeys();
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        SSLContext ofServer = SSLContext.getInstance("TLS");
        ofServer.init(keyManagers.getKeyManagers(), null, null);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext ofClient = SSLContext.getInstance("TLS");
        ofClient.init(null, trust.getTrustManagers(), null);
        server.stop(0);
        HttpsServer secure = HttpsServer.create(loopback(), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(ofServer));
        server = secure;
        serve(server);
        over(Link.Kind.MEMORY, (client, address) -> {
            OkHttpClient trusting = client.newBuilder()
                    .sslSocketFactory(ofClient.getSocketFactory(), (X509TrustManager) trust.getTrustManagers()[0])
                    .hostnameVerifier((host, session) -> true)
                    .build();
            requireEcho(trusting, "https://" + address, 1 << 20);
        });
    }

    /** {@return a key and a certificate that it has signed itself, made by the JDK's own tool} */
    private KeyStore newKeys() throws Exception {
        Path file = folder.resolve("keys.p12");
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "weir",
                        "-keyalg",
                        "EC",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-dname",
                        "CN=weir")
                .inheritIO()
                .start();
        assertTrue(tool.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS) && tool.exitValue() == 0);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        KeyStore.Entry entry = keys.getEntry("weir", new KeyStore.PasswordProtection(PASSWORD));
        // Its own certificate is what the client trusts.
        keys.setCertificateEntry("trusted", ((KeyStore.PrivateKeyEntry) entry).getCertificate());
        return keys;
    }
}
