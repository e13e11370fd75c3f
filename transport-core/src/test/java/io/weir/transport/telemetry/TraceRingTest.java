package io.weir.transport.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Allocations;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link TraceRing}: what a slot holds, and that it costs no garbage. TraceReaderTest has its readers. */
class TraceRingTest {
    private static final int SLOTS = 64;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(TraceRing.bytes(SLOTS)));
    private final TraceRing ring = new TraceRing(memory);
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(256));

    @Test
    void begin_anyLength_copiesThatAndNoMore() {
        frame.setMemory(0, 256, (byte) 7);
        for (int bytes = 0; bytes <= TraceRing.KEPT_BYTES_MAX; bytes++) {
            memory.setMemory(TraceRing.HEADER_BYTES, SLOTS * TraceRing.SLOT_BYTES, (byte) 0);
            int slot = TraceRing.HEADER_BYTES + (int) (ring.begunCount() % SLOTS) * TraceRing.SLOT_BYTES;
            ring.begin(TraceRing.RECEIVED, 5, 1_514, frame, 3, bytes);
            ring.end(CounterId.DROP_TAG);
            for (int i = 0; i < TraceRing.KEPT_BYTES_MAX; i++) {
                assertEquals(i < bytes ? 7 : 0, memory.getByte(slot + TraceRing.FRAME_OFFSET + i));
            }
            assertEquals(bytes, memory.getShort(slot + TraceRing.KEPT_BYTES_OFFSET));
            assertEquals(1_514, memory.getInt(slot + TraceRing.FRAME_BYTES_OFFSET));
            assertEquals(TraceRing.RECEIVED, memory.getByte(slot + TraceRing.DIRECTION_OFFSET));
            assertEquals(1 + CounterId.DROP_TAG.ordinal(), memory.getByte(slot + TraceRing.REASON_OFFSET) & 0xFF);
        }
    }

    @Test
    void reasons_allOfThem_fitTheirByte() {
        assertTrue(CounterId.values().length < 0xFF, CounterId.values().length + " counters");
    }

    @Test
    void keepEpoch_clocksThatDriftALittle_staysAndFollowsAJump() {
        ring.keepEpoch(1_000, 400_000_000);
        assertEquals(600_000_000, ring.epochNanos());
        ring.keepEpoch(2_003, 1_400_000_000);
        assertEquals(600_000_000, ring.epochNanos());
        ring.keepEpoch(9_000, 1_400_000_000);
        assertEquals(7_600_000_000L, ring.epochNanos());
    }

    @Test
    void new_memoryOnTheHeapOrOfAnotherLength_isRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new TraceRing(new UnsafeBuffer(new byte[TraceRing.bytes(SLOTS)])));
        assertThrows(
                IllegalArgumentException.class,
                () -> new TraceRing(new UnsafeBuffer(ByteBuffer.allocateDirect(TraceRing.bytes(65)))));
    }

    @Test
    void begin_aHundredThousandTimes_allocatesNothing() {
        assertEquals(0, Allocations.fewestOf(3, 100_000, () -> {
            ring.begin(TraceRing.SENT, 1, 1_514, frame, 0, 90);
            ring.end(null);
        }));
    }
}
