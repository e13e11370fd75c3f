package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link DelayRound}. */
class DelayRoundTest {
    private final DelayRound round = new DelayRound();

    @Test
    void isEmpty_onlyWithoutSamples() {
        assertTrue(round.isEmpty());
        round.add(0, 1);
        assertEquals(false, round.isEmpty());
        round.clear();
        assertTrue(round.isEmpty());
    }

    @Test
    void meanNanos_delayedAcknowledgements_countsEachForItsFrames() {
        round.add(1_000, 1);
        round.add(5_000, 3);
        assertEquals(4_000, round.meanNanos());
        assertEquals(2, round.samples());
    }

    @Test
    void rangeNanos_isFromTheLeastToTheLargest() {
        round.add(3_000, 1);
        round.add(1_000, 2);
        round.add(9_000, 1);
        assertEquals(8_000, round.rangeNanos());
        round.clear();
        round.add(2_000, 1);
        assertEquals(0, round.rangeNanos());
    }
}
