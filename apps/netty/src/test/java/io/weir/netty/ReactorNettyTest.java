package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.socket.DatagramChannel;
import java.time.Duration;
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
                    .runOn(new WeirLoopResources(groups.server()))
                    .route(routes -> routes.post(
                            "/echo",
                            (request, response) ->
                                    response.send(request.receive().retain())))
                    .bindNow();
            ConnectionProvider connections = ConnectionProvider.create("weir", 2);
            String body = "weir".repeat(50_000);
            String answer = HttpClient.create(connections)
                    .remoteAddress(server::address)
                    .runOn(new WeirLoopResources(groups.client()))
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

    @Test
    void onChannel_datagrams_areRefusedWithTheRemedy() {
        try (TwoGroups groups = MemoryHosts.open()) {
            LoopResources loops = new WeirLoopResources(groups.client());
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class, () -> loops.onChannel(DatagramChannel.class, groups.client()));
            assertTrue(refused.getMessage().contains("DatagramChannel"), refused.getMessage());
        }
    }

    @Test
    void dispose_endsTheGroup() {
        try (TwoGroups groups = MemoryHosts.open()) {
            LoopResources loops = new WeirLoopResources(groups.client());
            loops.disposeLater(Duration.ZERO, Duration.ofSeconds(1)).block();
            assertTrue(loops.isDisposed());
            assertTrue(groups.client().isTerminated());
        }
    }
}
