package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Tests {@link DelayArbiter} that fills by one byte a nanosecond, with frames of 1000 bytes and at most 5000 in hand.
 */
class DelayArbiterTest {
    private static final int FRAME_BYTES = 1_000;

    private final DelayArbiter arbiter = new DelayArbiter(8_000_000_000L, 1_000_000, FRAME_BYTES, 5_000);

    DelayArbiterTest() {
        assertTrue(arbiter.hasFrame(1_000_000));
    }

    @Test
    void hasFrame_afterALongPause_hasNoMoreThanTheLinkPassesInARoundTrip() {
        for (int i = 0; i < 5; i++) {
            assertTrue(arbiter.hasFrame(1_000_000));
            arbiter.take(FRAME_BYTES, 1_000_000);
        }
        assertFalse(arbiter.hasFrame(1_000_000));
    }

    @Test
    void frameNanos_empty_isWhenAFrameHasComeTogether() {
        arbiter.take(5_400, 1_000_000);
        assertEquals(1_001_400, arbiter.frameNanos());
        assertFalse(arbiter.hasFrame(1_001_399));
        assertTrue(arbiter.hasFrame(1_001_400));
        assertEquals(1_001_400, arbiter.frameNanos());
    }

    @Test
    void take_hugeWindow_delaysOthersForABoundedTime() {
        arbiter.take(0xFFFF_FFFEL, 1_000_000);
        assertEquals(-5_000, arbiter.counterBytes());
        arbiter.take(0xFFFF_FFFEL, 1_000_000);
        assertEquals(1_006_000, arbiter.frameNanos());
    }

    @Test
    void onQueue_moreThanARoundTrip_waitsUntilThatHasLeft() {
        arbiter.onQueue(5_000, 1_000_000);
        assertTrue(arbiter.hasFrame(1_000_000));
        arbiter.onQueue(5_700, 1_000_000);
        assertFalse(arbiter.hasFrame(1_000_699));
        assertEquals(1_000_700, arbiter.frameNanos());
        assertTrue(arbiter.hasFrame(1_000_700));
    }

    @Test
    void setCap_lower_takesTheExcessAway() {
        arbiter.setCap(3_000);
        assertTrue(arbiter.hasFrame(1_000_001));
        assertEquals(3_000, arbiter.counterBytes());
    }

    @Test
    void setCap_lessThanAFrame_leavesRoomForTwo() {
        arbiter.setCap(10);
        assertTrue(arbiter.hasFrame(1_000_001));
        assertEquals(2_000, arbiter.counterBytes());
    }
}
