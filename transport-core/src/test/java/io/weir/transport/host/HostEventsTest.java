package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests what {@link HostStack} tells of connections, and which frames it notes. */
class HostEventsTest {
    private static final int SLOTS = 4_096;

    /** {@return a lossy run of one connection that ends in order, or after its peer has gone} */
    private static TestNetwork network(int lossPpm) {
        return new TestNetwork(3, 1_000_000_000L, ExpressPass.weir())
                .impaired(Fault.Impairment.NONE.withLoss(lossPpm), Long.MAX_VALUE)
                .pair(20_000);
    }

    @Test
    void events_ofALossyConnection_areToldInTheirOrder() {
        List<ConnectionEvent> events = new ArrayList<>();
        try (TestNetwork network = network(400_000)) {
            network.stack(1).setEventListener((connection, event) -> events.add(event));
            network.connect(0, 1, 2, new StreamProbe(1, 100_000, 2), new StreamProbe(2, 20_000, 1));
            network.simulator().run(60_000_000_000L);
            long timeOuts = network.stack(1).counters().get(CounterId.RETRANSMISSION_TIMEOUTS);
            assertEquals(
                    timeOuts,
                    events.stream()
                            .filter(event -> event == ConnectionEvent.RETRANSMITS)
                            .count());
            assertTrue(timeOuts > 0, "the network loses too little");
        }
        assertEquals(ConnectionEvent.OPENED, events.get(0));
        assertEquals(ConnectionEvent.ENDED, events.get(events.size() - 1));
        assertEquals(
                EnumSet.of(ConnectionEvent.OPENED, ConnectionEvent.RETRANSMITS, ConnectionEvent.ENDED),
                EnumSet.copyOf(events));
    }

    @Test
    void trace_ofAHost_hasEveryFrameThatItCountsAndTheReasonsOfItsDrops() {
        UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(TraceRing.bytes(SLOTS)));
        TraceRing ring = new TraceRing(memory);
        try (TestNetwork network = network(150_000)) {
            HostStack host = network.stack(2);
            host.setTrace(ring);
            network.connect(0, 1, 2, new StreamProbe(1, 100_000, 2), new StreamProbe(2, 20_000, 1));
            network.simulator().run(60_000_000_000L);
            assertTrue(ring.count() < SLOTS, ring.count() + " frames");
            long[] frames = new long[3];
            long drops = 0;
            for (int i = 0; i < ring.count(); i++) {
                int slot = TraceRing.HEADER_BYTES + i * TraceRing.SLOT_BYTES;
                frames[memory.getByte(slot + TraceRing.DIRECTION_OFFSET)]++;
                int reason = memory.getByte(slot + TraceRing.REASON_OFFSET) & 0xFF;
                drops += reason == 0 ? 0 : 1;
                assertTrue(reason == 0 || CounterId.values()[reason - 1].isDrop());
            }
            assertEquals(host.counters().get(CounterId.FRAMES_RECEIVED), frames[TraceRing.RECEIVED]);
            assertEquals(host.counters().get(CounterId.FRAMES_SENT), frames[TraceRing.SENT]);
            assertEquals(host.counters().drops(), drops);
        }
    }
}
