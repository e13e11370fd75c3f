package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.transport.Transport;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests Vert.x's HTTP client and server over channels of Weir. */
class VertxTest {
    @Test
    void get_isAnswered() throws Exception {
        MemoryHosts.Pair pair = MemoryHosts.pair();
        Vertx serverVertx = vertx(WeirIoHandler.newFactory(pair.server()));
        Vertx clientVertx = vertx(WeirIoHandler.newFactory(pair.client()));
        String host = pair.serverAddress().getAddress().getHostAddress();
        HttpServer server = serverVertx
                .createHttpServer()
                .requestHandler(request -> request.response().end("weir".repeat(50_000)))
                .listen(4_720, host)
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        String body = clientVertx
                .createHttpClient()
                .request(HttpMethod.GET, server.actualPort(), host, "/")
                .compose(request -> request.send())
                .compose(response -> response.body())
                .map(buffer -> buffer.toString())
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        assertEquals("weir".repeat(50_000), body);
        clientVertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        serverVertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static Vertx vertx(IoHandlerFactory factory) {
        return Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .withTransport(new WeirTransport(factory))
                .build();
    }

    /** Weir as Vert.x knows transports: one group of one thread, which accepts too. */
    private static final class WeirTransport implements Transport, io.vertx.core.spi.transport.Transport {
        private final IoHandlerFactory factory;
        private EventLoopGroup group;

        WeirTransport(IoHandlerFactory factory) {
            this.factory = factory;
        }

        @Override
        public String name() {
            return "weir";
        }

        @Override
        public boolean available() {
            return Weir.isAvailable();
        }

        @Override
        public Throwable unavailabilityCause() {
            return Weir.unavailabilityCause();
        }

        @Override
        public io.vertx.core.spi.transport.Transport implementation() {
            return this;
        }

        @Override
        public IoHandlerFactory ioHandlerFactory() {
            return factory;
        }

        @Override
        public synchronized EventLoopGroup eventLoopGroup(
                int type, int threadCount, ThreadFactory threadFactory, int ioRatio) {
            if (group == null) {
                group = new MultiThreadIoEventLoopGroup(1, threadFactory, factory);
            }
            return group;
        }

        @Override
        @SuppressWarnings("deprecation") // Vert.x's signature
        public DatagramChannel datagramChannel(InternetProtocolFamily family) {
            throw new UnsupportedOperationException("Weir has no datagrams");
        }

        @Override
        public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
            throw new UnsupportedOperationException("Weir has no datagrams");
        }

        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean isDomainSocket) {
            return WeirSocketChannel::new;
        }

        @Override
        public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean isDomainSocket) {
            return WeirServerSocketChannel::new;
        }
    }
}
