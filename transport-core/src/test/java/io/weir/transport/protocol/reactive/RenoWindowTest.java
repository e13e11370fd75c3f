package io.weir.transport.protocol.reactive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests {@link RenoWindow} with segments of 1000 B. */
class RenoWindowTest {
    private final RenoWindow window = new RenoWindow(1_000, 10);

    @Test
    void grow_inSlowStart_addsWhatArrived() {
        assertTrue(window.isInSlowStart());
        window.grow(700);
        assertEquals(10_700, window.windowBytes());
    }

    @Test
    void grow_aboveTheThreshold_addsASegmentForEachWindowThatArrived() {
        window.reduceTo(4_000);
        assertFalse(window.isInSlowStart());
        window.grow(3_999);
        assertEquals(4_000, window.windowBytes());
        window.grow(1);
        assertEquals(5_000, window.windowBytes());
        for (int i = 0; i < 5; i++) {
            window.grow(1_000);
        }
        assertEquals(6_000, window.windowBytes());
    }

    @Test
    void reduceTo_lessThanTwoSegments_isTwo() {
        window.reduceTo(100);
        assertEquals(2_000, window.windowBytes());
        assertEquals(2_000, window.thresholdBytes());
    }

    @Test
    void reduceTo_withALeastOfItsOwn_isThat() {
        RenoWindow five = new RenoWindow(1_000, 10, 5);
        five.reduceTo(0);
        assertEquals(5_000, five.windowBytes());
    }

    @Test
    void restart_always_isOneSegmentBelowTheThreshold() {
        window.restart(6_000);
        assertEquals(1_000, window.windowBytes());
        assertEquals(6_000, window.thresholdBytes());
        assertTrue(window.isInSlowStart());
    }

    @Test
    void set_outsideTheBounds_isBounded() {
        window.set(0);
        assertEquals(1_000, window.windowBytes());
        window.set(Long.MAX_VALUE);
        assertEquals(1L << 40, window.windowBytes());
        window.grow(1_000_000);
        assertEquals(1L << 40, window.windowBytes());
    }

    @Test
    void new_nonsense_isRefused() {
        assertThrows(ConfigException.class, () -> new RenoWindow(0, 10));
        assertThrows(ConfigException.class, () -> new RenoWindow(1_000, 0));
        assertThrows(ConfigException.class, () -> new RenoWindow(1_000, 10, 0));
    }
}
