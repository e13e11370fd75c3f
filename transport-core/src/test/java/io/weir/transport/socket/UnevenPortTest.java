package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryLink;
import org.junit.jupiter.api.Test;

/** Tests {@link UnevenPort}. */
class UnevenPortTest {
    private static final int PERIODS = 3;
    private static final int PERIOD_CYCLES = 1_024;

    @Test
    void transmitCapacity_eachPeriod_isNothingForAWhileAndThePortsElse() {
        FramePool pool = new FramePool(4, 2_048);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("left", 1, 1_500, 1_000_000_000), pool,
                MemoryLink.info("right", 2, 1_500, 1_000_000_000), pool);
        int room = link.left().transmitCapacity();
        UnevenPort port = new UnevenPort(link.left(), 0);
        int full = 0;
        for (int i = 0; i < PERIODS * PERIOD_CYCLES; i++) {
            int capacity = port.transmitCapacity();
            assertTrue(capacity == 0 || capacity == room, "capacity " + capacity);
            full += capacity == 0 ? 1 : 0;
        }
        assertEquals(PERIODS * 64, full);
    }
}
