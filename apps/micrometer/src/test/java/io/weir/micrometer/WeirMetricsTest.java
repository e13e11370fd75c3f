package io.weir.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link WeirMetrics} on two transports in memory with a connection between them. */
class WeirMetricsTest {
    private static final int PORT = 4720;

    private Transport client;
    private Transport server;

    @BeforeEach
    void open() throws IOException {
        FramePool near = new FramePool(2048, 2048, true);
        FramePool far = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(near, far, 1500, 10_000_000_000L);
        client = Transport.open(pair.get(0), near, TransportConfig.DEFAULT);
        server = Transport.open(pair.get(1), far, TransportConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        client.close(Duration.ZERO);
        server.close(Duration.ZERO);
    }

    private void connect() throws IOException {
        try (WeirServerSocket listener = server.listen(PORT);
                WeirSocket socket = client.connect(new InetSocketAddress("10.0.0.2", PORT), Duration.ofMinutes(5))) {
            assertTrue(socket.isOpen());
            assertNotNull(listener);
        }
    }

    @Test
    void counters_ofATransport_areReadWhenAsked() throws IOException {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (WeirMetrics metrics = new WeirMetrics(client, List.of(Tag.of("service", "orders")))) {
            metrics.bindTo(registry);
            assertEquals(
                    0, registry.get("weir.connections.opened").functionCounter().count());
            connect();
            assertEquals(
                    1,
                    registry.get("weir.connections.opened")
                            .tag("service", "orders")
                            .tag("interface", client.portInfo().name())
                            .functionCounter()
                            .count());
            assertEquals(client.counters().get(CounterId.DROP_CRC), (long) registry.get("weir.drops")
                    .tag("reason", "crc")
                    .functionCounter()
                    .count());
        }
        assertEquals(List.of(), registry.getMeters());
    }

    @Test
    void names_forPrometheus_areThoseOfStat() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (WeirMetrics metrics = new WeirMetrics(client)) {
            metrics.bindTo(registry);
            String page = registry.scrape();
            for (String name : List.of(
                    "weir_frames_sent_total{",
                    "weir_drops_total{",
                    "weir_duty_ratio{",
                    "weir_send_rate_bytes_per_second{",
                    "weir_loop_seconds_total{",
                    "weir_memory_max_bytes{",
                    "weir_pauses_of_thread_total{",
                    "weir_connections{")) {
                assertTrue(page.contains("\n" + name), name + " is not in:\n" + page);
            }
            assertFalse(page.contains("weir_clients"), "what brokers alone have");
        }
    }
}
