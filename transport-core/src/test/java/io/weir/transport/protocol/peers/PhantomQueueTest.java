package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.Passing;
import io.weir.transport.wire.Dscp;
import org.junit.jupiter.api.Test;

/** Tests {@link PhantomQueue} on a link of one byte a nanosecond, drained at 95 %, with a threshold of three frames. */
class PhantomQueueTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final int FRAME = Passing.WIRE_BYTES;

    private final Counters counters = new Counters();
    private final Passing passing = new Passing();
    private final PhantomQueue queue = new PhantomQueue(
            PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, 3 * FRAME),
            new PortPolicyConfig.Port(RATE_BPS, 1500, counters, new SeededRandom(1)));

    private boolean departs(long nowNanos, int ecn) {
        queue.onDeparture(passing.data(0, 0, 0, ecn), 0, nowNanos);
        return passing.isMarked();
    }

    @Test
    void onDeparture_atLineRate_growsByTheHeadroom() {
        for (int i = 0; i < 40; i++) {
            departs((long) i * FRAME, Dscp.ECN_ECT0);
        }
        assertEquals(FRAME + 39 * 0.05 * FRAME, (double) queue.levelBytes(), 1);
    }

    @Test
    void onDeparture_aboveTheThreshold_marks() {
        int firstMarked = -1;
        for (int i = 0; i < 60 && firstMarked < 0; i++) {
            firstMarked = departs((long) i * FRAME, Dscp.ECN_ECT0) ? i : -1;
        }
        // 1 + 0.05 i frames exceed 3 from i = 41 on.
        assertEquals(41, firstMarked);
        assertEquals(1, counters.get(CounterId.FRAMES_MARKED));
    }

    @Test
    void onDeparture_atTheDrainRate_neverMarks() {
        for (int i = 0; i < 2_000; i++) {
            assertFalse(departs(i * (FRAME * 100L / 95 + 1), Dscp.ECN_ECT0));
        }
        assertEquals(FRAME, queue.levelBytes());
    }

    @Test
    void onDeparture_senderThatIgnoresMarks_isCountedAndNotMarked() {
        for (int i = 0; i < 100; i++) {
            assertFalse(departs(0, Dscp.ECN_NOT_ECT));
        }
        assertEquals(100 * FRAME, queue.levelBytes());
        assertTrue(departs(0, Dscp.ECN_ECT0));
        assertEquals(1, counters.get(CounterId.FRAMES_MARKED));
    }

    @Test
    void onDeparture_afterALongPause_isEmpty() {
        departs(0, Dscp.ECN_ECT0);
        departs(Long.MAX_VALUE / 2, Dscp.ECN_ECT0);
        assertEquals(FRAME, queue.levelBytes());
    }

    @Test
    void onArrival_frameThatMayBeDropped_doesNotCount() {
        queue.onArrival(passing.data(0, 0, 0, Dscp.ECN_ECT0), 0, 0);
        assertEquals(0, queue.levelBytes());
    }

    @Test
    void settings_impossible_areRefused() {
        PartSettings usual = PhantomQueue.PART.usual();
        assertThrows(ConfigException.class, () -> usual.with(PhantomQueue.DRAIN, 0));
        assertThrows(ConfigException.class, () -> usual.with(PhantomQueue.DRAIN, 1_000_001));
        assertThrows(ConfigException.class, () -> usual.with(PhantomQueue.THRESHOLD, -1));
    }
}
