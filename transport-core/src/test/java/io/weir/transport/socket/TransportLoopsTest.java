package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link TransportLoops}: three loops that applications run, and that no thread runs yet. */
class TransportLoopsTest {
    private static final int COUNT = 3;
    private static final TransportConfig CONFIG =
            TransportConfig.builder().idleMode(IdleMode.INVOKER).build();

    private Transport transport;
    private TransportLoops loops;

    @BeforeEach
    void open() throws IOException {
        List<List<Backend.Opened>> owned = MemoryNetwork.pairWithQueues(1, 0, 64, 10_000_000_000L);
        transport = Transport.open(owned.get(0), CONFIG);
        List<TransportLoop> made = new ArrayList<>();
        for (Backend.Opened queue :
                MemoryNetwork.pairWithQueues(COUNT, 0, 64, 10_000_000_000L).get(0)) {
            List<ProtocolFactory> protocols =
                    List.of(CONFIG.protocols().get(0).newFactory(new SeededRandom(made.size())));
            made.add(new TransportLoop(
                    transport,
                    made.size(),
                    "loop" + made.size(),
                    new TransportLoop.Parts(
                            queue,
                            HostSetup.of(CONFIG, queue.netInterface(), COUNT),
                            protocols,
                            null,
                            EventLoop.machineClock(),
                            true)));
        }
        loops = new TransportLoops(made, true);
    }

    @AfterEach
    void close() {
        loops.forEach(home -> home.loop().close());
        transport.close(Duration.ZERO);
    }

    @Test
    void forNext_threadThatRunsNone_hasThemInTurn() {
        assertNull(loops.own());
        for (int i = 0; i < 2 * COUNT; i++) {
            assertSame(loops.get(i % COUNT), loops.forNext());
        }
    }

    @Test
    void forNext_threadThatRunsOne_hasThatOne() {
        loops.get(1).loop().start();
        assertSame(loops.get(1), loops.own());
        assertSame(loops.get(1), loops.forNext());
        assertSame(loops.get(1), loops.forNext());
    }

    @Test
    void mayWaitFor_threadThatRunsOne_waitsForThatOneAlone() {
        assertTrue(loops.mayWaitFor(loops.get(0)));
        loops.get(1).loop().start();
        assertFalse(loops.mayWaitFor(loops.get(0)));
        assertTrue(loops.mayWaitFor(loops.get(1)));
    }

    @Test
    void current_withinATask_isTheLoopThatRunsIt() {
        EventLoop loop = loops.get(2).loop();
        loop.start();
        assertNull(loops.current());
        assertTrue(loop.runNow(now -> {
            assertSame(loops.get(2), loops.current());
            assertFalse(loops.mayWaitFor(loops.get(2)), "it would wait for itself");
        }));
        assertNull(loops.current());
    }

    @Test
    void of_itsOwnAndAForeignLoop_isFoundAndRefused() {
        assertSame(loops.get(1), loops.of(loops.get(1).loop()));
        String message = assertThrows(IllegalArgumentException.class, () -> loops.of(transport.loop()))
                .getMessage();
        assertEquals("loop is " + transport.loop().name() + ", and not one of [loop0, loop1, loop2]", message);
    }
}
