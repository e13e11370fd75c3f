package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.CloseReason;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link TransportEnd}: who is woken, and why nothing can be waited for. Ends with connections are {@link
 * TransportCloseTest}'s and {@link TransportFaultTest}'s.
 */
class TransportEndTest {
    private final AtomicInteger wakes = new AtomicInteger();
    private Transport transport;

    @BeforeEach
    void open() throws IOException {
        List<List<Backend.Opened>> queues = MemoryNetwork.pairWithQueues(2, 0, 64, 10_000_000_000L);
        transport = Transport.open(
                queues.get(0),
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build());
        transport.end().register(wakes::incrementAndGet);
    }

    @AfterEach
    void close() {
        transport.close(Duration.ZERO);
    }

    @Test
    void reason_running_isNone() throws IOException {
        transport.end().requireRunning();
        assertNull(transport.end().reason());
        assertEquals(0, wakes.get());
    }

    @Test
    void close_twice_wakesOnceForItselfAndOncePerLoop() {
        transport.close(Duration.ZERO);
        assertEquals("Transport closed", transport.end().reason().getMessage());
        assertEquals(1 + 2, wakes.get());
        transport.close(Duration.ZERO);
        assertEquals(1 + 2, wakes.get());
    }

    @Test
    void close_ofOneLoop_endsTheOthers() {
        transport.loops().get(1).close();
        assertEquals("Transport closed", transport.end().reason().getMessage());
        assertEquals(1, wakes.get());
        assertTrue(transport.loop().isClosed());
    }

    @Test
    void onGone_interfaceDeleted_isTheReason() {
        transport.end().onGone(PortEnd.INTERFACE_DELETED);
        assertEquals(
                Failures.ofUse(CloseReason.INTERFACE_DELETED, null).getMessage(),
                transport.end().reason().getMessage());
        assertEquals(1, wakes.get());
    }
}
