package io.weir.agent;

import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/** Servers and clients of HTTP as services have them, which know nothing of Weir. */
public final class HttpPrograms {
    private static final int PORT = 8080;
    private static final int CALLS = 5;
    private static final byte[] BODY = body();

    private HttpPrograms() {}

    private static byte[] body() {
        byte[] bytes = new byte[2_000_003];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    /**
     * Runs a server until it is ended, or a client.
     *
     * @param arguments {@code jdk}, {@code tomcat}, {@code jetty}, {@code socket} or {@code asynchronous} for a server;
     *     {@code client} and the server's address
     */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "jdk" -> serveJdk();
            case "tomcat" -> serveTomcat();
            case "jetty" -> serveJetty();
            case "socket" -> serveSockets();
            case "asynchronous" -> serveAsynchronously();
            case "epoll" -> {
                // As a program that uses it, without its native code.
                Class.forName("io.netty.channel.epoll.EpollIoHandler", false, HttpPrograms.class.getClassLoader());
                System.out.println("loaded");
            }
            default -> call(arguments[1]);
        }
    }

    private static void serveJdk() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, BODY.length);
                exchange.getResponseBody().write(BODY);
            }
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("listening");
    }

    private static void serveTomcat() throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir") + "/weir-tomcat-"
                + ProcessHandle.current().pid());
        tomcat.setPort(PORT);
        tomcat.getConnector();
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "body", new BodyServlet()).addMapping("/");
        tomcat.start();
        System.out.println("listening");
        tomcat.getServer().await();
    }

    /** Answers with the body. */
    private static final class BodyServlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(BODY.length);
            response.getOutputStream().write(BODY);
        }
    }

    private static void serveJetty() throws Exception {
        Server server = new Server(PORT);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                response.write(true, ByteBuffer.wrap(BODY), callback);
                return true;
            }
        });
        server.start();
        System.out.println("listening");
        server.join();
    }

    private static void serveSockets() throws IOException {
        try (ServerSocket listener = new ServerSocket(PORT)) {
            System.out.println("listening");
            while (true) {
                Socket accepted = listener.accept();
                new Thread(() -> answer(accepted)).start();
            }
        }
    }

    private static void serveAsynchronously() throws Exception {
        AsynchronousServerSocketChannel listener =
                AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(PORT));
        System.out.println("listening");
        while (true) {
            AsynchronousSocketChannel accepted = listener.accept().get();
            new Thread(() -> answer(accepted)).start();
        }
    }

    private static void answer(AsynchronousSocketChannel accepted) {
        try (accepted) {
            StringBuilder request = new StringBuilder();
            ByteBuffer part = ByteBuffer.allocate(1_024);
            while (!request.toString().contains("\r\n\r\n")
                    && accepted.read(part.clear()).get() > 0) {
                request.append(StandardCharsets.US_ASCII.decode(part.flip()));
            }
            String head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + BODY.length + "\r\n\r\n";
            for (ByteBuffer bytes : List.of(StandardCharsets.US_ASCII.encode(head), ByteBuffer.wrap(BODY))) {
                while (bytes.hasRemaining()) {
                    accepted.write(bytes).get();
                }
            }
        } catch (IOException | InterruptedException | ExecutionException e) {
            System.out.println("a connection ended: " + e);
        }
    }

    private static void answer(Socket accepted) {
        try (Socket socket = accepted) {
            BufferedReader request =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            int lines = 0;
            for (String line = request.readLine(); line != null && !line.isEmpty(); line = request.readLine()) {
                lines++;
            }
            require(lines > 0, "a request of " + lines + " lines");
            OutputStream output = socket.getOutputStream();
            output.write(("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + BODY.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            output.write(BODY);
        } catch (IOException e) {
            System.out.println("a connection ended: " + e);
        }
    }

    private static void call(String host) throws Exception {
        Recording recording = new Recording();
        recording.start();
        URI uri = URI.create("http://" + host + ":" + PORT + "/");
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 0; i < CALLS; i++) {
            HttpResponse<byte[]> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
            require(Arrays.equals(BODY, response.body()), "HttpClient, call " + i);
        }
        require(Arrays.equals(BODY, uri.toURL().openStream().readAllBytes()), "URL");
        System.out.println(events(recording));
        System.out.println("done " + Ways.latest());
        System.exit(0);
    }

    /** {@return what Java Flight Recorder was told about connections} */
    private static String events(Recording recording) throws IOException {
        Path file = Files.createTempFile("weir-agent", ".jfr");
        recording.dump(file);
        recording.close();
        String told = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.weir.Way"))
                .map(event -> event.getString("outcome") + ": " + event.getString("text"))
                .collect(Collectors.joining(" | "));
        Files.delete(file);
        return "events " + told;
    }

    private static void require(boolean isGood, String what) {
        if (!isGood) {
            throw new IllegalStateException(what + ": other bytes than the server's");
        }
    }
}
