package io.weir.agent;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Clients of an HTTP server that answers with what it was sent: the JDK's, and both of HttpComponents'. */
final class HttpClients5 {
    private static final byte[] LITTLE = {1};

    private HttpClients5() {}

    private abstract static class Poster implements ForeignClient {
        private final URI uri;

        Poster(String host, int port) {
            uri = URI.create("http://" + host + ":" + port + "/");
        }

        abstract byte[] post(URI to, byte[] bytes) throws Exception;

        @Override
        public final byte[] exchange(byte[] bytes, int round) throws Exception {
            return post(uri, bytes);
        }

        @Override
        public final void touch() throws Exception {
            post(uri, LITTLE);
        }

        static void require(int status) throws IOException {
            if (status != 200) {
                throw new IOException("the server answers with " + status);
            }
        }
    }

    /** {@return the JDK's client} */
    static ForeignClient ofJdk(String host, int port) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new Poster(host, port) {
            @Override
            byte[] post(URI to, byte[] bytes) throws Exception {
                HttpRequest request = HttpRequest.newBuilder(to)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
                        .build();
                HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                require(answer.statusCode());
                return answer.body();
            }

            @Override
            public void close() {}
        };
    }

    /** {@return HttpComponents' client with blocking sockets and a pool} */
    static ForeignClient classic(String host, int port) {
        CloseableHttpClient client =
                HttpClients.custom().disableAutomaticRetries().build();
        return new Poster(host, port) {
            @Override
            byte[] post(URI to, byte[] bytes) throws Exception {
                HttpPost request = new HttpPost(to);
                request.setEntity(new ByteArrayEntity(bytes, ContentType.APPLICATION_OCTET_STREAM));
                return client.execute(request, answer -> {
                    require(answer.getCode());
                    return EntityUtils.toByteArray(answer.getEntity());
                });
            }

            @Override
            public void close() throws IOException {
                client.close();
            }
        };
    }

    /** {@return HttpComponents' client with channels and a selector} */
    static ForeignClient asynchronous(String host, int port) {
        CloseableHttpAsyncClient client =
                HttpAsyncClients.custom().disableAutomaticRetries().build();
        client.start();
        return new Poster(host, port) {
            @Override
            byte[] post(URI to, byte[] bytes) throws Exception {
                SimpleHttpRequest request = SimpleRequestBuilder.post(to)
                        .setBody(bytes, ContentType.APPLICATION_OCTET_STREAM)
                        .build();
                Future<SimpleHttpResponse> answer = client.execute(request, null);
                require(answer.get().getCode());
                return answer.get().getBodyBytes();
            }

            @Override
            public void close() throws IOException {
                client.close();
            }
        };
    }
}
