package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Tests Reactor Netty's HTTP client and server over channels of Weir. */
@ExtendWith(LeakCheck.class)
class ReactorNettyTest {
    @Test
    void post_isAnsweredWithItsBody() {
        try (TwoGroups groups = MemoryHosts.open()) {
            DisposableServer server = HttpServer.create()
                    .bindAddress(groups::serverAddress)
                    .runOn(new Loops(groups.server()))
                    .route(routes -> routes.post(
                            "/echo",
                            (request, response) ->
                                    response.send(request.receive().retain())))
                    .bindNow();
            ConnectionProvider connections = ConnectionProvider.create("weir", 2);
            String body = "weir".repeat(50_000);
            String answer = HttpClient.create(connections)
                    .remoteAddress(server::address)
                    .runOn(new Loops(groups.client()))
                    .post()
                    .uri("/echo")
                    .send((request, outbound) -> outbound.sendString(Mono.just(body)))
                    .responseContent()
                    .aggregate()
                    .asString()
                    .block();
            assertEquals(body, answer);
            connections.dispose();
            server.disposeNow();
        }
    }

    /** An event loop of Weir, and its channels. */
    private record Loops(EventLoopGroup group) implements LoopResources {
        @Override
        public EventLoopGroup onServer(boolean useNative) {
            return group;
        }

        @Override
        public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup eventLoops) {
            Channel channel =
                    type.equals(ServerSocketChannel.class) ? new WeirServerSocketChannel() : new WeirSocketChannel();
            return type.cast(channel);
        }

        @Override
        public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup eventLoops) {
            Class<? extends Channel> found =
                    type.equals(SocketChannel.class) ? WeirSocketChannel.class : WeirServerSocketChannel.class;
            return found.asSubclass(type);
        }
    }
}
